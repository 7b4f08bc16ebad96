import { elementsIn, type PageElement, type PageNode } from './page-tree.ts';

const LINES = new Set(['DIV', 'P', 'LI', 'TR']);
const CELLS = new Set(['TD', 'TH']);

/**
 * Returns the text of code as displayed: with line breaks, with blocks as separate lines, and with numbers of
 * different cells apart.
 */
export function textOfCode(node: PageNode): string {
  if (node.nodeType === 3) return node.data;
  let text = '';
  for (const child of node.childNodes) {
    if (child.nodeName === 'BR') text += '\n';
    else if (LINES.has(child.nodeName)) {
      const line = textOfCode(child);
      text += (text === '' || text.endsWith('\n') ? '' : '\n') + line + (line.endsWith('\n') ? '' : '\n');
    } else {
      const part = textOfCode(child);
      const isApart = CELLS.has(child.nodeName) && /\d$/.test(text) && /^\d/.test(part);
      text += isApart ? ` ${part}` : part;
    }
  }
  return text;
}

const NOT_LANGUAGES = new Set([
  'plaintext',
  'plain',
  'text',
  'none',
  'nohighlight',
  'default',
  'highlight',
  'code',
]);

const LANGUAGE_CLASS =
  /(?:(?:^|\s)(?:language|lang|highlight-source|highlight)[-:]|brush:\s?|(?:^|\s)(?:sourceCode|hljs)\s)([\w+#-]+)/g;

/** Returns the language of code from the page, or ''. */
export function languageOfCode(pre: PageElement): string {
  const around = [pre.parentNode, pre.parentNode?.parentNode];
  const candidates = [elementsIn(pre, 'CODE')[0], pre, ...around];
  for (const element of candidates) {
    if (!element) continue;
    const named = element.getAttribute('data-lang') ?? element.getAttribute('data-language');
    const classes = element.getAttribute('class') ?? '';
    const classed = [...classes.matchAll(LANGUAGE_CLASS)].map(([, name]) => name)[0];
    const language = (named ?? classed)?.toLowerCase();
    if (language === undefined || !/^[\w+#-]+$/.test(language) || language.length > 30) continue;
    return NOT_LANGUAGES.has(language) ? '' : language;
  }
  return '';
}

const LINE_NUMBER =
  /(?:^|[\s_-])(?:ln|lnt|lntable-?nums?|linenos?|line-?nos?|line-?num(?:ber)?s?|linenumbers?|linenodiv|hljs-ln-(?:n|numbers)|gutter|gl|crayon-nums?|blob-num|lines-num|nr|lntd)(?=$|[\s_-])/i;

/** Reports whether an element holds only the numbers of code lines, by its name, its link, or its style. */
export function isLineNumber(element: PageElement, isInCode: boolean): boolean {
  const { attributes, nodeName } = element;
  const name = (attributes.get('class') ?? '').replace(/([a-z])([A-Z])/g, '$1-$2');
  const isNamed = name !== '' && (isInCode || nodeName !== 'SPAN') && LINE_NUMBER.test(name);
  const isLink = isInCode && nodeName === 'A' && /#[\w-]*\d$/.test(attributes.get('href') ?? '');
  const isUnselectable = isInCode && /user-select\s{0,9}:\s{0,9}none/i.test(attributes.get('style') ?? '');
  if (!isNamed && !isLink && !isUnselectable) return false;
  const text = element.textContent;
  return /\d/.test(text) && !/[^\s\d|:]/.test(text);
}

/** Reports whether a block of code holds only ascending line numbers of the code beside it. */
export function isNumberColumn(pre: PageElement): boolean {
  const lines = textOfCode(pre).trim().split(/\s+/);
  const cell = pre.parentNode;
  return (
    lines.length > 1 &&
    lines.every((line, i) => /^\d{1,6}$/.test(line) && Number(line) === Number(lines[0]) + i) &&
    cell !== null &&
    [cell.nextSibling, cell.nextSibling?.nextSibling].some(
      (next) => next?.nodeType === 1 && elementsIn(next, 'PRE', 'CODE').length > 0,
    )
  );
}
