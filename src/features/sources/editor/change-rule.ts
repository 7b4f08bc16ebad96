import * as vscode from 'vscode';
import type { SiteRules } from '../../../core/domain/site.ts';
import { number } from '../../../platform/shown-number.ts';

const MAX_DEPTH = 10;
const MAX_PAGES = 10_000;

/** Crawl setting that can be changed. */
export type Changeable = 'depth' | 'limit' | 'include' | 'exclude';

/** Asks for a new value of a crawl setting; undefined if it stays. */
export async function changeRule(
  title: string,
  what: Changeable,
  rules: SiteRules,
): Promise<SiteRules | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    ignoreFocusOut: true,
    ...questionAbout(what, rules),
  });
  if (typed === undefined) return undefined;
  const isNumber = what === 'depth' || what === 'limit';
  const value = isNumber ? Number(typed) : typed.split(/[\s,]+/).filter((pattern) => pattern !== '');
  return { ...rules, [what]: value };
}

/** Returns the question, the current value, and the validation for a crawl setting. */
function questionAbout(what: Changeable, rules: SiteRules): vscode.InputBoxOptions {
  switch (what) {
    case 'depth':
      return {
        prompt: vscode.l10n.t(
          'Enter the maximum number of links to follow from a start page. Enter 0 to add only the start pages.',
        ),
        ...numberFrom(rules.depth, 0, MAX_DEPTH),
      };
    case 'limit':
      return {
        prompt: vscode.l10n.t('Enter the maximum number of pages to download.'),
        ...numberFrom(rules.limit, 1, MAX_PAGES),
      };
    case 'include':
      return {
        prompt: vscode.l10n.t(
          'Enter path patterns to include, such as /docs/** or *.html, separated by spaces. Leave empty to include all pages below the start pages.',
        ),
        value: rules.include.join(' '),
      };
    case 'exclude':
      return {
        prompt: vscode.l10n.t(
          'Enter path patterns to exclude, such as /docs/old/** or changelog, separated by spaces.',
        ),
        value: rules.exclude.join(' '),
      };
  }
}

function numberFrom(value: number, minimum: number, limit: number): vscode.InputBoxOptions {
  return {
    value: String(value),
    validateInput: (text) =>
      /^\d+$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= limit
        ? undefined
        : vscode.l10n.t('Enter a number from {0} to {1}.', number(minimum), number(limit)),
  };
}
