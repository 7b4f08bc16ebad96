import type { Span } from '../language/span.ts';
import type { Since, Template } from './template.ts';

/** What the studio writes a note of. */
export const NOTE_THINGS = ['glossary', 'timeline', 'index', 'tables', 'cloze', 'slides'] as const;
/** What the studio draws in a view. */
export const MAP_THINGS = ['mindMap', 'conceptMap'] as const;

/** What one learns by. */
export const LEARNING_THINGS = ['cards', 'quiz'] as const;

/** What is filled in a view, by a model where there is one. */
export const TABLE_THINGS = ['matrix'] as const;

export type NoteThing = (typeof NOTE_THINGS)[number];
export type MapThing = (typeof MAP_THINGS)[number];
export type LearningThing = (typeof LEARNING_THINGS)[number];
export type TableThing = (typeof TABLE_THINGS)[number];
export type StudioThing = LearningThing | MapThing | NoteThing | TableThing;

/** Words of a document, in UTF-16 code units of its text. */
export interface DocumentPlace extends Span {
  readonly documentId: number;
}

/** A document that something was made of, in the version that it had then. */
export interface DocumentVersion {
  readonly documentId: number;
  /** SHA-256 of the original's bytes, in hexadecimal. */
  readonly hash: string;
}

/** What a thing was made of: some sources, or all that the notebook has, also those that come later. */
export interface StudioScope {
  readonly sourceIds?: readonly string[] | undefined;
}

/** A node of a map. Maps are told as their nodes in the order in which they are read; depth 0 is outermost. */
export interface MapNode {
  readonly title: string;
  readonly depth: number;
  /** The words that a click opens. */
  readonly place?: DocumentPlace | undefined;
}

/** A map with what it was made of. */
export interface StudioMap {
  readonly nodes: readonly MapNode[];
  /** How many nodes did not fit. */
  readonly omitted: number;
  readonly madeOf: readonly DocumentVersion[];
}

/** What a note of the studio is: made without a model, or written by one after a template. */
export type MadeThing =
  | { readonly thing: NoteThing }
  | { readonly thing: 'template'; readonly template: Template; readonly since?: Since | undefined };

/** A note that the studio wrote, as it was written. */
export type MadeNote = MadeThing &
  StudioScope & {
    readonly text: string;
    readonly madeOf: readonly DocumentVersion[];
    readonly madeAt: number;
  };

/** How what a thing was made of differs from what it would be made of now, in documents. */
export interface MadeDifference {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Whether documents came, changed or went. */
export function isChanged({ added, changed, removed }: MadeDifference): boolean {
  return added + changed + removed > 0;
}

/** Compares what a thing was made of with what it would be made of now. */
export function compareVersions(
  before: readonly DocumentVersion[],
  now: readonly DocumentVersion[],
): MadeDifference {
  const hashes = new Map(before.map(({ documentId, hash }) => [documentId, hash]));
  const kept = now.filter(({ documentId }) => hashes.has(documentId));
  return {
    added: now.length - kept.length,
    changed: kept.filter(({ documentId, hash }) => hashes.get(documentId) !== hash).length,
    removed: before.length - kept.length,
  };
}
