import { parsePage } from './parse-page.ts';
import { simplifyTree } from './simplify-tree.ts';
import { toMarkdown } from './to-markdown.ts';

/**
 * Returns all of an HTML text as Markdown, for HTML within another format, such as a chapter of a book or a mail.
 * @throws NotebookError `too-large` for more than half a million elements
 */
export function fragmentMarkdown(html: string): string {
  const { body } = parsePage(html);
  simplifyTree(body);
  return toMarkdown(body, 'file:///');
}
