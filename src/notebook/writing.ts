import type { Statement, Citation } from './answer.ts';
import type { PassagePlace } from './passage.ts';
import type { DocumentVersion, StudioScope } from './studio.ts';
import type { Template, Since } from './template.ts';

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
