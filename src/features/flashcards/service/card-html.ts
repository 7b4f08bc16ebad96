import type { Element, Root, RootContent } from 'hast';
import { markdownToHast } from '../../../core/language/markdown/markdown-tree.ts';
import { markedGaps, GAP_END, GAP_START } from '../../../core/language/cloze.ts';
import { escapeHtml } from '../../export/service/html.ts';

/** One line of text without any marks. Most cards match, and are written many times faster this way. */
const PLAIN = /^(?![-\d ]|.*www\.)[\p{L}\p{N} ,.;?!'"()%–—’“”-]*$/u;

/**
 * Converts Markdown to an Anki field. Formulas use MathJax delimiters, and cloze gaps become `{{c1::words}}`. The field
 * can't load or run anything, and literal text never becomes a gap or a formula.
 */
export function cardHtml(markdown: string, isCloze: boolean): string {
  if (PLAIN.test(markdown)) return escapeHtml(markdown.trim());
  const text = isCloze ? markedGaps(markdown) : markdown;
  const tree: Root = markdownToHast(text, { isGrowing: false, isEscaped: false });
  const html = tree.children.map((child) => writeNode(child, false)).join('');
  const inner = /^<p>((?:(?!<p>|<\/p>)[^])*)<\/p>\s*$/.exec(html)?.[1] ?? html;
  return isCloze ? withGapsOfAnki(inner) : inner;
}

const VOIDS = new Set(['br', 'hr', 'input']);
const ALLOWED_ATTRIBUTES = new Set(['align', 'href', 'start', 'type', 'checked', 'disabled']);

function writeNode(content: RootContent, isCode: boolean): string {
  if (content.type === 'text') return writeText(content.value, isCode);
  if (content.type !== 'element') return '';
  const { tagName, properties, children } = content;
  if (tagName === 'formula') return formula(content);
  const start = `<${tagName}${attributes(properties)}>`;
  if (VOIDS.has(tagName)) return start;
  const isWithinCode = isCode || tagName === 'code' || tagName === 'pre';
  return `${start}${children.map((child) => writeNode(child, isWithinCode)).join('')}</${tagName}>`;
}

function attributes(properties: Element['properties']): string {
  return Object.entries(properties)
    .map(([name, value]) =>
      !ALLOWED_ATTRIBUTES.has(name) || value === false || value === null || value === undefined
        ? ''
        : ` ${name}="${escapeHtml(value === true ? '' : String(value))}"`,
    )
    .join('');
}

/** Escapes text. Outside code, MathJax would read some backslashes as the start or end of a formula. */
function writeText(text: string, isCode: boolean): string {
  return escapeHtml(isCode ? text : text.replaceAll(/\\(?=[()[\]])/g, '\\\u2060'));
}

function formula({ properties }: Element): string {
  const tex = escapeHtml(String(properties['tex'] ?? ''));
  return properties['isDisplayed'] === true ? String.raw`\[${tex}\]` : String.raw`\(${tex}\)`;
}

/** Writes Anki's gaps. Escapes text that would start or end one with character references. */
function withGapsOfAnki(html: string): string {
  let isGap = false;
  return html.replaceAll(/\{\{|\}\}|::|[\uE000\uE001]/g, (mark) => {
    switch (mark) {
      case GAP_START:
        isGap = true;
        return '{{c1::';
      case GAP_END:
        isGap = false;
        return '}}';
      case '::':
        return isGap ? ':&#58;' : mark;
      default:
        return `${mark.charAt(0)}&#${String(mark.charCodeAt(1))};`;
    }
  });
}
