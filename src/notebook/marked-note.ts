import type { Citation } from './answer.ts';
import { citationLink } from './citation-links.ts';
import { harmlessWords } from './harmless-markdown.ts';
import { citationId, type NotePart } from './note-markdown.ts';
import { pictureMarkdown } from './note-pictures.ts';
import { findWords, plainMarkdown } from './selected-words.ts';

/** So many UTF-16 code units of a remark describe a picture. */
const LONGEST_DESCRIPTION = 300;

/** What somebody marked in a document, and the words that it is cited by; a box with its picture. */
export interface CitedMark {
  /** '' where no words are marked. */
  readonly words: string;
  /** What is said of it; '' where nothing is. */
  readonly remark: string;
  readonly citation: Citation;
}

/**
 * Marks as a part of a note: each its words as a quotation, or its picture, with a link to the place, and its remark below.
 * @param title a heading, where the part is to have one
 * @param before numbers of citations begin after it
 */
export function marksAsNote(
  title: string | undefined,
  marks: readonly CitedMark[],
  before: number,
): NotePart {
  const kept = new Map<string, { readonly citation: Citation; readonly number: number }>();
  const parts = marks.map((mark) => {
    const { citation } = mark;
    const id = citationId(citation);
    const number = kept.get(id)?.number ?? before + kept.size + 1;
    kept.set(id, { citation, number });
    const link = citationLink(String(number), id, citation);
    const { picture } = citation;
    return picture === undefined
      ? quotation(mark, link)
      : `${pictureMarkdown(describePicture(mark), id, picture)} ${link}`;
  });
  const heading = title === undefined ? [] : [`# ${harmlessWords(title)}`];
  return {
    // What is typed next is a paragraph of its own.
    text: [...heading, ...parts, ''].join('\n\n'),
    citations: Array.from(kept, ([id, { citation }]) => ({ id, citation })),
  };
}

/** What says in a few words what is marked: the words, what is said of them, or where they stand. */
export function markWords({ words, remark, citation }: CitedMark): string {
  return words || oneLine(remark) || place(citation);
}

function quotation({ words, remark, citation }: CitedMark, link: string): string {
  // Where the document has them it has them as they are written, without what the page did to its lines.
  const isCited = words === '' || findWords(citation.quote, words, 0) !== undefined;
  const quote = `> ${plainLine(isCited ? citation.quote : words)} ${link}`;
  const lines = remark.split('\n').map(plainLine);
  return remark === '' ? quote : `${quote}\n\n${lines.join('  \n')}`;
}

function describePicture({ remark, citation }: CitedMark): string {
  return oneLine(remark).slice(0, LONGEST_DESCRIPTION) || place(citation);
}

function place({ title, place: where }: Citation): string {
  return [title, where].filter((part) => part !== '').join(', ');
}

function plainLine(words: string): string {
  return harmlessWords(plainMarkdown(oneLine(words)));
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim();
}
