import { withoutItemMark } from '../../../core/language/markdown-lines.ts';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';
import type { GeneratorDocument } from './generator-document.ts';

/** A part of a note: Markdown, or words of a document that are cited there. */
export type SheetPiece = DocumentPlace | string;

/** Content of a generated note. */
export interface Sheet {
  readonly pieces: readonly SheetPiece[];
  /** Number of entries, and number of omitted ones. */
  readonly count: number;
  readonly omitted: number;
}

/**
 * Generator of an artifact, which processes each document and then combines the results. The result of a document is
 * reused until the document changes, so that only changed ones are processed again.
 */
export interface ArtifactGenerator<Whole> {
  readonly part: (document: GeneratorDocument) => unknown;
  /** Processes a long document in pieces, so that it doesn't block; `part` returns all of it at once. */
  readonly pieces?: ((document: GeneratorDocument) => Iterable<readonly unknown[]>) | undefined;
  /** Combines the results in the order of their documents. */
  readonly whole: (parts: readonly unknown[]) => Whole;
}

/** Creates a generator whose two steps share a type of part. */
export function making<Part, Whole>(
  part: (document: GeneratorDocument) => Part,
  whole: (parts: readonly Part[]) => Whole,
): ArtifactGenerator<Whole> {
  return { part, whole: (parts) => whole(parts as readonly Part[]) };
}

/** Creates a generator for parts that are lists, which a long document yields in pieces. */
export function generateInSlices<Entry, Whole>(
  pieces: (document: GeneratorDocument) => Iterable<readonly Entry[]>,
  whole: (parts: readonly (readonly Entry[])[]) => Whole,
): ArtifactGenerator<Whole> {
  const part = (document: GeneratorDocument): readonly Entry[] => [...pieces(document)].flat();
  return { ...making(part, whole), pieces };
}

/**
 * Formats words of a source as part of a line of Markdown, shortened after a word, with a maximum length in UTF-16 code
 * units.
 */
export function quoteCell(words: string, longest = 400): string {
  const line = withoutItemMark(words.replaceAll(/\s+/g, ' ')).trim();
  const cut = line
    .slice(0, longest)
    .replace(/\s\S{0,40}$/, '')
    .toWellFormed();
  return sanitizeWords(line.length > longest ? `${cut}…` : line);
}

/** Removes Markdown marks from the words of a term. */
export function plainTerm(words: string): string {
  return words
    .replaceAll(/[*_`[\]|\\]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Sorts words like a dictionary, with those of other scripts at the end. */
export const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
