import { t } from '@vscode/l10n';
import { partsOfPacks } from '../../core/language/words/pack-words.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import type { ParsedPage } from './parse-page.ts';
import { elementsIn, type PageElement } from './page-tree.ts';

/**
 * Text lengths, in UTF-16 code units. A page with `LITTLE_TEXT` or more is read even if it asks for a sign-in or
 * scripts. A page with less than `HARDLY_ANY_TEXT` counts as empty.
 */
const LITTLE_TEXT = 600;
const HARDLY_ANY_TEXT = 200;

export const SIGN_IN = new RegExp(String.raw`\b(?:${partsOfPacks(({ signIn }) => signIn)})\b`, 'i');
const CHALLENGE =
  /\b(?:just a moment|checking (?:your|if the site) |verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|not a robot|attention required|access (?:to this page has been )?denied|unusual traffic|complete the (?:security )?captcha|pardon our interruption)/i;
const WANTS_SCRIPTS =
  /\b(?:enable|requires?|needs?|turn on|without|activate|disabled)\b.{0,40}\bjavascript\b|\bjavascript\b.{0,40}\b(?:enabled?|required|disabled|needed|turned off)\b/i;

/** Explains why a page that yielded `text` has no readable content; undefined if it has. `page` is as parsed. */
export function explainEmptyPage(
  page: ParsedPage,
  title: string,
  text: string,
  url: string,
): NotebookError | undefined {
  const length = text.trim().length;
  if (length >= LITTLE_TEXT) return undefined;
  const host = URL.parse(url)?.host ?? url;
  const pageText = `${title} ${text}`;
  if (CHALLENGE.test(pageText)) {
    return new NotebookError(
      'forbidden',
      t(
        '{0} shows this page only after a browser check. Save the page from your browser and add the file instead.',
        host,
      ),
    );
  }
  const isSignIn =
    SIGN_IN.test(title) || /\/(?:log-?in|sign-?in|sso|auth\w*|session\/new)(?:[/.?]|$)/i.test(url);
  if (page.asksPassword && (isSignIn || length < HARDLY_ANY_TEXT)) {
    return new NotebookError(
      'unauthorized',
      t(
        '{0} requires sign-in to show this page. Save the page from your browser and add the file instead.',
        host,
      ),
    );
  }
  if (length >= HARDLY_ANY_TEXT) return undefined;
  const target = leadsTo(page.root, url);
  if (target !== undefined) {
    return new NotebookError(
      'unsupported',
      t('This page on {0} only redirects to {1}. Add that URL instead.', host, target),
    );
  }
  const isBuilt = WANTS_SCRIPTS.test(pageText) || page.scripts > 0;
  if (isBuilt && (length < HARDLY_ANY_TEXT / 2 || WANTS_SCRIPTS.test(text))) {
    return new NotebookError(
      'unsupported',
      t(
        '{0} builds this page with scripts, which Open Notebook doesn’t run. Save the page from your browser and add the file instead.',
        host,
      ),
    );
  }
  return undefined;
}

/** Returns the address that a page without content redirects to. */
function leadsTo(root: PageElement, url: string): string | undefined {
  for (const { attributes } of elementsIn(root, 'META')) {
    if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') continue;
    const target = /url\s*=\s*["']?([^"'\s]+)/i.exec(attributes.get('content') ?? '')?.[1];
    const address = target === undefined ? null : URL.parse(target, url);
    if (address && /^https?:$/.test(address.protocol) && address.href !== url) return address.href;
  }
  return undefined;
}
