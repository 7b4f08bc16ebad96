import type { Citation } from '../notebook/answer.ts';
import type { ReadDocument, TextFormat } from '../notebook/document.ts';
import type { Locator } from '../notebook/locator.ts';
import type { FoundPassage, FoundPlace, Gathered } from '../notebook/passage.ts';
import type { PassageSettings } from '../notebook/settings.ts';
import type {
  DocumentEntry,
  PassedOverFile,
  SkipCounts,
  Source,
  SourceOrigin,
  SourceState,
} from '../notebook/source.ts';
import type { Span } from '../notebook/span.ts';
import type { Outline } from '../notebook/suggestions.ts';
import type { ConversationsApi } from './conversations-api.ts';
import type { EmbeddingsApi, QuestionVector } from './embeddings-api.ts';
import type { ModelsApi } from './models-api.ts';
import type { NotesApi } from './notes-api.ts';
import type { SitesApi } from './sites-api.ts';

type None = Record<string, never>;

/** A document to keep: what a reader made of it, and what tells whether it has changed since. */
export interface DocumentInput {
  readonly key: string;
  readonly uri: string;
  /** SHA-256 of the original's bytes, in hexadecimal. */
  readonly hash: string;
  /** The original's size in bytes and time of change in milliseconds, where it has them. */
  readonly size: number;
  readonly modifiedAt: number;
  readonly document: ReadDocument;
}

/** What tells whether a file has to be read again. */
export interface DocumentStamp {
  readonly id: number;
  readonly key: string;
  readonly hash: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/** How a notebook was opened. `notice` is one sentence for the user where something was not as it should be. */
export interface OpenResult {
  readonly readOnly: boolean;
  readonly notice: string | undefined;
}

export interface StoredDocument {
  readonly entry: DocumentEntry;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  readonly text: string;
}

/**
 * What became of cited words: where they stand now, or that the document changed or was removed. `uri` is that of the
 * document today: its file may have been moved since.
 */
export type Whereabouts =
  | { readonly kind: 'found'; readonly uri: string; readonly span: Span; readonly locator: Locator }
  | { readonly kind: 'changed'; readonly uri: string }
  | { readonly kind: 'removed' };

/** Cited words with what stands around them in the document; `mark` is a span of `text`. */
export interface Surroundings {
  readonly text: string;
  readonly mark: Span;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
}

/** A span to be cited with its words as they were read, and the passage that it was found in. */
export interface CiteRequest extends Pick<Citation, 'number' | 'documentId' | 'passage' | 'span' | 'quote'> {
  /** What they were read in; where that was removed since, they are cited by it, as they were read. */
  readonly readIn?: Pick<Citation, 'sourceId' | 'title' | 'place'>;
}

/** The words of a citation, and where they stood. */
export interface CitedWords {
  readonly documentId: number;
  /** Where it is given, words of a document of another source are not these: they were cited in another notebook. */
  readonly sourceId?: string;
  readonly span: Span;
  readonly quote: string;
}

/** The part of a notebook that a search is narrowed to. */
export type Within =
  | { readonly kind: 'sources'; readonly sourceIds: readonly string[] }
  | { readonly kind: 'documents'; readonly documentIds: readonly number[] };

/** A stretch of a document, in UTF-16 code units. */
export interface PassagePlace {
  readonly documentId: number;
  readonly span: Span;
  /** Whether the passages that it touches are meant as a whole. */
  readonly whole?: boolean;
}

/** A line of words to look for; with its vector passages are found by their meaning, too. */
export interface SearchLine {
  readonly words: string;
  readonly vector?: QuestionVector | undefined;
}

/** Sizes in bytes, times in milliseconds. */
export interface IndexStatistics {
  readonly sources: number;
  readonly documents: number;
  readonly passages: number;
  readonly terms: number;
  /** Passages that are found by their meaning, too, and what their vectors take in memory. */
  readonly vectors: number;
  readonly vectorBytes: number;
  readonly databaseBytes: number;
  readonly snapshotBytes: number;
  readonly heapBytes: number;
  /** The last change that the index holds, and the last that its snapshot holds. */
  readonly revision: number;
  readonly snapshotRevision: number;
  /** From opening to the first answer that could be given. */
  readonly openTime: number;
  readonly questions: number;
  readonly lastQuestionTime: number | undefined;
}

/** What the index worker is asked. One worker serves one notebook. */
export interface IndexApi extends ConversationsApi, EmbeddingsApi, ModelsApi, NotesApi, SitesApi {
  /**
   * Opens or makes the notebook in a folder, reads the snapshot and catches up; called first and once. With `access:
   * 'read'` nothing is made or written: see `openDatabaseToRead`.
   */
  readonly open: {
    params: {
      readonly directory: string;
      readonly passages: PassageSettings;
      readonly access?: 'read' | 'write';
    };
    result: OpenResult;
  };
  /** Splits all documents anew, in the background, where these settings differ from the ones they were split with. */
  readonly setPassageSettings: { params: PassageSettings; result: null };

  readonly sources: { params: None; result: readonly Source[] };
  readonly documents: { params: { readonly sourceId: string }; result: readonly DocumentEntry[] };
  /** The documents that a URI opens: more than one where a file was added alone and in a folder. */
  readonly documentsAt: { params: { readonly uri: string }; result: readonly DocumentEntry[] };
  readonly stamps: { params: { readonly sourceId: string }; result: readonly DocumentStamp[] };
  /** Adds a source, with its document where that is already known, in one transaction. */
  readonly addSource: {
    params: {
      readonly title: string;
      readonly origin: SourceOrigin;
      readonly document: DocumentInput | undefined;
    };
    result: Source;
  };
  /** Gives a source the place that its file or folder was moved to, where it has one the folder it has to lie in, and a title. */
  readonly relocateSource: {
    params: {
      readonly sourceId: string;
      readonly title: string;
      readonly uri: string;
      readonly within?: string | undefined;
    };
    result: null;
  };
  /** Lets a page or a site be read from hosts of this machine and of private networks, each with its port, too. */
  readonly allowPrivateHosts: {
    params: { readonly sourceId: string; readonly hosts: readonly string[] };
    result: null;
  };
  readonly renameSource: { params: { readonly sourceId: string; readonly title: string }; result: null };
  readonly setSourceState: {
    params: { readonly sourceId: string; readonly state: SourceState };
    result: null;
  };
  /** Ends a reading: state ready, the time, and what was passed over. */
  readonly finishSource: {
    params: {
      readonly sourceId: string;
      readonly skipped: SkipCounts;
      readonly passedOver: readonly PassedOverFile[];
      readonly state: SourceState;
    };
    result: null;
  };
  /** The files that the last reading of a source passed over, in the order in which they were met. */
  readonly passedOver: { params: { readonly sourceId: string }; result: readonly PassedOverFile[] };
  /** Takes a source that waits to be read for one window; false where another live window has it. */
  readonly claimSource: { params: { readonly sourceId: string; readonly owner: string }; result: boolean };
  /** Gives a source back that was not read to its end, for the next window to go on with. */
  readonly releaseSource: { params: { readonly sourceId: string; readonly owner: string }; result: null };
  readonly removeSources: { params: { readonly sourceIds: readonly string[] }; result: null };
  /** Keeps a document; replaces the one with the same key. Returns its number of passages. */
  readonly putDocument: {
    params: { readonly sourceId: string; readonly input: DocumentInput };
    result: number;
  };
  /** Notes a new time of change where the content is the same. */
  readonly touchDocument: {
    params: { readonly documentId: number; readonly size: number; readonly modifiedAt: number };
    result: null;
  };
  /** Gives a document that is the same as before another key and address: its file was renamed. Citations stay with it. */
  readonly moveDocument: {
    params: {
      readonly documentId: number;
      readonly key: string;
      readonly uri: string;
      readonly size: number;
      readonly modifiedAt: number;
    };
    result: null;
  };
  readonly removeDocuments: { params: { readonly documentIds: readonly number[] }; result: null };

  readonly search: {
    params: {
      readonly question: string;
      readonly limit: number;
      /** Where it is given, passages are found by their meaning, too. */
      readonly vector?: QuestionVector | undefined;
      /** Where it is given, only there. */
      readonly within?: Within | undefined;
      /** Passages that touch this place are left out, and nothing is measured by them. */
      readonly without?: PassagePlace | undefined;
    };
    result: readonly FoundPassage[];
  };
  /**
   * Whole passages of about so many tokens (see `estimateTokens`) for all searches together, best first; everything that
   * could be searched, in its order, where that is no more.
   */
  readonly gather: {
    params: {
      readonly searches: readonly SearchLine[];
      readonly tokens: number;
      /** Where it is given, only there. */
      readonly within?: Within | undefined;
    };
    result: Gathered;
  };
  /** The places that say most to a question, best first, none overlapping another. */
  readonly places: {
    params: SearchLine & {
      /** Where it is given, only there. */
      readonly within?: Within | undefined;
    };
    result: readonly FoundPlace[];
  };
  /** What stands at places, cut to where the documents end; those that are gone are left out. */
  readonly passagesAt: {
    params: { readonly places: readonly PassagePlace[] };
    result: readonly FoundPassage[];
  };
  /** Passages that tell what documents are about, those of the first documents and of their beginnings first. */
  readonly overview: {
    params: {
      /** The name of a source or document; '' for all. */
      readonly about: string;
      readonly limit: number;
      /** Where it is given, only there. */
      readonly within?: Within | undefined;
    };
    result: readonly FoundPassage[];
  };
  readonly document: { params: { readonly documentId: number }; result: StoredDocument };
  /** The headings of documents; without ids, of one of each source that was read lately. */
  readonly outlines: {
    params: { readonly documentIds?: readonly number[] };
    result: readonly Outline[];
  };
  readonly find: { params: CitedWords; result: Whereabouts };
  /** Undefined where the words no longer stand in the document. */
  readonly surroundings: { params: CitedWords; result: Surroundings | undefined };
  readonly cite: {
    params: { readonly requests: readonly CiteRequest[] };
    result: readonly Citation[];
  };

  readonly statistics: { params: None; result: IndexStatistics };
  /** Writes the snapshot where it is out of date, and closes the database. */
  readonly close: { params: None; result: null };
}

/** What the index worker tells. */
export interface IndexEvents {
  /** The notebook was opened anew: its database turned out damaged, or another window has saved it into another one. */
  readonly reopened: { params: OpenResult; result: null };
  /** Sources, documents, passages or notes changed, in this window or another. */
  readonly changed: { params: None; result: null };
  /** Many documents are indexed, for example because the snapshot is missing; `done === total` at the end. */
  readonly indexing: { params: { readonly done: number; readonly total: number }; result: null };
  /** Documents are split anew because the passage settings changed; `done === total` at the end. */
  readonly resplitting: { params: { readonly done: number; readonly total: number }; result: null };
}
