import type { StoredCitation, Note, NoteEntry } from '../../../core/domain/note.ts';

/** Note to add, with the citations in its text. A restored note has its original times. */
export type NewNote = Pick<Note, 'citations' | 'text' | 'title'> &
  Partial<Pick<Note, 'changedAt' | 'createdAt'>>;

/** Link targets and tags of all notes. */
export interface NoteMarksEntry {
  /** Link targets, folded as by `foldedName`, with the number of notes that link to each. */
  readonly linked: ReadonlyMap<string, number>;
  /** Tags with the number of their notes, the most frequent first. */
  readonly tags: readonly { readonly name: string; readonly count: number }[];
}

/** Note API of the index worker. Errors are those of `Notes`. */
export interface NotesApi {
  /** Returns all notes, the most recently changed first. */
  readonly notes: () => readonly NoteEntry[];
  /** Returns notes with a tag or a nested one, the last changed first. */
  readonly taggedNotes: (params: { readonly tag: string }) => readonly NoteEntry[];
  readonly noteMarks: () => NoteMarksEntry;
  /** Returns the notes that link to a title, the last changed first. */
  readonly backlinks: (params: { readonly title: string }) => readonly NoteEntry[];
  readonly note: (params: { readonly title: string }) => Note;
  /** Saves a note's text; `create` and `overwrite` work as in VS Code's file systems. */
  readonly writeNote: (params: {
    readonly title: string;
    readonly text: string;
    readonly create: boolean;
    readonly overwrite: boolean;
  }) => void;
  /** Adds a note. Appends a number if its title is in use. */
  readonly addNote: (params: NewNote) => NoteEntry;
  readonly renameNote: (params: {
    readonly from: string;
    readonly to: string;
    readonly overwrite: boolean;
  }) => void;
  readonly removeNote: (params: { readonly title: string }) => void;
  /** Saves citations before a note refers to them. */
  readonly keepCitations: (params: {
    readonly title: string;
    readonly citations: readonly StoredCitation[];
  }) => void;
  /** Returns the citations with these IDs from any note. */
  readonly noteCitations: (params: { readonly ids: readonly string[] }) => readonly StoredCitation[];
}
