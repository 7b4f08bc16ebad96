import { markdownLines } from '../language/markdown-lines.ts';

/** A link from a note to a note or a source by its title: `[[Garden]]`, `[[Garden#Compost|how we turn it]]`. */
export interface NoteLink {
  /** From bracket to bracket, in UTF-16 code units of the note's text. */
  readonly start: number;
  readonly end: number;
  readonly title: string;
  readonly heading: string | undefined;
  readonly label: string | undefined;
  /** Where the title stands. */
  readonly titleStart: number;
  readonly titleEnd: number;
}

/** A tag in a note: `#garden`, `#garden/herbs`. */
interface NoteTag {
  readonly start: number;
  readonly end: number;
  /** Without its sign. */
  readonly name: string;
}

/** The links by title in a note, in their order; those in code are none. */
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

/** The tags in a note, in their order; those in code and in links are none. */
export function noteTags(text: string): NoteTag[] {
  if (!text.includes('#')) return [];
  return plainLines(text).flatMap(({ line, from }) =>
    Array.from(line.matchAll(/(?<![^\s(])#([\p{L}\p{N}_][\p{L}\p{M}\p{N}_/-]{0,99})/gu)).flatMap(
      ({ 0: whole, 1: written = '', index }) => {
        const name = written.replace(/[/-]$/, '');
        // "#12" is a number of something else.
        return /\p{L}/u.test(name) ? [{ start: from + index, end: from + index + whole.length, name }] : [];
      },
    ),
  );
}

/** How titles and tags are compared. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase().trim();
}

/** A note's text whose links to a title lead to another. */
export function withLinksTo(text: string, before: string, after: string): string {
  const wanted = foldedName(before);
  let result = '';
  let from = 0;
  for (const { title, titleStart, titleEnd } of noteLinks(text)) {
    if (foldedName(title) !== wanted) continue;
    result += text.slice(from, titleStart) + after;
    from = titleEnd;
  }
  return result + text.slice(from);
}

/** A note's text whose links by title are their words alone, as other programs know no such links. */
export function withoutNoteLinks(text: string): string {
  let result = '';
  let from = 0;
  for (const { start, end, title, label } of noteLinks(text)) {
    result += text.slice(from, start) + (label ?? title);
    from = end;
  }
  return result + text.slice(from);
}

/** The lines outside of fenced code, what stands in code on them blanked out. */
function plainLines(text: string): { readonly line: string; readonly from: number }[] {
  return Array.from(markdownLines(text)).flatMap(({ kind, start, end }) => {
    if (kind === 'opening' || kind === 'code' || kind === 'closing') return [];
    const line = text.slice(start, end);
    return [
      { line: line.replaceAll(/(`{1,9})[^`]{1,2000}\1/g, (code) => ' '.repeat(code.length)), from: start },
    ];
  });
}
