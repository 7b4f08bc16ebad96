import type { ReadDocument } from '../../../core/domain/document.ts';
import type { RecordingChapter, SpeakerNames } from '../../../core/domain/recordings.ts';
import type { PathRule } from '../../../core/domain/included-paths.ts';
import type {
  DocumentEntry,
  SkippedFile,
  SkipCounts,
  Source,
  SourceFolder,
  SourceOrigin,
  SourceState,
} from '../../../core/domain/source.ts';

/** Document to store, with the values that show later changes. */
export interface DocumentInput {
  readonly key: string;
  readonly uri: string;
  /** SHA-256 of the original's bytes, in hexadecimal digits. */
  readonly hash: string;
  /** Size of the original in bytes and its modification time in milliseconds, if it has them. */
  readonly size: number;
  readonly modifiedAt: number;
  readonly document: ReadDocument;
}

/** Document with scanned pages for text recognition. */
export interface ScannedDocument {
  readonly id: number;
  readonly sourceId: string;
  readonly key: string;
  readonly uri: string;
  readonly hash: string;
  /** Pages that wait for text recognition, counted from one. */
  readonly unrecognised: readonly number[];
}

/** Values that show whether a file must be read again. */
export interface DocumentStamp {
  readonly id: number;
  readonly key: string;
  readonly hash: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/** Part of a notebook to which a search is limited. */
export type Within =
  | {
      readonly kind: 'sources';
      readonly sourceIds: readonly string[];
      /** Rules for the included files and folders of these sources; undefined for all. */
      readonly paths?: readonly PathRule[];
    }
  | DocumentsWithin;

/** Some documents of a notebook. */
export interface DocumentsWithin {
  readonly kind: 'documents';
  readonly documentIds: readonly number[];
}

/** Direct contents of a source's folder, sorted by name. */
export interface FolderEntries {
  readonly folders: readonly SourceFolder[];
  readonly documents: readonly DocumentEntry[];
}

/** Source API of the index worker. */
export interface SourcesApi {
  readonly sources: () => readonly Source[];
  readonly documents: (params: { readonly sourceId: string }) => readonly DocumentEntry[];
  /**
   * Returns the direct contents of a source's folder. `path` is '' for the source itself; `rules` are those of the
   * source.
   */
  readonly folderEntries: (params: {
    readonly sourceId: string;
    readonly path: string;
    readonly rules: readonly PathRule[];
  }) => FolderEntries;
  /** Returns the number of included documents for each source with rules. */
  readonly includedDocuments: (params: {
    readonly rules: readonly PathRule[];
  }) => readonly { readonly sourceId: string; readonly documents: number }[];
  /** Undefined if the document was removed. */
  readonly documentEntry: (params: { readonly documentId: number }) => DocumentEntry | undefined;
  /** Returns the documents that a URI opens: several if a file was added both alone and in a folder. */
  readonly documentsAt: (params: { readonly uri: string }) => readonly DocumentEntry[];
  /** Returns the documents with text recognition, the latest read first. */
  readonly scans: () => readonly ScannedDocument[];
  readonly stamps: (params: { readonly sourceId: string }) => readonly DocumentStamp[];
  /** Adds a source, with its document if that was already read, in one transaction. */
  readonly addSource: (params: {
    readonly title: string;
    readonly origin: SourceOrigin;
    readonly document?: DocumentInput | undefined;
  }) => Source;
  /**
   * Changes the address and title of a source whose file or folder was moved, and the folder that must contain it, if
   * it has one.
   */
  readonly relocateSource: (params: {
    readonly sourceId: string;
    readonly title: string;
    readonly uri: string;
    readonly within?: string | undefined;
  }) => void;
  /**
   * Allows a page or site to be read from more hosts of this machine and of private networks. Hosts include their port.
   */
  readonly allowPrivateHosts: (params: {
    readonly sourceId: string;
    readonly hosts: readonly string[];
  }) => void;
  /**
   * Stops all sources from being read from some hosts of this machine and of private networks. Hosts include their
   * port.
   */
  readonly forbidPrivateHosts: (params: { readonly hosts: readonly string[] }) => void;
  readonly renameSource: (params: { readonly sourceId: string; readonly title: string }) => void;
  /** Changes the names of the speakers in a source's recordings, which the next reading applies. */
  readonly nameSpeakers: (params: { readonly sourceId: string; readonly speakers: SpeakerNames }) => void;
  /** Changes the generated chapters of a recording by its key, which the next reading applies; none removes them. */
  readonly setChapters: (params: {
    readonly sourceId: string;
    readonly recording: string;
    readonly chapters: readonly RecordingChapter[];
  }) => void;
  /** Pauses or resumes text recognition for some sources. */
  readonly pauseRecognition: (params: {
    readonly sourceIds: readonly string[];
    readonly isPaused: boolean;
  }) => void;
  readonly setSourceState: (params: { readonly sourceId: string; readonly state: SourceState }) => void;
  /** Finishes the reading of a source: saves its state, the time, and the skipped files. */
  readonly finishSource: (params: {
    readonly sourceId: string;
    readonly skipped: SkipCounts;
    readonly skippedFiles: readonly SkippedFile[];
    readonly state: SourceState;
  }) => void;
  /** Returns the files skipped during the last reading of a source, in that order. */
  readonly skippedFiles: (params: { readonly sourceId: string }) => readonly SkippedFile[];
  /** Claims a waiting source for one window; `false` if another live window has it. */
  readonly claimSource: (params: { readonly sourceId: string; readonly owner: string }) => boolean;
  /** Releases a source that wasn't read completely, so that another window can continue. */
  readonly releaseSource: (params: { readonly sourceId: string; readonly owner: string }) => void;
  readonly removeSources: (params: { readonly sourceIds: readonly string[] }) => void;
  /** Saves a document, and replaces one with the same key. Returns its number of passages. */
  readonly putDocument: (params: { readonly sourceId: string; readonly input: DocumentInput }) => number;
  /** Records a new modification time for unchanged content. */
  readonly touchDocument: (params: {
    readonly documentId: number;
    readonly size: number;
    readonly modifiedAt: number;
  }) => void;
  /** Changes the key and address of an unchanged document whose file was renamed. Citations stay valid. */
  readonly moveDocument: (params: {
    readonly documentId: number;
    readonly key: string;
    readonly uri: string;
    readonly size: number;
    readonly modifiedAt: number;
  }) => void;
  readonly removeDocuments: (params: { readonly documentIds: readonly number[] }) => void;
}
