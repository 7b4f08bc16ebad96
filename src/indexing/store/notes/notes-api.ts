import type { StoredCitation, Note, NoteEntry } from '../../../notebook/note.ts';

/** A note to add, with the citations that its text names; one that comes back brings its times. */
export type NewNote = Pick<Note, 'citations' | 'text' | 'title'> &
  Partial<Pick<Note, 'changedAt' | 'createdAt'>>;

/** Link targets and tags of all notes. */
export interface NoteMarksEntry {
  /** The titles that are linked to, folded as `foldedName` does, with the number of notes that do. */
  readonly linked: ReadonlyMap<string, number>;
  /** The most used first. */
  readonly tags: readonly { readonly name: string; readonly count: number }[];
}

/** Note API of the index worker. Errors are those of `Notes`. */
export interface NotesApi {
  /** The last changed first. */
  readonly notes: () => readonly NoteEntry[];
  /** Those that have a tag or one below it, the last changed first. */
  readonly taggedNotes: (params: { readonly tag: string }) => readonly NoteEntry[];
  readonly noteMarks: () => NoteMarksEntry;
  /** The notes that link to a title, the last changed first. */
  readonly backlinks: (params: { readonly title: string }) => readonly NoteEntry[];
  readonly note: (params: { readonly title: string }) => Note;
  /** Saves a note's text; `create` and `overwrite` work as in VS Code's file systems. */
  readonly writeNote: (params: {
    readonly title: string;
    readonly text: string;
    readonly create: boolean;
    readonly overwrite: boolean;
  }) => void;
  /** Adds a note; one whose title is taken gets a number behind it. */
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
  /** The citations with these ids that any note holds. */
  readonly noteCitations: (params: { readonly ids: readonly string[] }) => readonly StoredCitation[];
}
