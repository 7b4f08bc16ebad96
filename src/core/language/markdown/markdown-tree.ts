import type { Element, ElementContent, Root } from 'hast';
import { sanitize, type Schema } from 'hast-util-sanitize';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast, type Handlers } from 'mdast-util-to-hast';
import type { Html, Image, ImageReference, Parents } from 'mdast';
import { gfm } from 'micromark-extension-gfm';
import { t } from '@vscode/l10n';
import { asWritten, isBeyondDrawing, moveBy, STEPS_OF_TEXT, stepsLeft } from './markdown-bounds.ts';
import { cutMarkdown } from './pieces.ts';
import type { FormulaOptions } from './formula-scan.ts';
import { formulaFromMarkdown, formulaSyntax, type FormulaNode } from './formula-syntax.ts';

const ALLOWED: Schema = {
  tagNames: [
    ...[
      'a',
      'blockquote',
      'br',
      'code',
      'del',
      'em',
      'formula',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'input',
      'li',
      'ol',
    ],
    ...['p', 'pre', 'section', 'span', 'strong', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  attributes: {
    a: ['href', 'ariaLabel', 'dataFootnoteRef', 'dataFootnoteBackref'],
    code: [['className', /^language-./]],
    formula: ['tex', 'isDisplayed', 'isClosed'],
    input: [
      ['type', 'checkbox'],
      ['disabled', true],
      ['checked', true],
    ],
    li: ['id', ['className', 'task-list-item']],
    ol: ['start'],
    section: ['dataFootnotes'],
    span: [['className', 'image-alternative']],
    sup: ['id'],
    td: ['align'],
    th: ['align'],
    ul: [['className', 'contains-task-list']],
  },
  protocols: { href: ['http', 'https', 'mailto'] },
  required: { input: { type: 'checkbox', disabled: true } },
};

const handlers: Handlers = {
  formula: (_state, node: FormulaNode) => formulaElement(node),
  image: (_state, node: Image) => alternative(node),
  imageReference: (_state, node: ImageReference) => alternative(node),
  html: (_state, node: Html, parent: Parents | undefined) => htmlAsText(node, parent),
};

/**
 * Converts Markdown, with GitHub's extensions and formulas, to a tree that is safe to show: nothing in it loads or
 * runs. Images become their descriptions, HTML becomes text, and only web and mail links remain. Nodes have their
 * `position` in the source, in UTF-16 code units. Text that takes too long to parse is shown as written.
 * @param formulas how to read formulas; by default, as in a source
 */
export function markdownToHast(
  markdown: string,
  formulas: FormulaOptions = { isGrowing: false, isEscaped: true },
): Root {
  const tree = stepsLeft(markdown) === undefined ? undefined : treeToDraw(markdown, formulas);
  return tree ?? treeOfPieces(markdown, formulas);
}

/**
 * Parses the text in parts, so that only slow parts stay plain text. After the time limit, the rest also stays plain.
 */
function treeOfPieces(markdown: string, formulas: FormulaOptions): Root {
  const children: Root['children'] = [];
  let steps: number | undefined;
  const add = (tree: Root, start: number): void => {
    moveBy(tree, start);
    children.push(...tree.children);
  };
  for (const { start, end } of cutMarkdown(markdown, 1, (line) => /^\S/.test(line))) {
    if (steps !== undefined && steps < 2 * STEPS_OF_TEXT) {
      add(asWritten(markdown.slice(start)), start);
      break;
    }
    const piece = markdown.slice(start, end);
    const isGrowing = formulas.isGrowing && end === markdown.length;
    const remainingSteps = stepsLeft(piece, steps);
    const drawn = remainingSteps === undefined ? undefined : treeToDraw(piece, { ...formulas, isGrowing });
    steps = remainingSteps ?? steps;
    add(drawn ?? asWritten(piece), start);
  }
  return { type: 'root', children };
}

/** Parses a text; shows it as written if its tree is too deep. */
function treeToDraw(markdown: string, formulas: FormulaOptions): Root | undefined {
  try {
    const tree = safeTree(markdown, formulas);
    return isBeyondDrawing(tree) ? undefined : tree;
  } catch (error) {
    // Deeply nested blocks would overflow the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function safeTree(markdown: string, formulas: FormulaOptions): Root {
  const tree = fromMarkdown(markdown, {
    extensions: [gfm(), formulaSyntax(markdown, formulas)],
    mdastExtensions: [gfmFromMarkdown(), formulaFromMarkdown],
  });
  const safe = sanitize(toHast(tree, { handlers, footnoteLabelTagName: 'p' }), ALLOWED);
  const root: Root = safe.type === 'root' ? safe : { type: 'root', children: [safe] };
  unlinkUnsafe(root);
  return root;
}

function alternative(node: Image | ImageReference): Element {
  const words = node.alt ?? '';
  return {
    type: 'element',
    tagName: 'span',
    properties: { className: ['image-alternative'] },
    children: [{ type: 'text', value: words === '' ? t('Image') : words }],
    ...(node.position && { position: node.position }),
  };
}

/** Returns the element for a formula. Its text is the formula as written, and the page draws it. */
function formulaElement({ tex, written, isDisplayed, isClosed, position }: FormulaNode): Element {
  return {
    type: 'element',
    tagName: 'formula',
    properties: { tex, isDisplayed, isClosed },
    children: [{ type: 'text', value: written }],
    ...(position && { position }),
  };
}

const FLOW = new Set<string | undefined>(['blockquote', 'footnoteDefinition', 'listItem', 'root']);

/** Shows HTML as text. Nothing is lost, and only line breaks take effect. */
function htmlAsText(node: Html, parent: Parents | undefined): ElementContent | undefined {
  if (node.value.startsWith('<!--')) return undefined;
  if (/^<br\s*\/?>$/i.test(node.value))
    return { type: 'element', tagName: 'br', properties: {}, children: [] };
  const position = node.position && { position: node.position };
  const text: ElementContent = { type: 'text', value: node.value, ...position };
  if (!FLOW.has(parent?.type)) return text;
  return { type: 'element', tagName: 'p', properties: {}, children: [text], ...position };
}

/** Replaces links that don't work here, such as relative ones, with their text. */
function unlinkUnsafe(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    const { href } = child.properties;
    if (child.tagName === 'a' && !(typeof href === 'string' && /^(https?:\/\/|mailto:|#)/i.test(href))) {
      child.tagName = 'span';
      child.properties = {};
    }
    unlinkUnsafe(child);
  }
}
