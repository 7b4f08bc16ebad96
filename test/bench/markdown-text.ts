import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const blocks = new Set([
  'paragraph',
  'heading',
  'listItem',
  'tableRow',
  'code',
  'blockquote',
  'thematicBreak',
]);

/** Returns the visible text of Markdown without marks and addresses, one line per block. */
export function textOfMarkdown(markdown: string): string {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const parts: string[] = [];
  const walk = (node: Nodes): void => {
    if ('children' in node) for (const child of node.children) walk(child);
    else if ('value' in node) parts.push(node.value);
    else if (node.type === 'image') parts.push(node.alt ?? '');
    else if (node.type === 'break') parts.push('\n');
    if (blocks.has(node.type)) parts.push('\n');
    if (node.type === 'tableCell') parts.push(' ');
  };
  walk(tree);
  return parts
    .join('')
    .replace(/\n{2,}/g, '\n')
    .trim();
}
