import type { Bibliography } from '../../core/domain/bibliography.ts';
import type { Heading } from '../../core/domain/document.ts';
import type { NotebookError } from '../../core/domain/errors.ts';
import type { JudgedPage } from '../../core/domain/page-report.ts';
import { bibliographyOfPage } from '../bibliography/page-bibliography.ts';
import { headingsOfMarkdown } from '../markdown.ts';
import { explainEmptyPage } from './empty-page.ts';
import { judgeBlocks, keepMainContent } from './main-content.ts';
import { readMetadata, type PageMetadata } from './metadata.ts';
import type { PageFacts } from './page-facts.ts';
import { elementsIn } from './page-tree.ts';
import { parsePage, type ParsedPage } from './parse-page.ts';
import { simplifyTree } from './simplify-tree.ts';
import { toMarkdown } from './to-markdown.ts';

/** Main content of a page as Markdown. */
export interface ExtractedPage {
  readonly title: string | undefined;
  readonly markdown: string;
  readonly headings: readonly Heading[];
  readonly metadata: PageMetadata;
  readonly bibliography: Bibliography;
  /** Reason for a page without content: a sign-in, scripts, or a check for robots. */
  readonly emptyPage: NotebookError | undefined;
}

/**
 * Extracts the main content from a page's HTML. `url` is the page's address, which makes links absolute.
 * @throws NotebookError `too-large` for a page of more than half a million elements.
 */
export function extractPage(html: string, url: string): ExtractedPage {
  const page = parsePage(html);
  const metadata = readMetadata(page, url);
  const { title } = metadata;
  const bibliography = bibliographyOfPage(page, metadata);
  simplifyTree(page.body);
  keepMainContent(page.body, pageFacts(page, metadata, url));
  const href = elementsIn(page.root, 'BASE')[0]?.getAttribute('href');
  const markdown = toMarkdown(page.body, (href ? URL.parse(href, url)?.href : undefined) ?? url);
  const headings = headingsOfMarkdown(markdown);
  const emptyPage = explainEmptyPage(page, title ?? '', markdown, url);
  return { title: title ?? headings[0]?.title, markdown, headings, metadata, bibliography, emptyPage };
}

/** Explains for each block of a page why it counts as content or not. @throws NotebookError as `extractPage` */
export function explainPage(html: string, url: string): JudgedPage {
  const page = parsePage(html);
  const metadata = readMetadata(page, url);
  simplifyTree(page.body);
  return judgeBlocks(page.body, pageFacts(page, metadata, url));
}

function pageFacts(page: ParsedPage, { byline, openGraphType, title }: PageMetadata, url: string): PageFacts {
  return {
    // A file saved from the web can name its own address.
    url: /^https?:/.test(url) ? url : (byline.canonicalUrl ?? url),
    title: title ?? '',
    openGraphType,
    linkedData: page.linkedData,
  };
}
