import { fenceText } from '../../core/language/markdown-lines.ts';
import { escapeInline, escapeMarkdown } from '../markdown-writer.ts';
import TurndownService from 'turndown';
import { isLineNumber, isNumberColumn, languageOfCode, textOfCode } from './code-blocks.ts';
import { settleInlineMarks } from './inline-marks.ts';
import {
  closest,
  walkDescendants,
  elementsIn,
  forLibrary,
  type PageElement,
  type PageNode,
} from './page-tree.ts';
import { readCell, settleTables, readTable, type DataTables } from './tables.ts';

const UNWANTED = new Set('IFRAME OBJECT EMBED CANVAS TEXTAREA LINK META HEAD'.split(' '));

/**
 * Returns a part of a page as GitHub-flavored Markdown: tables, fenced code with its language, definition lists as bold
 * terms with their definitions below, formulas as TeX between dollars, links made absolute with `url`, and images as
 * their descriptions. Changes `root`.
 */
export function toMarkdown(root: PageElement, url: string): string {
  const laidOut = new Set<PageNode>();
  for (const pre of elementsIn(root, 'PRE'))
    if (!laidOut.has(pre)) for (const node of walkDescendants(pre)) laidOut.add(node);
  for (const node of walkDescendants(root)) {
    if (node.nodeType === 3) {
      if (!laidOut.has(node)) node.data = node.data.replace(/\s+/g, ' ');
    } else if (isUnwanted(node, laidOut.has(node))) node.parentNode?.removeChild(node);
  }
  settleInlineMarks(root);
  const markdown = service(url, settleTables(root)).turndown(forLibrary(root));
  const lines = markdown.split('\n').map((line) => line.trimEnd());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function isUnwanted(element: PageElement, isInCode: boolean): boolean {
  const { nodeName, attributes } = element;
  if (UNWANTED.has(nodeName) || isLineNumber(element, isInCode)) return true;
  return nodeName === 'INPUT'
    ? attributes.get('type') !== 'checkbox'
    : nodeName === 'PRE' && isNumberColumn(element);
}

function service(url: string, tables: DataTables): TurndownService {
  const cells = new Map<PageElement, string>();
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '_',
    hr: '---',
  });
  turndown.escape = escape;
  const rule = (
    name: string,
    tags: readonly string[],
    replace: (content: string, element: PageElement) => string,
  ): void => {
    turndown.addRule(name, {
      filter: (node: unknown) => tags.includes((node as PageElement).nodeName),
      replacement: (content, node: unknown) => replace(content, node as PageElement),
    });
  };
  const around = new Map<PageElement, string>();
  const described = new Set<string>();
  rule('link', ['A'], (content, element) => makeLink(content, element, url));
  rule('image', ['IMG'], (_, element) => {
    const words = wordsOfImage(element, around);
    // Pages repeat a picture with its description.
    if (described.has(words)) return '';
    if (words.length >= MIN_REPEATED_LENGTH) described.add(words);
    return words;
  });
  rule('code', ['PRE'], (_, element) => fencedCode(element));
  rule('heading', ['H1', 'H2', 'H3', 'H4', 'H5', 'H6'], makeHeading);
  rule('table', ['TABLE'], (content, table) => {
    const columns = tables.get(table);
    return columns === undefined ? `\n\n${content}\n\n` : readTable(table, cells, columns);
  });
  rule('row', ['TR', 'THEAD', 'TBODY', 'TFOOT'], (content) => `\n\n${content}\n\n`);
  rule('cell', ['TD', 'TH', 'CAPTION'], (content, cell) => {
    const table = closest(cell, 'TABLE');
    if (table === undefined || !tables.has(table)) return `\n\n${content}\n\n`;
    cells.set(cell, readCell(content));
    return '';
  });
  const numbers = new Map<PageElement, number>();
  rule('item', ['LI'], (content, element) => makeItem(content, element, numbers));
  rule('quote', ['BLOCKQUOTE'], makeQuote);
  rule('option', ['OPTION'], (content) => (content.trim() === '' ? '' : `\n- ${oneLine(content)}\n`));
  rule('options', ['SELECT', 'DATALIST'], (content) => `\n\n${content.trim()}\n\n`);
  rule('term', ['DT'], (content) =>
    content.trim() === '' ? '' : `\n\n**${oneLine(content).replace(/^\*\*|\*\*$/g, '')}**\n\n`,
  );
  rule('definition', ['DD'], (content) => (content.trim() === '' ? '' : `\n\n${content.trim()}\n\n`));
  rule('formula', ['X-TEX'], (_, element) => makeFormula(element));
  rule('struck', ['DEL', 'S', 'STRIKE'], makeStruck);
  rule('check', ['INPUT'], (_, element) =>
    element.parentNode?.nodeName === 'LI' ? (element.attributes.has('checked') ? '[x] ' : '[ ] ') : '',
  );
  return turndown;
}

/**
 * Escapes only characters that Markdown would read as markup; a word like `snake_case` stays as it is. A text can be a
 * part of its line: a number alone continues in the next text ("<b>1.</b> Rain"), and a bar after a blank can separate
 * two texts.
 */
function escape(text: string): string {
  return /^\s*(?:#{1,6}|\d{1,9}[.)])$|^\s+\|/.test(text) ? escapeInline(text) : escapeMarkdown(text);
}

/** Joins the lines of a text. Every pattern here runs in time proportional to the text, whatever a page contains. */
function oneLine(content: string): string {
  return content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/**
 * Maximum nesting depth of quotes and lists. Deeper ones become siblings, because every level adds to each line inside.
 */
const MAX_DEPTH = 12;

function countLevels(element: PageElement): number {
  let level = 0;
  for (let at = element.parentNode; at; at = at.parentNode)
    if (at.nodeName === 'BLOCKQUOTE' || at.nodeName === 'LI') level++;
  return level;
}

function makeQuote(content: string, quote: PageElement): string {
  const words = content.trim();
  if (words === '') return '';
  return `\n\n${countLevels(quote) < MAX_DEPTH ? words.replace(/^/gm, '> ') : words}\n\n`;
}

/** Returns an item of a list, with the next number in a numbered list. */
function makeItem(content: string, item: PageElement, numbers: Map<PageElement, number>): string {
  const list = item.parentNode;
  let sign = '- ';
  if (list?.nodeName === 'OL') {
    const startValue = item.getAttribute('value') ?? (numbers.has(list) ? null : list.getAttribute('start'));
    const startNumber = startValue === null ? NaN : Number.parseInt(startValue, 10);
    const number = startNumber >= 0 && startNumber < 1e9 ? startNumber : (numbers.get(list) ?? 0) + 1;
    numbers.set(list, number);
    sign = `${String(number)}. `;
  }
  const words = content.trim().replace(/^(\[[ x]\])\s+/, '$1 ');
  if (words === '') return '';
  const indent = countLevels(item) < MAX_DEPTH ? ' '.repeat(sign.length) : '';
  const isLoose = content.endsWith('\n') && words.includes('\n\n');
  const end = item.nextSibling ? (isLoose ? '\n\n' : '\n') : '';
  return `${sign}${words.replace(/\n(?=[^\n])/g, `\n${indent}`)}${end}`;
}

const MAX_HEADING_LENGTH = 1000;
const PERMALINK = /(?<!\s)\s*(?:\[\s*(?:(?:[¶#§🔗\u200b]|\\#)\s*)?\]\([^)]*\)|[¶🔗])\s*$/u;

/** Returns a heading in one line, without its link sign. */
function makeHeading(content: string, { nodeName }: PageElement): string {
  const line = oneLine(content);
  const words = line.length > MAX_HEADING_LENGTH ? line : line.replace(PERMALINK, '').trim();
  return words === '' ? '' : `\n\n${'#'.repeat(Number(nodeName.charAt(1)))} ${words}\n\n`;
}

function makeLink(content: string, element: PageElement, url: string): string {
  const words = content.trim();
  const address = absolute(element.getAttribute('href'), url);
  if (words === '' || address === undefined) return content;
  // A link around blocks, such as a card, isn't a valid link in Markdown.
  if (words.includes('\n\n')) return content;
  const [before, after] = [/^\s/.test(content) ? ' ' : '', /\s$/.test(content) ? ' ' : ''];
  return `${before}[${oneLine(words)}](${address})${after}`;
}

function absolute(href: string | null, base: string): string | undefined {
  if (href === null || href.trim() === '') return undefined;
  const address = URL.parse(href.trim(), base);
  if (!address || !/^(?:https?|mailto):$/.test(address.protocol)) return undefined;
  return address.href.replace(/[()\s]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Minimum length of a description that is written once only. Shorter ones can be signs, such as stars. */
const MIN_REPEATED_LENGTH = 20;

/** Returns the description of an image, unless the text around it says the same. */
function wordsOfImage(image: PageElement, around: Map<PageElement, string>): string {
  const words = (image.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim();
  if (words === '' || /^\S+\.(?:png|jpe?g|gif|webp|svg)$/i.test(words)) return '';
  const place = image.parentNode?.parentNode ?? image.parentNode;
  if (!place) return escape(words);
  const known = around.get(place) ?? place.textContent.slice(0, 5000).replace(/\s+/g, ' ').toLowerCase();
  around.set(place, known);
  return known.includes(words.toLowerCase()) ? '' : escape(words);
}

/** Marks a text as struck through. Blanks stay outside the marks, where Markdown needs them. */
function makeStruck(content: string): string {
  const words = content.trim();
  if (words === '' || words.includes('\n\n')) return content;
  return `${/^\s/.test(content) ? ' ' : ''}~~${words}~~${/\s$/.test(content) ? ' ' : ''}`;
}

function makeFormula(element: PageElement): string {
  const tex = element.textContent.trim();
  if (tex === '') return '';
  return element.getAttribute('display') === 'block' ? `\n\n$$\n${tex}\n$$\n\n` : `$${tex}$`;
}

function fencedCode(pre: PageElement): string {
  const code = textOfCode(pre)
    .replace(/^\n+/, '')
    .trimEnd()
    .replace(/\s{200,}/g, (gap) => gap.slice(0, 200));
  if (code === '') return '';
  return `\n\n${fenceText(code, languageOfCode(pre))}\n\n`;
}
