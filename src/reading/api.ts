import type { Report } from '../messages/rpc.ts';
import type { ReadDocument } from '../notebook/document.ts';
import type { AnnotationChange, WantedAnnotations } from '../notebook/annotation.ts';
import type { FieldEdit } from '../notebook/form-states.ts';
import type { JudgedPage } from '../notebook/page-report.ts';
import type { FilePicture, InnerPicture } from './file-pictures.ts';
import type { KnowledgeReading, KnowledgeRequest } from './knowledge-base.ts';
import type { Savable, SavedAnnotations } from './pdf/saving/save-annotations.ts';
import type { SitePageReading, SitePageRequest } from './sites/read-site-page.ts';
import type { SiteList, SiteListRequest } from './sites/site-lists.ts';

/** In which languages text is recognised, as one word, and the file in which it is kept what was recognised. */
export interface Recognition {
  readonly languages: string;
  readonly store: string;
}

/** What to read: a file that the worker opens itself, or bytes that the editor fetched. */
export interface ReadRequest {
  readonly content:
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array };
  /** The file's name with its ending, which tells the format where `mediaType` does not. */
  readonly name: string;
  readonly mediaType: string | undefined;
  /** The address that a web page came from: its main content is taken, links are made absolute, the text is kept as Markdown. */
  readonly pageUrl: string | undefined;
  /** The content hash of what is already in the notebook; reading stops at once where it is the same. */
  readonly knownHash: string | undefined;
  /** Documents with fewer characters are refused with `too-short`. */
  readonly minimumLength: number;
  /** Opens an encrypted PDF. */
  readonly password?: string | undefined;
  /** How pages without text are recognised; they are not where nothing is said. */
  readonly recognition?: Recognition | undefined;
  /** What the notebook keeps of what is marked in a PDF. */
  readonly kept?: WantedAnnotations | undefined;
}

export type ReadResult =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'read'; readonly hash: string; readonly document: ReadDocument };

/** A picture that stands in a file, and the file. */
export interface PictureRequest extends Pick<ReadRequest, 'content' | 'name'> {
  readonly mediaType: string;
  readonly picture: InnerPicture;
}

/** A PDF, and what of its annotations is to be changed. */
export interface AnnotationsRequest extends Pick<ReadRequest, 'content' | 'name'> {
  readonly changes: readonly AnnotationChange[];
  /** What its form is to be filled in with. */
  readonly fields: readonly FieldEdit[];
  /** Whether fields that others filled in meanwhile are to hold what is wanted here all the same. */
  readonly isOverwriting: boolean;
}

/** What is put behind a PDF; where fields of its form conflict, nothing is. */
export interface SavedPdf extends SavedAnnotations {
  readonly conflicts: readonly string[];
}

/** A web page, and its address. */
export interface PageRequest extends Pick<ReadRequest, 'content' | 'name'> {
  readonly url: string;
}

/** Pages done of a PDF. */
export interface ReadProgress {
  readonly done: number;
  readonly total: number;
}

/** What a reader worker is asked. */
export interface ReaderApi {
  readonly read: (params: ReadRequest, report: Report<ReadProgress>) => ReadResult;
  /** A picture as a PDF of the same looks. @throws NotebookError */
  readonly pdfOfPicture: (params: Pick<ReadRequest, 'content' | 'name'>) => Uint8Array;
  /** Undefined where there is none. */
  readonly readPicture: (params: PictureRequest) => FilePicture | undefined;
  readonly readKnowledge: (params: KnowledgeRequest) => KnowledgeReading;
  /** Whether annotations can be saved in a PDF. @throws NotebookError */
  readonly savableAnnotations: (params: Pick<ReadRequest, 'content' | 'name'>) => Savable;
  /** Which blocks of a page are taken, and why. @throws NotebookError */
  readonly explainPage: (params: PageRequest) => JudgedPage;
  /** What is to be put behind a PDF for its annotations and its form to be changed. @throws NotebookError */
  readonly saveAnnotations: (params: AnnotationsRequest) => SavedPdf;
  readonly readSitePage: (params: SitePageRequest, report: Report<ReadProgress>) => SitePageReading;
  readonly readSiteList: (params: SiteListRequest) => SiteList;
}
