import { withoutItemMark } from '../language/markdown-lines.ts';
import { harmlessWords } from '../notebook/harmless-markdown.ts';
import type { DocumentPlace } from '../notebook/studio.ts';
import type { StudioDocument } from './studio-document.ts';

/** A part of a note: Markdown, or words of a document that are cited there. */
export type Piece = DocumentPlace | string;

/** What a note is written of. */
export interface Sheet {
  readonly pieces: readonly Piece[];
  /** How many entries it has, and how many did not fit. */
  readonly count: number;
  readonly omitted: number;
}

/**
 * Something that is made of documents, one after another and then of all: what a document gives is kept as long as it
 * does not change, so that only what changed is made anew.
 */
export interface Making<Whole> {
  readonly part: (document: StudioDocument) => unknown;
  /** What a document gives piece by piece, where a long one takes long: `part` has all of it. */
  readonly pieces?: ((document: StudioDocument) => Iterable<readonly unknown[]>) | undefined;
  /** Of the parts in the order of their documents. */
  readonly whole: (parts: readonly unknown[]) => Whole;
}

/** Ties the two steps of making something to one kind of part. */
export function making<Part, Whole>(
  part: (document: StudioDocument) => Part,
  whole: (parts: readonly Part[]) => Whole,
): Making<Whole> {
  return { part, whole: (parts) => whole(parts as readonly Part[]) };
}

/** The same of parts that are lists, which a long document gives piece by piece. */
export function makingInPieces<Entry, Whole>(
  pieces: (document: StudioDocument) => Iterable<readonly Entry[]>,
  whole: (parts: readonly (readonly Entry[])[]) => Whole,
): Making<Whole> {
  const part = (document: StudioDocument): readonly Entry[] => [...pieces(document)].flat();
  return { ...making(part, whole), pieces };
}

/** Words of a source as a part of a line of Markdown, cut behind a word where they are too long, in UTF-16 code units. */
export function quoted(words: string, longest = 400): string {
  const line = withoutItemMark(words.replaceAll(/\s+/g, ' ')).trim();
  const cut = line
    .slice(0, longest)
    .replace(/\s\S{0,40}$/, '')
    .toWellFormed();
  return harmlessWords(line.length > longest ? `${cut}…` : line);
}

/** The words of a term, without marks of Markdown. */
export function plainTerm(words: string): string {
  return words
    .replaceAll(/[*_`[\]|\\]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Puts words into the order of dictionaries, those of other scripts behind. */
export const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
