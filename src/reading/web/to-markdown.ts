// @ts-expect-error The package comes without types.
import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';
import type { DomElement, DomNode } from './dom.ts';
import { elementNode, forLibrary } from './dom.ts';

const unwanted =
  'script,style,noscript,template,iframe,object,embed,svg,canvas,video,audio,button,select,textarea,form input:not([type=checkbox]),link,meta,head';

/**
 * HTML as Markdown in GitHub's flavour: tables, fenced code with its language, links made absolute against `url`,
 * images as the words that describe them. Changes `root`.
 */
export function toMarkdown(root: DomElement, url: string): string {
  for (const element of root.querySelectorAll(unwanted)) element.remove();
  for (const part of root.querySelectorAll('td,th,tr,thead,tbody,tfoot,caption')) unwrapWithoutTable(part);
  for (const table of root.querySelectorAll('table')) flattenCells(table);
  return service(url)
    .turndown(forLibrary(root))
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function service(url: string): TurndownService {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '_',
    hr: '---',
  });
  turndown.use(gfm as TurndownService.Plugin);
  turndown.escape = escape;
  const rule = (
    name: string,
    tag: string,
    replace: (content: string, element: DomElement) => string,
  ): void => {
    turndown.addRule(name, {
      filter: (node: unknown) => (node as DomNode).nodeName === tag,
      replacement: (content, node: unknown) => replace(content, node as DomElement),
    });
  };
  rule('link', 'A', (content, element) => linkOf(content, element, url));
  rule('image', 'IMG', (_, element) => (element.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim());
  rule('code', 'PRE', (_, element) => fencedCode(element));
  return turndown;
}

/** Only what would otherwise be taken for markup; a word like `snake_case` stays what it is. */
function escape(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/[*`]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/\](?=\()/g, '\\]')
    .replace(/^(\s*)(#{1,6}\s|>|[-+](?=\s)|={2,}\s*$|~{3,})/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)]\s)/, '$1\\$2');
}

function linkOf(content: string, element: DomElement, url: string): string {
  const words = content.trim();
  const address = absolute(element.getAttribute('href'), url);
  if (words === '' || address === undefined) return content;
  const [before = '', after = ''] = [/^\s*/.exec(content)?.[0], /\s*$/.exec(content)?.[0]];
  // A link around blocks, as of a card, would not be a link in Markdown.
  if (words.includes('\n\n')) return content;
  return `${before && ' '}[${words.replace(/\s*\n\s*/g, ' ')}](${address})${after && ' '}`;
}

function absolute(href: string | null, base: string): string | undefined {
  if (href === null || href.trim() === '') return undefined;
  const address = URL.parse(href.trim(), base);
  if (!address || !/^(?:https?|mailto):$/.test(address.protocol)) return undefined;
  return address.href.replace(/[()\s]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function fencedCode(pre: DomElement): string {
  const code = textOfCode(pre).replace(/^\n+|\s+$/g, '');
  if (code === '') return '';
  const longest = Math.max(2, ...[...code.matchAll(/^`{3,}/gm)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${languageOfCode(pre)}\n${code}\n${fence}\n\n`;
}

/** The text of code as it is laid out: line breaks count, and so do lines that are blocks of their own. */
function textOfCode(node: DomNode): string {
  let text = '';
  for (const child of node.childNodes) {
    if (child.nodeType !== elementNode) text += child.textContent;
    else if (child.nodeName === 'BR') text += '\n';
    else if (child.nodeName === 'DIV' || child.nodeName === 'P') {
      const block = textOfCode(child);
      text += (text === '' || text.endsWith('\n') ? '' : '\n') + block + (block.endsWith('\n') ? '' : '\n');
    } else text += textOfCode(child);
  }
  return text;
}

function languageOfCode(pre: DomElement): string {
  const candidates: (DomElement | null)[] = [pre.querySelector('code'), pre, pre.parentNode];
  for (const element of candidates) {
    const named = element?.getAttribute('data-lang') ?? element?.getAttribute('data-language');
    const classed = /(?:^|[\s-])(?:language|lang|highlight-source|highlight|brush:)[-: ]([\w+#-]+)/.exec(
      element?.getAttribute('class') ?? '',
    )?.[1];
    const language = named ?? classed;
    if (language !== undefined && /^[\w+#-]+$/.test(language)) return language.toLowerCase();
  }
  return '';
}

/** Parts of a table that stand outside of one, as broken pages have them, are mere blocks. */
function unwrapWithoutTable(part: DomElement): void {
  if (part.closest('table')) return;
  const block = part.ownerDocument.createElement('div');
  block.append(...part.childNodes);
  part.replaceWith(block);
}

/** Markdown's table cells hold one line each, so lists, headings and code blocks in them become plain runs of words. */
function flattenCells(table: DomElement): void {
  if (table.querySelector('table')) return;
  for (const lineBreak of table.querySelectorAll('br')) lineBreak.replaceWith(' ');
  for (const cell of table.querySelectorAll('td,th')) {
    if (!cell.querySelector('ul,ol,h1,h2,h3,h4,h5,h6,hr,blockquote,pre')) continue;
    for (const block of cell.querySelectorAll('li,h1,h2,h3,h4,h5,h6,p,pre,div')) block.append(' ');
    cell.textContent = cell.textContent.replace(/\s+/g, ' ').trim();
  }
}
