import type { Byline, Position } from './document.ts';
import type { GeneratedChapters, SpeakerNames } from './recordings.ts';
import type { SiteRules } from './site.ts';

/** Changes of the user to the recordings of a source, which its next reading applies. */
export interface RecordingChanges {
  /** Names of the speakers. */
  readonly speakers?: SpeakerNames | undefined;
  readonly chapters?: GeneratedChapters | undefined;
}

/** Location of a file or folder. */
interface Place extends RecordingChanges {
  readonly uri: string;
  /**
   * URI of the folder that has to contain it without links on the way, at every reading. Set for paths from an imported
   * or shared notebook; sources added by the user are read wherever their path leads.
   */
  readonly within?: string | undefined;
}

/** Origin of a source, which a refresh reads again. URIs are strings in the format of `vscode.Uri.toString()`. */
export type SourceOrigin =
  | ({ readonly kind: 'file' } & Place)
  | ({ readonly kind: 'folder' } & Place)
  | {
      readonly kind: 'selection';
      readonly uri: string;
      /** Start of a text in an editor; text of a PDF has neither a start nor a language. */
      readonly start?: Position | undefined;
      readonly languageId?: string | undefined;
    }
  | {
      readonly kind: 'page';
      readonly url: string;
      /** Host of `url`, with its port, if it's private and the user allowed it; otherwise empty. */
      readonly privateHosts?: readonly string[];
    }
  | ({ readonly kind: 'site' } & SiteRules)
  | { readonly kind: 'text' }
  /** Only the text of a file, a folder, or a selection on another machine. */
  | ({ readonly kind: 'copy'; readonly of: 'file' | 'folder' | 'selection' } & RecordingChanges);

export type SourceKind = SourceOrigin['kind'];

export const SOURCE_KINDS = [
  'file',
  'folder',
  'selection',
  'page',
  'site',
  'text',
  'copy',
] as const satisfies readonly SourceKind[];

/** Progress of reading a source. `done` and `total` count documents, or pages if the source is one file. */
export type SourceState =
  | { readonly kind: 'queued' }
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  | { readonly kind: 'ready' }
  /** A crawl that the user paused and can resume. */
  | { readonly kind: 'paused'; readonly done: number; readonly total: number }
  /** Stopped by the user; the documents so far remain. */
  | { readonly kind: 'stopped'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'failed';
      /** A sentence for the user. */
      readonly reason: string;
      /** Error code; undefined for unexpected errors, and in notebooks of earlier versions. */
      readonly code?: string;
    };

/** Numbers of skipped files in a folder by reason. */
export interface SkipCounts {
  readonly binary: number;
  readonly tooLarge: number;
  readonly tooShort: number;
  readonly failed: number;
}

/** Skipped file in a folder, and the reason in one sentence. */
export interface SkippedFile {
  /** Path relative to the folder. */
  readonly path: string;
  readonly reason: string;
  /** Reason for the count; undefined in lists of earlier versions. */
  readonly kind?: keyof SkipCounts | undefined;
}

/** Source of a notebook. Times are milliseconds since 1970. */
export interface Source {
  readonly id: string;
  readonly title: string;
  readonly origin: SourceOrigin;
  readonly state: SourceState;
  readonly addedAt: number;
  readonly readAt: number | undefined;
  readonly documents: number;
  readonly passages: number;
  /** Number of pages that wait for text recognition. */
  readonly unrecognised: number;
  /** `true` if the user paused text recognition. */
  readonly isRecognitionPaused: boolean;
  readonly skipped: SkipCounts;
  /** Team members who added it and changed it last. */
  readonly team?: {
    readonly addedBy: string;
    readonly addedAt: number;
    readonly changedBy: string;
    readonly changedAt: number;
    /** Number of documents in the team notebook, if this machine doesn't have room for all of them. */
    readonly documents: number | undefined;
  };
}

/**
 * File or page of a source in a list. `key` identifies it within its source: a relative path, or '' if there is only
 * one.
 */
export interface DocumentEntry {
  readonly id: number;
  readonly sourceId: string;
  readonly key: string;
  readonly title: string;
  /** The URI or address that opens the original, or '' for pasted text. */
  readonly uri: string;
  readonly mediaType: string;
  readonly passages: number;
  readonly readAt: number;
  readonly warnings: readonly string[];
  readonly byline: Byline | undefined;
}

/** Folder of a source that contains documents. */
export interface SourceFolder {
  /** Path relative to the source, with `/` between names. */
  readonly path: string;
  /** Path relative to the parent in the list; several names if a folder contains only another folder. */
  readonly name: string;
  /** Number of documents in it and its subfolders. */
  readonly documents: number;
  /** Number of included documents. */
  readonly included: number;
}

/** Returns the allowed hosts of a source on this machine and in private networks, each with its port. */
export function listPrivateHosts(origin: SourceOrigin): readonly string[] {
  return ('privateHosts' in origin ? origin.privateHosts : undefined) ?? [];
}

/**
 * Returns a key for the origin of a source, independent of allowed private hosts, the containing folder, and changes to
 * recordings.
 */
export function originPlace(origin: SourceOrigin): string {
  const varying = { privateHosts: undefined, within: undefined, speakers: undefined, chapters: undefined };
  return JSON.stringify({ ...origin, ...varying });
}

/** Returns the changes of the user to the recordings of a source. */
export function recordingChanges(origin: SourceOrigin): RecordingChanges {
  if (origin.kind !== 'file' && origin.kind !== 'folder' && origin.kind !== 'copy') return {};
  const { speakers, chapters } = origin;
  return { ...(speakers && { speakers }), ...(chapters && { chapters }) };
}
