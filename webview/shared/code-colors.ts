import type { Element, ElementContent, Properties, Root, RootContent } from 'hast';
import { common, createLowlight } from 'lowlight';

const lowlight = createLowlight(common);

/** Languages whose names differ between the editor and the highlighter. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'objective-c': 'objectivec',
  'objective-cpp': 'objectivec',
  javascriptreact: 'javascript',
  jsonc: 'json',
  jsonl: 'json',
  shellscript: 'bash',
  typescriptreact: 'typescript',
  vb: 'vbnet',
};

/** Maximum length of highlighted code, so that showing it never blocks. */
const MAX_HIGHLIGHTED_LENGTH = 50_000;

/**
 * Converts code to a `pre` element with syntax highlighting. It names its language, and its only text, split into
 * colored spans, is exactly `code`.
 */
export function codeToHast(code: string, languageId: string | undefined): Root {
  const inner: Element = {
    type: 'element',
    tagName: 'code',
    properties: {},
    children: colour(code, languageId),
  };
  return {
    type: 'root',
    children: [
      { type: 'element', tagName: 'pre', properties: languageProperties(languageId), children: [inner] },
    ],
  };
}

/** Returns the tree with syntax highlighting in its code blocks, without changing the original. */
export function colorCodeBlocks(tree: Root): Root {
  return {
    ...tree,
    children: tree.children.map((child) => (child.type === 'element' ? colorWithin(child) : child)),
  };
}

function colorWithin(element: Element): Element {
  const [only] = element.children;
  if (element.tagName === 'pre' && only?.type === 'element' && only.tagName === 'code') {
    const [text] = only.children;
    if (text?.type !== 'text') return element;
    const language = readLanguage(only);
    const coloured = { ...only, children: colour(text.value, language) };
    return { ...element, properties: languageProperties(language), children: [coloured] };
  }
  return {
    ...element,
    children: element.children.map((child) => (child.type === 'element' ? colorWithin(child) : child)),
  };
}

function languageProperties(language: string | undefined): Properties {
  return language === undefined ? {} : { dataLanguage: language };
}

function readLanguage(code: Element): string | undefined {
  const { className } = code.properties;
  const names = Array.isArray(className) ? className.map(String) : [];
  return names
    .find((name) => name.startsWith('language-'))
    ?.slice('language-'.length)
    .toLowerCase();
}

function colour(code: string, language: string | undefined): ElementContent[] {
  const plain: ElementContent[] = [{ type: 'text', value: code }];
  if (language === undefined || code.length > MAX_HIGHLIGHTED_LENGTH) return plain;
  const name = OTHER_NAMES[language] ?? language;
  if (!lowlight.registered(name)) return plain;
  return lowlight.highlight(name, code).children.filter(isContent);
}

function isContent(node: RootContent): node is ElementContent {
  return node.type !== 'doctype';
}
