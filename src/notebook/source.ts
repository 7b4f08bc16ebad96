import type { Byline, Position } from './document.ts';
import type { SiteRules } from './site.ts';

/** Where a file or folder lies. */
interface Place {
  readonly uri: string;
  /**
   * The folder, a URI, in which it has to lie without a link on the way whenever it is read: of what an imported or a
   * shared notebook named. What the user added is read wherever it leads.
   */
  readonly within?: string | undefined;
}

/** Where a source comes from; what refreshing reads again. URIs are strings as `vscode.Uri.toString()` writes them. */
export type SourceOrigin =
  | ({ readonly kind: 'file' } & Place)
  | ({ readonly kind: 'folder' } & Place)
  | {
      readonly kind: 'selection';
      readonly uri: string;
      /** Of text in an editor; words of a PDF have neither this nor a language. */
      readonly start?: Position | undefined;
      readonly languageId?: string | undefined;
    }
  | {
      readonly kind: 'page';
      readonly url: string;
      /** The host of `url`, with its port, where it is private and the user agreed to have it read; none otherwise. */
      readonly privateHosts?: readonly string[];
    }
  | ({ readonly kind: 'site' } & SiteRules)
  | { readonly kind: 'text' }
  /** The text alone of a file, a folder or a selection that is on another machine. */
  | { readonly kind: 'copy'; readonly of: 'file' | 'folder' | 'selection' };

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

/** How far the reading of a source has come. `done` and `total` count documents, or pages where the source is one file. */
export type SourceState =
  | { readonly kind: 'queued' }
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  | { readonly kind: 'ready' }
  /** A crawl that the user paused; it goes on from here. */
  | { readonly kind: 'paused'; readonly done: number; readonly total: number }
  /** Stopped by the user; what was done stays. */
  | { readonly kind: 'stopped'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'failed';
      /** A sentence for the user. */
      readonly reason: string;
      /** The code of the error; undefined for what nobody foresaw, and in notebooks of earlier versions. */
      readonly code?: string;
    };

/** What was passed over while a folder was read, counted by reason. */
export interface SkipCounts {
  readonly binary: number;
  readonly tooLarge: number;
  readonly tooShort: number;
  readonly failed: number;
}

/** A file that was passed over while a folder was read, and the sentence that says why. */
export interface PassedOverFile {
  /** Below the folder. */
  readonly path: string;
  readonly reason: string;
  /** Under what it is counted; undefined where it was listed before this was kept. */
  readonly kind?: keyof SkipCounts | undefined;
}

/** What the user added to a notebook. Times are milliseconds since 1970. */
export interface Source {
  readonly id: string;
  readonly title: string;
  readonly origin: SourceOrigin;
  readonly state: SourceState;
  readonly addedAt: number;
  readonly readAt: number | undefined;
  readonly documents: number;
  readonly passages: number;
  /** How many pages of its documents wait for text recognition. */
  readonly unrecognised: number;
  /** Whether the user paused that. */
  readonly isRecognitionPaused: boolean;
  readonly skipped: SkipCounts;
  /** Who of a team added it and changed it last. */
  readonly team?: {
    readonly addedBy: string;
    readonly addedAt: number;
    readonly changedBy: string;
    readonly changedAt: number;
    /** How many documents the team has of it, where not all of the team's have room on this machine. */
    readonly documents: number | undefined;
  };
}

/** A file or page of a source, as it is listed. `key` names it within its source: a relative path, or '' where there is one only. */
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

/** A folder of a source with documents in it. */
export interface SourceFolder {
  /** Relative to the source, with `/` between names. */
  readonly path: string;
  /** Relative to the folder that it is listed below: several names for a folder that holds nothing but another one. */
  readonly name: string;
  /** How many documents it and the folders in it have. */
  readonly documents: number;
  /** How many of them questions include. */
  readonly included: number;
}

/** The hosts of this machine and of private networks that a source may be read from, each with its port. */
export function listPrivateHosts(origin: SourceOrigin): readonly string[] {
  return ('privateHosts' in origin ? origin.privateHosts : undefined) ?? [];
}

/** Where a source comes from, as one word: that private hosts may be read, or where it has to lie, makes it no other one. */
export function originPlace(origin: SourceOrigin): string {
  return JSON.stringify({ ...origin, privateHosts: undefined, within: undefined });
}
