import { headingOfLine } from '../../../core/language/markdown-lines.ts';

/** Maximum length of a title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 60;

/**
 * Returns a title for a text that was pasted without one: its first line, without the marks of a Markdown heading. Cuts
 * a long line, between words if possible, and adds an ellipsis.
 */
export function titleOfText(text: string): string {
  const [line = ''] = text.trimStart().split('\n', 1);
  const heading = headingOfLine(line.trimEnd())?.title ?? '';
  const title = (heading === '' ? line : heading).trim().replaceAll(/\s+/gu, ' ');
  if (title.length <= MAX_TITLE_LENGTH) return title;
  const cut = title.slice(0, MAX_TITLE_LENGTH + 1);
  const space = cut.lastIndexOf(' ');
  // Some scripts have no spaces. A cut must not divide a surrogate pair.
  const end =
    space > 0 ? space : MAX_TITLE_LENGTH - Number((title.codePointAt(MAX_TITLE_LENGTH - 1) ?? 0) > 0xffff);
  return `${title.slice(0, end).replace(/[,;:–—-]$/u, '')}…`;
}
