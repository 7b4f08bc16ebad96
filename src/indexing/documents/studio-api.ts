import type { Report } from '../../messages/rpc.ts';
import type { KeptCitation } from '../../notebook/note.ts';
import type {
  MadeDifference,
  MadeNote,
  MadeOf,
  MapThing,
  NoteThing,
  StudioMap,
  StudioScope,
} from '../../notebook/studio.ts';

/** How many documents were gone through. */
export interface StudioProgress {
  readonly done: number;
  readonly total: number;
}

/** A note that is not kept yet. */
export interface WrittenNote {
  readonly text: string;
  readonly citations: readonly KeptCitation[];
  readonly madeOf: readonly MadeOf[];
  /** How many entries, or documents, did not fit. */
  readonly omitted: number;
}

/** A note that the studio wrote, and how the sources differ from what it was written of. */
export interface MadeNoteState extends Pick<MadeNote, 'madeAt' | 'sourceIds' | 'thing'> {
  readonly title: string;
  readonly documents: number;
  readonly difference: MadeDifference;
}

/** What the index worker makes of the sources without a model. */
export interface StudioApi {
  /**
   * Writes a note; of words that `before`, a note of this title, cites already, it takes those citations.
   * @throws NotebookError `empty` where the sources have nothing of it.
   */
  readonly writeThing: (
    params: StudioScope & { readonly thing: NoteThing; readonly before?: string },
    report: Report<StudioProgress>,
  ) => WrittenNote;
  /** @throws NotebookError `empty` where the sources have nothing of it. */
  readonly mapThing: (
    params: StudioScope & { readonly thing: MapThing },
    report: Report<StudioProgress>,
  ) => StudioMap;
  /** What something would be made of now. */
  readonly madeOfNow: (params: StudioScope) => readonly MadeOf[];
  /** Remembers what a note was made of and how it was written then. @throws NotebookError `not-found` */
  readonly keepMade: (params: { readonly title: string; readonly made: MadeNote }) => void;
  /** Undefined where the studio did not write the note. */
  readonly madeNote: (params: { readonly title: string }) => MadeNote | undefined;
  readonly madeNotes: () => readonly MadeNoteState[];
}
