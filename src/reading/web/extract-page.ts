import type { Bibliography } from '../../notebook/bibliography.ts';
import type { Heading } from '../../notebook/document.ts';
import type { NotebookError } from '../../notebook/errors.ts';
import { bibliographyOfPage } from '../bibliography/page-bibliography.ts';
import { headingsOfMarkdown } from '../markdown.ts';
import { findHindrance } from './hindrance.ts';
import { keepMainContent } from './main-content.ts';
import { readMetadata, type PageMetadata } from './metadata.ts';
import { parsePage } from './parse-page.ts';
import { elementsIn } from './page-tree.ts';
import { settle } from './settle.ts';
import { toMarkdown } from './to-markdown.ts';

/** The main content of a page as Markdown. */
export interface ExtractedPage {
  readonly title: string | undefined;
  readonly markdown: string;
  readonly headings: readonly Heading[];
  readonly metadata: PageMetadata;
  readonly bibliography: Bibliography;
  /** Why there is nothing to read where there is not: a sign-in, scripts, a check for robots. */
  readonly hindrance: NotebookError | undefined;
}

/**
 * Takes the main content out of a page's HTML; `url` is the page's address, against which links are made absolute.
 * @throws NotebookError `too-large` for a page of more than half a million elements.
 */
export function extractPage(html: string, url: string): ExtractedPage {
  const page = parsePage(html);
  const metadata = readMetadata(page, url);
  const { openGraphType, title } = metadata;
  const bibliography = bibliographyOfPage(page, metadata);
  settle(page.body);
  // A file that was saved from the web names its address itself.
  const address = /^https?:/.test(url) ? url : (metadata.byline.canonicalUrl ?? url);
  keepMainContent(page.body, {
    url: address,
    title: title ?? '',
    openGraphType,
    linkedData: page.linkedData,
  });
  const href = elementsIn(page.root, 'BASE')[0]?.getAttribute('href');
  const markdown = toMarkdown(page.body, (href ? URL.parse(href, url)?.href : undefined) ?? url);
  const headings = headingsOfMarkdown(markdown);
  const hindrance = findHindrance(page, title ?? '', markdown, url);
  return { title: title ?? headings[0]?.title, markdown, headings, metadata, bibliography, hindrance };
}
