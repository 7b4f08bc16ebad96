import type { Report } from '../../messages/rpc.ts';
import type { StoredCitation } from '../../notebook/note.ts';
import type {
  MadeDifference,
  MadeNote,
  DocumentVersion,
  MapThing,
  NoteThing,
  StudioMap,
  StudioScope,
} from '../../notebook/studio.ts';
import type { Since, Template } from '../../notebook/template.ts';
import type { PartNotes, WritingPlan, PlannedPart, UnfinishedWriting } from '../../notebook/writing.ts';

/** How many documents were gone through. */
export interface StudioProgress {
  readonly done: number;
  readonly total: number;
}

/** A note that is not kept yet. */
export interface WrittenNote {
  readonly text: string;
  readonly citations: readonly StoredCitation[];
  readonly madeOf: readonly DocumentVersion[];
  /** How many entries, or documents, did not fit. */
  readonly omitted: number;
}

/** A note that the studio wrote, and how the sources differ from what it was written of. */
export interface MadeNoteState extends Pick<MadeNote, 'madeAt' | 'sourceIds'> {
  readonly title: string;
  /** What it is: a glossary, or what its template is called. */
  readonly name: string;
  readonly documents: number;
  readonly difference: MadeDifference;
  /** What a model wrote it after. */
  readonly template: Template | undefined;
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
  readonly madeOfNow: (params: StudioScope) => readonly DocumentVersion[];
  /** Remembers what a note was made of and how it was written then. @throws NotebookError `not-found` */
  readonly keepMade: (params: { readonly title: string; readonly made: MadeNote }) => void;
  /** Undefined where the studio did not write the note. */
  readonly madeNote: (params: { readonly title: string }) => MadeNote | undefined;
  readonly madeNotes: () => readonly MadeNoteState[];
}

/** What the index worker plans and keeps for who has something written by a model. */
export interface WritingApi {
  /**
   * Cuts all words of the sources, or those that changed since a moment, into parts of about so many estimated tokens.
   * @throws NotebookError `empty`, `not-found` where the note is gone since which changes are meant
   */
  readonly planWriting: (
    params: StudioScope & {
      /** What is asked of each part: what was noted for the same task is not asked again. */
      readonly task: string;
      readonly since?: Since | undefined;
      readonly tokens: number;
    },
    report: Report<StudioProgress>,
  ) => WritingPlan;
  readonly partNotes: (params: { readonly task: string; readonly key: string }) => PartNotes | undefined;
  /** Keeps what was noted of a part, unless its documents have changed meanwhile. @throws NotebookError `disk-full` */
  readonly keepPart: (
    params: Pick<PlannedPart, 'documents' | 'key' | 'places'> & {
      readonly task: string;
      readonly notes: PartNotes;
    },
  ) => void;
  readonly forgetParts: (params: { readonly task: string }) => void;
  /** What was begun and is not written yet, the last first. */
  readonly unfinishedWritings: () => readonly UnfinishedWriting[];
  readonly keepUnfinished: (params: UnfinishedWriting) => void;
  readonly endUnfinished: (params: { readonly title: string }) => void;
}
