import { elementsIn, type PageElement, type PageNode } from './page-tree.ts';

const LINES = new Set(['DIV', 'P', 'LI', 'TR']);

/** Returns the text of code as displayed: with line breaks, and with blocks as separate lines. */
export function textOfCode(node: PageNode): string {
  if (node.nodeType === 3) return node.data;
  let text = '';
  for (const child of node.childNodes) {
    if (child.nodeName === 'BR') text += '\n';
    else if (LINES.has(child.nodeName)) {
      const line = textOfCode(child);
      text += (text === '' || text.endsWith('\n') ? '' : '\n') + line + (line.endsWith('\n') ? '' : '\n');
    } else text += textOfCode(child);
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
