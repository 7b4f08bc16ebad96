import type { Report } from '../../../core/rpc/rpc.ts';
import type { StoredCitation } from '../../../core/domain/note.ts';
import type {
  SourceDrift,
  GeneratedNote,
  DocumentVersion,
  MapArtifactKind,
  NoteArtifactKind,
  ArtifactMap,
  ArtifactScope,
} from '../../../core/domain/artifact.ts';
import type { Since, Template } from '../../../core/domain/template.ts';
import type { PartNotes, WritingPlan, PlannedPart, UnfinishedWriting } from '../../../core/domain/writing.ts';

/** Progress in documents. */
export interface GenerationProgress {
  readonly done: number;
  readonly total: number;
}

/** Note that isn't saved yet. */
export interface WrittenNote {
  readonly text: string;
  readonly citations: readonly StoredCitation[];
  readonly documents: readonly DocumentVersion[];
  /** Number of entries or documents that didn't fit. */
  readonly omitted: number;
}

/** Generated note with its drift from the sources. */
export interface GeneratedNoteState extends Pick<GeneratedNote, 'generatedAt' | 'sourceIds'> {
  readonly title: string;
  /** Kind of note: a glossary, or the title of its template. */
  readonly name: string;
  readonly difference: SourceDrift;
  /** Template that the model followed. */
  readonly template: Template | undefined;
}

/** API of the index worker for artifacts that need no model. */
export interface ArtifactApi {
  /**
   * Writes a note. Reuses the citations of `before`, a note with this title, for the same words.
   * @throws NotebookError `empty` if the sources have no content for it
   */
  readonly writeArtifact: (
    params: ArtifactScope & { readonly artifact: NoteArtifactKind; readonly before?: string },
    report: Report<GenerationProgress>,
  ) => WrittenNote;
  /** @throws NotebookError `empty` if the sources have no content for it */
  readonly mapArtifact: (
    params: ArtifactScope & { readonly artifact: MapArtifactKind },
    report: Report<GenerationProgress>,
  ) => ArtifactMap;
  /** Returns the current versions of the documents in a scope. */
  readonly currentVersions: (params: ArtifactScope) => readonly DocumentVersion[];
  /** Stores the sources of a note and its original text. @throws NotebookError `not-found` */
  readonly saveGeneratedNote: (params: { readonly title: string; readonly generated: GeneratedNote }) => void;
  /** Undefined if the note wasn't generated. */
  readonly generatedNote: (params: { readonly title: string }) => GeneratedNote | undefined;
  readonly generatedNotes: () => readonly GeneratedNoteState[];
}

/** API of the index worker that plans the writing of a model and saves its results. */
export interface WritingApi {
  /**
   * Splits the text of the sources, or of those that changed since a given time, into parts of about `tokens` estimated
   * tokens.
   * @throws NotebookError `empty`, `not-found` if the note for `since` no longer exists
   */
  readonly planWriting: (
    params: ArtifactScope & {
      /** Instructions for each part. Saved notes for the same task are reused. */
      readonly task: string;
      readonly since?: Since | undefined;
      readonly tokens: number;
    },
    report: Report<GenerationProgress>,
  ) => WritingPlan;
  readonly partNotes: (params: { readonly task: string; readonly key: string }) => PartNotes | undefined;
  /** Saves the notes on a part unless its documents have changed. @throws NotebookError `disk-full` */
  readonly keepPart: (
    params: Pick<PlannedPart, 'documents' | 'key' | 'places'> & {
      readonly task: string;
      readonly notes: PartNotes;
    },
  ) => void;
  readonly forgetParts: (params: { readonly task: string }) => void;
  /** Returns unfinished writings, the latest first. */
  readonly unfinishedWritings: () => readonly UnfinishedWriting[];
  readonly keepUnfinished: (params: UnfinishedWriting) => void;
  readonly endUnfinished: (params: { readonly title: string }) => void;
}
