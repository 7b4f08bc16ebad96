import type { Report } from '../core/rpc/rpc.ts';
import type { ReadDocument } from '../core/domain/document.ts';
import type { AnnotationChange, AnnotationsByKey } from '../core/domain/annotation.ts';
import type {
  RecordedSound,
  RecordingDetails,
  RecordingPart,
  RecordingPlan,
  Speaker,
  GeneratedChapters,
  SpeakerNames,
} from '../core/domain/recordings.ts';
import type { FieldEdit } from '../core/domain/form-states.ts';
import type { JudgedPage } from '../core/domain/page-report.ts';
import type { FilePicture, InnerPicture } from './file-pictures.ts';
import type { KnowledgeReading, KnowledgeRequest } from './knowledge-base.ts';
import type { Savable, SavedAnnotations } from './pdf/saving/save-annotations.ts';
import type { VideoText } from './recordings/page-transcript.ts';
import type { PageCaptions } from './web/page-captions.ts';
import type { SitePageReading, SitePageRequest } from './sites/read-site-page.ts';
import type { SiteList, SiteListRequest } from './sites/site-lists.ts';

/** Settings of text recognition (OCR): its languages, joined by plus signs, and the file that stores its results. */
export interface Recognition {
  readonly languages: string;
  readonly store: string;
}

/** Request to read a file that the worker opens itself, or bytes that the editor downloaded. */
export interface ReadRequest {
  readonly content:
    /** `size` is about the size of the file in bytes, if known. */
    | { readonly kind: 'path'; readonly path: string; readonly size?: number }
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array };
  /** File name with its extension, which determines the format if `mediaType` doesn't. */
  readonly name: string;
  readonly mediaType?: string | undefined;
  /** URL of a web page: the worker extracts the main content, makes links absolute, and saves the text as Markdown. */
  readonly pageUrl?: string | undefined;
  /** Content hash of the saved version; reading stops at once if it is the same. */
  readonly knownHash?: string | undefined;
  /** Documents with fewer characters are refused with `too-short`. */
  readonly minimumLength: number;
  /** Opens an encrypted PDF. */
  readonly password?: string | undefined;
  /** Settings for pages without text. If undefined, their text isn't recognized. */
  readonly recognition?: Recognition | undefined;
  /** Changes to the PDF's annotations that the notebook saved. */
  readonly storedAnnotations?: AnnotationsByKey | undefined;
  /** Captions beside a recording. */
  readonly captions?: Pick<ReadRequest, 'content' | 'name'> | undefined;
  /** Chapters beside a recording, as WebVTT. */
  readonly chapters?: Pick<ReadRequest, 'content' | 'name'> | undefined;
  /** Path of the folder with the stored transcripts of recordings. */
  readonly transcripts?: string | undefined;
  /** Captions or a transcript of the video on a page. */
  readonly video?: VideoText | undefined;
  /** Names of the speakers in a recording. */
  readonly speakers?: SpeakerNames | undefined;
  /** Chapters that were generated for recordings of its source. */
  readonly generatedChapters?: GeneratedChapters | undefined;
}

export type ReadResult =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'read'; readonly hash: string; readonly document: ReadDocument };

/** Request for a picture inside a file. */
export interface PictureRequest extends Pick<ReadRequest, 'content' | 'name'> {
  readonly mediaType: string;
  readonly picture: InnerPicture;
}

/** Changes to a PDF's annotations and form. */
export interface AnnotationsRequest extends Pick<ReadRequest, 'content' | 'name'> {
  readonly changes: readonly AnnotationChange[];
  /** Values for the fields of its form. */
  readonly fields: readonly FieldEdit[];
  /** `true` to overwrite fields that someone else filled in meanwhile. */
  readonly isOverwriting: boolean;
}

/** Bytes to append to a PDF; empty if fields of its form conflict. */
export interface SavedPdf extends SavedAnnotations {
  readonly conflicts: readonly string[];
}

/** A web page, and its address. */
export interface PageRequest extends Pick<ReadRequest, 'content' | 'name'> {
  readonly url: string;
}

/** Number of PDF pages that were read. */
export interface ReadProgress {
  readonly done: number;
  readonly total: number;
}

/** Requests that a reader worker handles. */
export interface ReaderApi {
  readonly read: (params: ReadRequest, report: Report<ReadProgress>) => ReadResult;
  /** Returns a PDF that looks like a picture. @throws NotebookError */
  readonly pdfOfPicture: (params: Pick<ReadRequest, 'content' | 'name'>) => Uint8Array;
  /** Returns the picture, or undefined if there is none. */
  readonly readPicture: (params: PictureRequest) => FilePicture | undefined;
  readonly readKnowledge: (params: KnowledgeRequest) => KnowledgeReading;
  /** Reports whether annotations can be saved in a PDF. @throws NotebookError */
  readonly savableAnnotations: (params: Pick<ReadRequest, 'content' | 'name'>) => Savable;
  /** Returns the captions that a page with a video offers; undefined if it isn't about a video. */
  readonly findPageCaptions: (params: PageRequest) => PageCaptions | undefined;
  /** Returns the blocks of a page with the reasons for keeping or dropping each. @throws NotebookError */
  readonly explainPage: (params: PageRequest) => JudgedPage;
  /** Returns the bytes to append to a PDF to change its annotations and form. @throws NotebookError */
  readonly saveAnnotations: (params: AnnotationsRequest) => SavedPdf;
  readonly readSitePage: (params: SitePageRequest, report: Report<ReadProgress>) => SitePageReading;
  /** Returns the duration and the tracks of a recording. @throws NotebookError */
  readonly describeRecording: (params: Pick<ReadRequest, 'content' | 'name'>) => RecordingDetails;
  /** Returns the SHA-256 of a file as lowercase hexadecimal digits and its size in bytes. @throws NotebookError */
  readonly hashRecording: (params: Pick<ReadRequest, 'content' | 'name'>) => {
    readonly hash: string;
    readonly size: number;
  };
  /** Returns the speakers that the captions or the transcript of a recording name. @throws NotebookError */
  readonly listSpeakers: (
    params: Pick<ReadRequest, 'captions' | 'content' | 'name' | 'transcripts'>,
  ) => readonly Speaker[];
  /** Returns the parts in which a recording is transcribed. @throws NotebookError */
  readonly planRecording: (params: Pick<ReadRequest, 'content' | 'name'>) => RecordingPlan;
  /** Returns the sound of a part of a recording. @throws NotebookError */
  readonly cutRecording: (
    params: Pick<ReadRequest, 'content' | 'name'> & { readonly part: RecordingPart },
  ) => RecordedSound;
  readonly readSiteList: (params: SiteListRequest) => SiteList;
}
