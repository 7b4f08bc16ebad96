import { markdownLines } from '../markdown-lines.ts';
import type { Span } from '../span.ts';

/** Reports whether a line after a blank one begins a new block and doesn't belong to a list or quote above. */
function isApart(line: string): boolean {
  return /^(?:[^\s>*+\-\d]|\*\*)/.test(line);
}

/**
 * Splits Markdown into pieces that can be shown one after another: at blank lines before a separate block, never
 * within fenced code. Together, the pieces are the whole text.
 * @param size in UTF-16 code units; a piece is at least this long, unless the text ends
 * @param mayBegin whether a piece may begin with a line that follows a blank one
 */
export function cutMarkdown(
  markdown: string,
  size: number,
  mayBegin: (line: string) => boolean = isApart,
): Span[] {
  const pieces: Span[] = [];
  let start = 0;
  let afterBlank = false;
  for (const { kind, start: line, next } of markdownLines(markdown)) {
    const isInCode = kind === 'code' || kind === 'closing';
    if (afterBlank && !isInCode && line - start >= size && mayBegin(markdown.slice(line, next))) {
      pieces.push({ start, end: line });
      start = line;
    }
    afterBlank = markdown.slice(line, next).trim() === '';
  }
  if (start < markdown.length || pieces.length === 0) pieces.push({ start, end: markdown.length });
  return pieces;
}

/** Returns the end of the first line, with its break, if it is the title as a heading; else 0. */
export function endOfTitle(markdown: string, title: string): number {
  const newline = markdown.indexOf('\n');
  const end = newline === -1 ? markdown.length : newline + 1;
  return markdown.slice(0, end).trim() === `# ${title}` ? end : 0;
}
