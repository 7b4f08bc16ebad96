import * as vscode from 'vscode';
import type { SiteRules } from '../../notebook/site.ts';

const MOST_DEPTH = 10;
const MOST_PAGES = 10_000;

/** A rule of a site that can be changed. */
export type Changeable = 'depth' | 'limit' | 'include' | 'exclude';

/** Asks for another value of one rule; undefined where it stays. */
export async function changeRule(
  title: string,
  what: Changeable,
  rules: SiteRules,
): Promise<SiteRules | undefined> {
  switch (what) {
    case 'depth': {
      const depth = await askForNumber(
        title,
        vscode.l10n.t('How many links a page may be away from a start. 0 takes the start alone.'),
        rules.depth,
        0,
        MOST_DEPTH,
      );
      return depth === undefined ? undefined : { ...rules, depth };
    }
    case 'limit': {
      const limit = await askForNumber(
        title,
        vscode.l10n.t('How many pages are fetched at most.'),
        rules.limit,
        1,
        MOST_PAGES,
      );
      return limit === undefined ? undefined : { ...rules, limit };
    }
    case 'include': {
      const include = await askForPatterns(
        title,
        vscode.l10n.t(
          'Patterns of paths to fetch, such as /docs/** or *.html. Empty: what lies below the start.',
        ),
        rules.include,
      );
      return include === undefined ? undefined : { ...rules, include };
    }
    case 'exclude': {
      const exclude = await askForPatterns(
        title,
        vscode.l10n.t('Patterns of paths to leave out, such as /docs/old/** or changelog.'),
        rules.exclude,
      );
      return exclude === undefined ? undefined : { ...rules, exclude };
    }
  }
}

async function askForNumber(
  title: string,
  prompt: string,
  value: number,
  least: number,
  most: number,
): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt,
    value: String(value),
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most
        ? undefined
        : vscode.l10n.t('Type a number from {0} to {1}.', number(least), number(most)),
  });
  return typed === undefined ? undefined : Number(typed);
}

async function askForPatterns(
  title: string,
  prompt: string,
  value: readonly string[],
): Promise<string[] | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt,
    value: value.join(' '),
    ignoreFocusOut: true,
  });
  return typed?.split(/[\s,]+/).filter((pattern) => pattern !== '');
}

function number(value: number): string {
  return value.toLocaleString(vscode.env.language);
}
