import type { Citation, Statement } from './answer.ts';
import type { PassagePlace } from './passage.ts';
import type { DocumentVersion, StudioScope } from './studio.ts';

/** Where the templates of a workspace stand, below each of its folders. */
export const TEMPLATE_FOLDER = ['.notebook', 'templates'] as const;

/** What a model is told to write of sources. */
export interface Template {
  /** That of its file, without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What is noted of each part of the sources, where they are more than the model reads at once. */
  readonly notes: string;
  /** How the whole is written. */
  readonly writing: string;
  /** Whether it is of what changed in the sources since a moment that the user says. */
  readonly asksSince: boolean;
}

/** Whether something is written differently after one than after the other, whatever they are called. */
export function isOtherTemplate(one: Template, other: Template): boolean {
  return one.notes !== other.notes || one.writing !== other.writing || one.asksSince !== other.asksSince;
}

/** Since when changes of sources are meant: since a note was made of them, or a moment in milliseconds since 1970. */
export type Since =
  | { readonly kind: 'note'; readonly title: string }
  | { readonly kind: 'time'; readonly at: number };

/** Something that a model is to write of sources. */
export interface WritingWish extends StudioScope {
  readonly template: Template;
  readonly since?: Since | undefined;
}

/** One that was begun and is not done: some of its parts may be. */
export interface UnfinishedWriting extends WritingWish {
  /** What the note is to be called. */
  readonly title: string;
  readonly done: number;
  readonly total: number;
  readonly begunAt: number;
}

/** What a model reads at once. */
export interface PlannedPart {
  /** The same as long as what is read is the same. */
  readonly key: string;
  /** What it is of, in a few words. */
  readonly title: string;
  readonly documents: readonly DocumentVersion[];
  readonly places: readonly PassagePlace[];
  /** Estimated. */
  readonly tokens: number;
  /** Whether notes of it are kept. */
  readonly isKept: boolean;
}

/** How sources are read by a model from their first words to their last. */
export interface WritingPlan {
  readonly parts: readonly PlannedPart[];
  /** All that the thing is of, also what is not read. */
  readonly madeOf: readonly DocumentVersion[];
  /** One line that tells the sources. */
  readonly sources: string;
  /** What was said before, where changes since then are meant. */
  readonly earlier: string;
}

/** What a model noted of a part: Markdown whose statements are checked. */
export interface PartNotes {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly citations: readonly Citation[];
}
