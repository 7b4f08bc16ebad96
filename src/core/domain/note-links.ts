import { markdownLines } from '../language/markdown-lines.ts';

/** Link from a note to a note or a source by its title: `[[Garden]]`, `[[Garden#Compost|how we turn it]]`. */
export interface NoteLink {
  /** Start and end, including the brackets, in UTF-16 code units of the note's text. */
  readonly start: number;
  readonly end: number;
  readonly title: string;
  readonly heading: string | undefined;
  readonly label: string | undefined;
  /** Position of the title. */
  readonly titleStart: number;
  readonly titleEnd: number;
}

/** Tag in a note: `#garden`, `#garden/herbs`. */
interface NoteTag {
  readonly start: number;
  readonly end: number;
  /** Name without the `#`. */
  readonly name: string;
}

/** Returns the links by title in a note, in order, without those in code. */
export function noteLinks(text: string): NoteLink[] {
  if (!text.includes('[[')) return [];
  return plainLines(text).flatMap(({ line, from }) =>
    Array.from(
      line.matchAll(/\[\[([^[\]|#\n]{1,300})(?:#([^[\]|\n]{1,300}))?(?:\|([^[\]\n]{1,300}))?\]\]/g),
    ).flatMap(({ 0: whole, 1: written = '', 2: heading, 3: label, index }) => {
      const title = written.trim();
      if (title === '') return [];
      const start = from + index;
      const titleStart = start + 2 + written.indexOf(title);
      return [
        {
          start,
          end: start + whole.length,
          title,
          heading,
          label,
          titleStart,
          titleEnd: titleStart + title.length,
        },
      ];
    }),
  );
}

/** Returns the tags in a note, in order, without those in code and in links. */
export function noteTags(text: string): NoteTag[] {
  if (!text.includes('#')) return [];
  return plainLines(text).flatMap(({ line, from }) =>
    Array.from(line.matchAll(/(?<![^\s(])#([\p{L}\p{N}_][\p{L}\p{M}\p{N}_/-]{0,99})/gu)).flatMap(
      ({ 0: whole, 1: written = '', index }) => {
        const name = written.replace(/[/-]$/, '');
        // "#12" is a number, not a tag.
        return /\p{L}/u.test(name) ? [{ start: from + index, end: from + index + whole.length, name }] : [];
      },
    ),
  );
}

/** Returns the form in which titles and tags are compared. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase().trim();
}

/** Returns a note's text with its links to one title changed to another. */
export function withLinksTo(text: string, before: string, after: string): string {
  const foldedBefore = foldedName(before);
  let result = '';
  let from = 0;
  for (const { title, titleStart, titleEnd } of noteLinks(text)) {
    if (foldedName(title) !== foldedBefore) continue;
    result += text.slice(from, titleStart) + after;
    from = titleEnd;
  }
  return result + text.slice(from);
}

/** Returns a note's text with its links by title replaced by their labels, since other programs don't support them. */
export function withoutNoteLinks(text: string): string {
  let result = '';
  let from = 0;
  for (const { start, end, title, label } of noteLinks(text)) {
    result += text.slice(from, start) + (label ?? title);
    from = end;
  }
  return result + text.slice(from);
}

/** Returns the lines outside of fenced code, with spaces in place of inline code. */
function plainLines(text: string): { readonly line: string; readonly from: number }[] {
  return Array.from(markdownLines(text)).flatMap(({ kind, start, end }) => {
    if (kind === 'opening' || kind === 'code' || kind === 'closing') return [];
    const line = text.slice(start, end);
    return [
      { line: line.replaceAll(/(`{1,9})[^`]{1,2000}\1/g, (code) => ' '.repeat(code.length)), from: start },
    ];
  });
}
