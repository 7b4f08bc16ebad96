import Defuddle from 'defuddle';
import type { DomDocument, DomElement } from './dom.ts';
import { forLibrary, parseDocument } from './dom.ts';

/** What a page is about, without what surrounds it. */
export interface MainContent {
  readonly title: string | undefined;
  readonly element: DomElement;
}

const surroundings =
  'nav,footer,aside,script,style,template,dialog,[role=navigation],[role=contentinfo],[role=search],[hidden]';

/**
 * The main content of a page: what Defuddle finds, which reads most pages best; or, where that is little of what the
 * main element holds (as of listings and landing pages), the main element without what surrounds the content.
 */
export function mainContentOf(html: string, url: string): MainContent {
  const defuddled = byDefuddle(html, url);
  const main = byMainElement(html, url);
  return defuddled && lengthOf(defuddled.element) >= 0.4 * lengthOf(main.element)
    ? defuddled
    : { title: defuddled?.title ?? main.title, element: main.element };
}

function byDefuddle(html: string, url: string): MainContent | undefined {
  try {
    const { content, title } = new Defuddle(forLibrary(parseDocument(html, url)), {
      url,
      useAsync: false,
    }).parse();
    return {
      title: title || undefined,
      element: parseDocument(`<html><body>${content}</body></html>`, url).body,
    };
  } catch {
    // Its rules may fail on odd pages; the main element is always there to fall back on.
    return undefined;
  }
}

function byMainElement(html: string, url: string): MainContent {
  const document = parseDocument(html, url);
  for (const element of document.querySelectorAll(surroundings)) element.remove();
  settleNoscript(document);
  const candidates = [...document.querySelectorAll('main,[role=main],article')];
  const longest = candidates.sort((a, b) => lengthOf(b) - lengthOf(a))[0];
  // One of many small articles, as on a page of cards, is not the page.
  const element = longest && lengthOf(longest) > 0.3 * lengthOf(document.body) ? longest : document.body;
  return { title: titleOf(document), element };
}

/** Forums and other applications write their content for readers without scripts, as this one, into `noscript`. */
function settleNoscript(document: DomDocument): void {
  const alternatives = [...document.querySelectorAll('noscript')];
  const length = alternatives.reduce((sum, element) => sum + lengthOf(element), 0);
  const isContent = length > 0.5 * lengthOf(document.body);
  for (const element of alternatives) element.replaceWith(...(isContent ? element.childNodes : []));
}

function titleOf(document: DomDocument): string | undefined {
  const title = document.title.trim() || document.querySelector('h1')?.textContent.trim();
  return title === '' ? undefined : title;
}

function lengthOf(element: DomElement): number {
  return element.textContent.replace(/\s+/g, ' ').trim().length;
}
