import type { Element, RootContent } from 'hast';
import { t } from '@vscode/l10n';
import katex from 'katex';
import type { Citation } from '../../../core/domain/answer.ts';
import type { ExportedFigure, ExportRequest } from './api.ts';
import { footnoteParts, noteTree, plainWords } from './note-tree.ts';

/** Longest formula that is drawn, in UTF-16 code units. Longer TeX stays as written, so that drawing is always fast. */
const MAX_FORMULA_LENGTH = 5_000;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --shade: light-dark(#f6f8fa, #1c2128); }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.25rem 4rem; font: 1rem/1.6 system-ui, sans-serif;
  color: light-dark(#1f2328, #e6edf3); background: light-dark(#fff, #0d1117); overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 0.6em; }
h1 { margin-top: 0; }
a { color: light-dark(#0550ae, #79c0ff); }
pre, code { font-family: ui-monospace, Consolas, Menlo, monospace; font-size: 0.9em; background: var(--shade); }
code { padding: 0.1em 0.3em; border-radius: 4px; }
pre { padding: 0.8em 1em; border-radius: 6px; overflow-x: auto; }
pre code { padding: 0; font-size: 1em; }
blockquote { margin: 1em 0; padding-inline-start: 1em; border-inline-start: 4px solid var(--line); }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 0.35em 0.7em; text-align: start; vertical-align: top; }
th { background: var(--shade); }
hr { border: 0; border-top: 1px solid var(--line); margin: 2em 0; }
math[display=block] { margin: 1em 0; overflow-x: auto; }
figure { margin: 1.2em 0; text-align: center; }
img { max-width: 100%; height: auto; background: #fff; }
figcaption, .footnotes { font-size: 0.9em; }
.footnotes { margin-top: 3em; border-top: 1px solid var(--line); }
sup { line-height: 0; }
li:has(> input) { list-style: none; }
:target { background: light-dark(#fff8c5, #3b2e00); }
@media print { body { max-width: none; padding: 0; } a { color: inherit; } }
`;

interface Writing {
  readonly figures: readonly ExportedFigure[];
  /** Number of marks so far for each citation. */
  readonly mentions: Map<number, number>;
  /** The note's own footnotes with at least one mark so far. */
  readonly marked: Set<string>;
}

/**
 * Converts a note to a single HTML file with its footnotes, for light and dark themes. It can't load or run anything.
 */
export function writeHtml(request: ExportRequest): Uint8Array {
  const { children, citations, figures } = noteTree(request);
  const writing: Writing = { figures, mentions: new Map(), marked: new Set() };
  const body = children.map((child) => writeNode(child, writing)).join('');
  const page = `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(request.title)}</title>
<style>${STYLE}</style>
</head>
<body dir="auto">
<main>
${body}${sources(citations, writing)}
</main>
</body>
</html>
`;
  return new TextEncoder().encode(page);
}

const VOIDS = new Set(['br', 'hr', 'input']);
const BLOCKS = new Set([
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'ol',
  'p',
  'pre',
  'section',
  'ul',
]);

function writeNode(content: RootContent, writing: Writing): string {
  if (content.type === 'text') return escapeHtml(content.value);
  if (content.type !== 'element') return '';
  const { tagName, properties } = content;
  switch (tagName) {
    case 'cite':
      return mark(Number(properties['number']), writing);
    case 'figure':
      return figure(writing.figures[Number(properties['index'])]);
    case 'formula':
      return formula(content);
  }
  const start = `<${tagName}${attributes(content)}${placeOfMark(content, writing)}>`;
  if (VOIDS.has(tagName)) return start;
  const inside = content.children.map((child) => writeNode(child, writing)).join('');
  const html = `${start}${inside}</${tagName}>`;
  if (tagName === 'table') return `<div class="table" tabindex="0">${html}</div>\n`;
  return BLOCKS.has(tagName) ? `${html}\n` : html;
}

/** HTML attribute names for the property names that a safe tree may have. */
const NAMES: Readonly<Record<string, string>> = {
  ariaLabel: 'aria-label',
  className: 'class',
  dataFootnoteBackref: 'data-footnote-backref',
  dataFootnoteRef: 'data-footnote-ref',
  dataFootnotes: 'data-footnotes',
};

function attributes({ properties }: Element): string {
  return Object.entries(properties)
    .map(([name, value]) => {
      if (value === false || value === null || value === undefined) return '';
      const text = Array.isArray(value) ? value.join(' ') : value === true ? '' : String(value);
      return ` ${NAMES[name] ?? name}="${escapeHtml(name === 'id' ? plainAnchor(text) : text)}"`;
    })
    .join('');
}

/** Removes a repeated prefix. */
function plainAnchor(id: string): string {
  return id.replace('user-content-user-content-', 'user-content-');
}

/** Returns the `id` attribute for the first mark of a footnote of the note, to which the footnote links back. */
function placeOfMark({ properties }: Element, { marked }: Writing): string {
  const { href } = properties;
  if (properties['dataFootnoteRef'] === undefined || typeof href !== 'string' || marked.has(href)) return '';
  marked.add(href);
  return ` id="${escapeHtml(href.replace('#user-content-fn-', 'user-content-fnref-'))}"`;
}

function mark(number: number, { mentions }: Writing): string {
  const mention = (mentions.get(number) ?? 0) + 1;
  mentions.set(number, mention);
  const shown = String(number);
  return `<sup id="mention-${shown}-${String(mention)}"><a href="#source-${shown}" role="doc-noteref">[${shown}]</a></sup>`;
}

function figure(drawn: ExportedFigure | undefined): string {
  if (drawn === undefined) return '';
  const { mediaType, bytes, width, height, caption } = drawn;
  const data = Buffer.from(bytes).toString('base64');
  const size = `width="${String(width)}" height="${String(height)}"`;
  return `<figure><img src="data:${mediaType};base64,${data}" ${size} alt="${escapeHtml(caption)}"><figcaption>${escapeHtml(caption)}</figcaption></figure>\n`;
}

function formula(element: Element): string {
  const tex = String(element.properties['tex'] ?? '');
  return (
    writeMath(tex, element.properties['isDisplayed'] === true) ??
    `<code>${escapeHtml(plainWords(element))}</code>`
  );
}

/** Converts a formula to MathML without links; undefined if it can't be drawn. */
export function writeMath(tex: string, isDisplayed: boolean): string | undefined {
  if (tex.length > MAX_FORMULA_LENGTH) return undefined;
  try {
    return katex.renderToString(tex, {
      displayMode: isDisplayed,
      output: 'mathml',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 500,
      maxSize: 20,
    });
  } catch {
    // A model can write an invalid formula.
    return undefined;
  }
}

/** Returns the footnotes, with links back to each mention. */
function sources(citations: readonly Citation[], { mentions }: Writing): string {
  if (citations.length === 0) return '';
  const items = citations.map((citation, index) => {
    const number = index + 1;
    const { where, address, quote } = footnoteParts(citation);
    const link =
      address === undefined
        ? ''
        : `, <a href="${escapeHtml(address)}" rel="noreferrer">${escapeHtml(address)}</a>`;
    const backs = Array.from({ length: mentions.get(number) ?? 0 }, (_, at) => {
      const label = escapeHtml(t('Back to mention {0} of source {1}', at + 1, number));
      const shown = at === 0 ? '↩' : `↩<sup>${String(at + 1)}</sup>`;
      return ` <a href="#mention-${String(number)}-${String(at + 1)}" role="doc-backlink" aria-label="${label}">${shown}</a>`;
    });
    return `<li id="source-${String(number)}">${escapeHtml(where)}${link}: “${escapeHtml(quote)}”${backs.join('')}</li>\n`;
  });
  return `<section class="footnotes" role="doc-endnotes">\n<h2>${escapeHtml(t('Sources'))}</h2>\n<ol>\n${items.join('')}</ol>\n</section>`;
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for HTML, without characters that aren't valid there. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r -\u{10FFFF}]|[\x7F-\x9F\uFFFE\uFFFF]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => REFERENCES[character] ?? character);
}
