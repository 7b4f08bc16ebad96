import { Readability } from '@mozilla/readability';
import Defuddle from 'defuddle';
import { parseHTML } from 'linkedom';
import { extractPage } from '../../src/parsers/web/extract-page.ts';
import { parsePage } from '../../src/parsers/web/parse-page.ts';
import type { PageElement } from '../../src/parsers/web/page-tree.ts';
import { textOfMarkdown } from './markdown-text.ts';

/** Way to extract the content of a page. `extract` is timed, and `text` converts its result to words. */
export interface Extractor {
  readonly name: string;
  readonly extract: (html: string, url: string) => { readonly title: string; readonly content: string };
  readonly text: (content: string) => string;
}

const blocks = new Set(
  'P DIV LI H1 H2 H3 H4 H5 H6 BR TR PRE BLOCKQUOTE SECTION ARTICLE UL OL TABLE TD TH DT DD FIGCAPTION'.split(
    ' ',
  ),
);

/** Returns the text of HTML with a break at the start and end of each block. */
function textOfHtml(html: string): string {
  const parts: string[] = [];
  const walk = (element: PageElement): void => {
    for (const node of element.childNodes) {
      if (node.nodeType === 3) parts.push(node.data);
      else if (node.nodeName !== 'NOSCRIPT') {
        const edge = blocks.has(node.nodeName) ? '\n' : '';
        parts.push(edge);
        walk(node);
        parts.push(edge);
      }
    }
  };
  walk(parsePage(html).body);
  return parts
    .join('')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n+/g, '\n')
    .trim();
}

const parseDom = (html: string): { readonly document: never; readonly title: string } => {
  const { document } = parseHTML(html);
  return { document: document as never, title: document.title };
};

const ours: Extractor = {
  name: 'Open Notebook',
  extract: (html, url) => {
    const { title, markdown } = extractPage(html, url);
    return { title: title ?? '', content: markdown };
  },
  text: textOfMarkdown,
};

const defuddle: Extractor = {
  name: 'Defuddle',
  extract: (html, url) => {
    const { document } = parseDom(html);
    Object.assign(document, { URL: url, styleSheets: [] });
    const { title, content } = new Defuddle(document, { url, useAsync: false }).parse();
    return { title, content };
  },
  text: textOfHtml,
};

const readability: Extractor = {
  name: 'Readability.js',
  extract: (html) => {
    const parsed = new Readability(parseDom(html).document).parse();
    return { title: parsed?.title ?? '', content: parsed?.content ?? '' };
  },
  text: textOfHtml,
};

const wholeBody: Extractor = {
  name: 'Whole body',
  extract: (html) => ({ title: '', content: html.replace(/^[^]*?<body[^>]*>/i, '') }),
  text: textOfHtml,
};

/** Extractors, starting with ours. */
export const extractors: readonly Extractor[] = [ours, defuddle, readability, wholeBody];
