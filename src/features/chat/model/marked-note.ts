import type { Citation } from '../../../core/domain/answer.ts';
import { citationLink } from '../../../core/domain/citation-links.ts';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import { citationId, type NotePart } from '../../../core/domain/note-markdown.ts';
import { pictureMarkdown } from '../../../core/domain/note-pictures.ts';
import { findWords, plainMarkdown } from '../../../core/domain/selected-words.ts';

/** Maximum length of a picture's description, in UTF-16 code units. */
const MAX_DESCRIPTION_LENGTH = 300;

/** Mark in a document with its citation. A box has a picture. */
export interface CitedMark {
  /** '' if no text is marked. */
  readonly words: string;
  /** Comment on the mark; '' if there is none. */
  readonly remark: string;
  readonly citation: Citation;
}

/**
 * Returns marks as a part of a note: for each mark its text as a quotation, or its picture, with a link to the
 * location, and its comment below.
 * @param title the heading of the part, if it needs one
 * @param before the number before that of the first citation
 */
export function marksAsNote(
  title: string | undefined,
  marks: readonly CitedMark[],
  before: number,
): NotePart {
  const citationsById = new Map<string, { readonly citation: Citation; readonly number: number }>();
  const parts = marks.map((mark) => {
    const { citation } = mark;
    const id = citationId(citation);
    const number = citationsById.get(id)?.number ?? before + citationsById.size + 1;
    citationsById.set(id, { citation, number });
    const link = citationLink(String(number), id, citation);
    const { picture } = citation;
    return picture === undefined
      ? quotation(mark, link)
      : `${pictureMarkdown(describePicture(mark), id, picture)} ${link}`;
  });
  const heading = title === undefined ? [] : [`# ${sanitizeWords(title)}`];
  return {
    // The user's next text is a separate paragraph.
    text: [...heading, ...parts, ''].join('\n\n'),
    citations: Array.from(citationsById, ([id, { citation }]) => ({ id, citation })),
  };
}

/** Returns a few words about a mark: its text, its comment, or its location. */
export function markWords({ words, remark, citation }: CitedMark): string {
  return words || oneLine(remark) || place(citation);
}

function quotation({ words, remark, citation }: CitedMark, link: string): string {
  // Prefer the document's text, without the changes of the page to its lines.
  const isCited = words === '' || findWords(citation.quote, words, 0) !== undefined;
  const quote = `> ${plainLine(isCited ? citation.quote : words)} ${link}`;
  const lines = remark.split('\n').map(plainLine);
  return remark === '' ? quote : `${quote}\n\n${lines.join('  \n')}`;
}

function describePicture({ remark, citation }: CitedMark): string {
  return oneLine(remark).slice(0, MAX_DESCRIPTION_LENGTH) || place(citation);
}

function place({ title, place: where }: Citation): string {
  return [title, where].filter((part) => part !== '').join(', ');
}

function plainLine(words: string): string {
  return sanitizeWords(plainMarkdown(oneLine(words)));
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim();
}
