import type { AnnotationEdit, WantedAnnotations } from '../notebook/annotation.ts';
import type { FieldEdit, FilledFields } from '../notebook/form-states.ts';
import type { Byline } from '../notebook/document.ts';
import type { PageRectangle } from '../notebook/locator.ts';
import type { DrawnFigure, PdfView } from './figure.ts';
import type { PlacedRun, RecognisedRun } from '../notebook/pdf-map.ts';
import type { TextFormat } from '../language/units.ts';
import type { Span } from '../language/span.ts';

/** Words to show and mark. */
export interface PdfMark {
  readonly page: number;
  readonly rectangles: readonly PageRectangle[];
}

/** The words of a PDF that an answer cites, in their order on its pages, and which of them to bring into view. */
export interface PdfMarks {
  readonly marks: readonly PdfMark[];
  readonly current: number;
}

/** What is selected in a PDF: '' where nothing is. `pages` are the printed numbers: `12`, `iv–v`. */
export interface PdfSelection {
  readonly text: string;
  readonly pages: string;
  /** Where the text stands, in its order. */
  readonly runs: readonly PlacedRun[];
  /** The printed numbers of the pages that it stands on, where they have any. */
  readonly labels: Readonly<Record<number, string>>;
}

/** The annotations of a PDF that were changed since it was opened, and the names of the objects of those that were saved. */
export interface PdfAnnotations {
  readonly wanted: WantedAnnotations;
  readonly refs: Readonly<Record<string, string>>;
}

/** Where the reader is in a PDF, so exactly that the same can be shown again. */
export interface PdfPosition {
  readonly page: number;
  /** Of the window's upper left corner on the page, in points from the page's lower left. */
  readonly left?: number | undefined;
  readonly top?: number | undefined;
  /** A number, or how it follows the window. */
  readonly scale?: string | undefined;
  readonly isDouble?: boolean | undefined;
}

/** What is marked on a page, for a note. */
export interface PdfMarked {
  /** Around all of it. */
  readonly region: PageRectangle;
  /** '' where no words are marked. */
  readonly words: string;
  /** What the user says of it. */
  readonly remark: string;
  /** Of a box, what is in it. */
  readonly picture?: DrawnFigure | undefined;
}

/** What the PDF viewer has done elsewhere. */
export type ViewerCommand =
  | 'addSelection'
  | 'askAboutSelection'
  | 'togglePresentation'
  | 'undo'
  | 'redo'
  | 'save'
  | 'print';

/** What the PDF viewer asks of the extension. */
export interface PdfHostApi {
  /** Said once by a loaded viewer; nothing is sent to it before. `inverted`: pages are shown in dark colours in dark themes. */
  readonly ready: () => {
    readonly view: PdfView;
    /** The pages, counted from one, whose text was recognised in their pictures. */
    readonly recognised: readonly number[];
    readonly marks: PdfMarks | undefined;
    readonly inverted: boolean;
    readonly annotations: PdfAnnotations;
    /** What fields of its form are wanted to hold. */
    readonly filled: FilledFields;
    /** Where the reader was when the file was open last. */
    readonly position: PdfPosition | undefined;
  };
  /** Changes an annotation, in a way that can be undone. */
  readonly edit: (params: AnnotationEdit) => void;
  /** Fills in a field of the form, in a way that can be undone. */
  readonly fillIn: (params: FieldEdit) => void;
  /** What stands in the way of filling in the form. */
  readonly formProblem: () => { readonly message: string; readonly isLocked: boolean } | undefined;
  /** Reads the file from `begin` on and before `end`; fewer bytes come where it has become shorter. */
  readonly bytes: (params: { readonly begin: number; readonly end: number }) => Uint8Array;
  /** The words that were recognised on a page. */
  readonly recognisedWords: (params: { readonly page: number }) => readonly RecognisedRun[];
  readonly setInverted: (params: { readonly inverted: boolean }) => void;
  /** Does something with what is selected, or with the editor. */
  readonly run: (params: { readonly command: ViewerCommand }) => void;
  /** Adds what is marked to a note. */
  readonly addMarked: (params: { readonly marked: readonly PdfMarked[] }) => void;
  /** Keeps where the reader is, for when the file is opened again. */
  readonly keepPosition: (params: PdfPosition) => void;
  /** Asks for the password of an encrypted PDF; null where the user would not say. `wasWrong`: the last one did not open it. */
  readonly password: (params: { readonly wasWrong: boolean }) => string | null;
  /** The PDF is open. */
  readonly opened: () => void;
}

/** What the extension tells the PDF viewer. */
export interface PdfViewerApi {
  readonly reveal: (params: PdfMarks) => void;
  readonly selection: () => PdfSelection;
  /** Has what is selected in the list of highlights added to a note. */
  readonly addListed: () => void;
  /** Resolves once all edits are told, and what was typed is one. */
  readonly flush: () => void;
  /** Annotations were undone, redone, saved or taken back. */
  readonly annotations: (params: PdfAnnotations) => void;
  /** What was filled in was undone, redone, saved or taken back. */
  readonly filled: (params: FilledFields) => void;
}

/** A passage as it was when it was cited, for when its source has changed or is gone. */
export interface StoredPassage {
  readonly title: string;
  readonly place: string;
  /** The original's URI if it can still be opened; else ''. */
  readonly uri: string;
  /** Says what became of the source. */
  readonly notice: string;
  readonly text: string;
  /** The cited words. */
  readonly mark: Span;
  readonly format: TextFormat;
  readonly languageId?: string | undefined;
}

/** Kept by the reading view as its state, by which it is restored after a reload. */
export type PageState =
  | {
      readonly documentId: number;
      /** The key of the notebook that holds the document. */
      readonly notebook: string;
    }
  | { readonly stored: StoredPassage };

/** A saved page, a pasted text or a stored passage: Markdown, and the words in it to mark. */
export interface SavedPageView {
  readonly state: PageState;
  readonly title: string;
  /** Says what became of the source of a stored passage. */
  readonly notice?: string;
  /** The live address, or undefined for pasted text. */
  readonly url: string | undefined;
  /** The name of the file that was read, where there is one: it can be opened beside its reading. */
  readonly fileName: string | undefined;
  /** When the copy was made, in milliseconds since 1970; undefined of a stored passage. */
  readonly savedAt: number | undefined;
  readonly byline: Byline | undefined;
  readonly markdown: string;
  readonly mark: Span | undefined;
}

/** What the reading view of a saved page asks of the extension. */
export interface SavedPageHostApi {
  readonly ready: () => SavedPageView;
  /** The user clicked or pressed a key in the page. */
  readonly used: () => void;
  /** Opens the file that was read, with the program that the system has for it. */
  readonly openFile: () => void;
  /** Opens the live page at the marked words; other links of the page by their address. */
  readonly openLink: (params: { readonly url: string }) => void;
}

/** What the extension tells the reading view of a saved page. */
export interface SavedPageApi {
  readonly reveal: (params: { readonly mark: Span }) => void;
}
