import type { Heading } from '../../notebook/document.ts';
import { headingsOfMarkdown } from '../markdown.ts';
import { mainContentOf } from './main-content.ts';
import { toMarkdown } from './to-markdown.ts';

/** The main content of a page as Markdown. */
export interface ExtractedPage {
  readonly title: string | undefined;
  readonly markdown: string;
  readonly headings: readonly Heading[];
}

/** Takes the main content out of a page's HTML; `url` is the page's address, against which links are made absolute. */
export function extractPage(html: string, url: string): ExtractedPage {
  const { title, element } = mainContentOf(html, url);
  const markdown = toMarkdown(element, baseOf(html, url));
  const headings = headingsOfMarkdown(markdown);
  return { title: title?.replace(/\s+/g, ' ').trim() ?? headings[0]?.title, markdown, headings };
}

/** Where a page says that its links start from. */
function baseOf(html: string, url: string): string {
  const href = /<base\s[^>]*?href\s*=\s*["']?([^"'\s>]+)/i.exec(html.slice(0, 16 * 1024))?.[1];
  return (href === undefined ? undefined : URL.parse(href, url)?.href) ?? url;
}
