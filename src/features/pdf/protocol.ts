import type { PageNumber } from '../../core/domain/page-number.ts';
import type { AnnotationEdit, AnnotationsByKey } from '../../core/domain/annotation.ts';
import type { FieldEdit, FilledFields } from '../../core/domain/form-states.ts';
import type { Byline } from '../../core/domain/document.ts';
import type { PageRectangle } from '../../core/domain/locator.ts';
import type { DrawnFigure, PdfView } from '../../core/rpc/figure.ts';
import type { PlacedRun, RecognizedRun } from '../../core/domain/pdf-map.ts';
import type { TextFormat } from '../../core/language/units.ts';
import type { Span } from '../../core/language/span.ts';

/** Area of cited text to show and mark. */
export interface PdfMark {
  readonly page: PageNumber;
  readonly rectangles: readonly PageRectangle[];
}

/** Cited text of a PDF in page order; `current` is the index of the mark to reveal. */
export interface PdfMarks {
  readonly marks: readonly PdfMark[];
  readonly current: number;
}

/** Selection in a PDF; '' if there is none. `pages` are the printed numbers: `12`, `iv–v`. */
export interface PdfSelection {
  readonly text: string;
  readonly pages: string;
  /** Location of the text, in order. */
  readonly runs: readonly PlacedRun[];
  /** Printed numbers of its pages, if they have any. */
  readonly labels: Readonly<Record<number, string>>;
}

/** Annotations of a PDF that changed since it was opened, and the object names of the saved ones. */
export interface PdfAnnotations {
  readonly current: AnnotationsByKey;
  readonly refs: Readonly<Record<string, string>>;
}

/** Reader's exact position in a PDF, to restore it later. */
export interface PdfPosition {
  readonly page: PageNumber;
  /** Upper left corner of the window on the page, in points from the page's lower left. */
  readonly left?: number | undefined;
  readonly top?: number | undefined;
  /** Number, or the way that the scale follows the window. */
  readonly scale?: string | undefined;
  readonly isDouble?: boolean | undefined;
}

/** Mark on a page, for a note. */
export interface PdfMarked {
  /** Rectangle around the whole mark. */
  readonly region: PageRectangle;
  /** '' if no text is marked. */
  readonly words: string;
  /** User's comment. */
  readonly remark: string;
  /** Contents of a box. */
  readonly picture?: DrawnFigure | undefined;
}

/** Commands of the PDF viewer to the extension. */
export type ViewerCommand =
  | 'addSelection'
  | 'askAboutSelection'
  | 'togglePresentation'
  | 'undo'
  | 'redo'
  | 'save'
  | 'print';

/** Requests of the PDF viewer to the extension. */
export interface PdfHostApi {
  /**
   * Reports once that the viewer is loaded; nothing is sent to it before. `inverted` shows pages in dark colors in dark
   * themes.
   */
  readonly ready: () => {
    readonly view: PdfView;
    /** One-based pages with text from text recognition. */
    readonly recognised: readonly number[];
    readonly marks: PdfMarks | undefined;
    readonly inverted: boolean;
    readonly annotations: PdfAnnotations;
    /** Wanted values of form fields. */
    readonly filled: FilledFields;
    /** Reader's position when the file was last open. */
    readonly position: PdfPosition | undefined;
  };
  /** Changes an annotation; can be undone. */
  readonly edit: (params: AnnotationEdit) => void;
  /** Fills in a field of the form; can be undone. */
  readonly fillIn: (params: FieldEdit) => void;
  /** Returns the reason why the form can't be filled in. */
  readonly formProblem: () => { readonly message: string; readonly isLocked: boolean } | undefined;
  /** Reads the file from `begin` up to, but not including, `end`; fewer bytes if it has become shorter. */
  readonly bytes: (params: { readonly begin: number; readonly end: number }) => Uint8Array;
  /** Returns the words that text recognition found on a page. */
  readonly recognizedWords: (params: { readonly page: PageNumber }) => readonly RecognizedRun[];
  readonly setInverted: (params: { readonly inverted: boolean }) => void;
  /** Runs a command for the selection or the editor. */
  readonly run: (params: { readonly command: ViewerCommand }) => void;
  /** Adds marks to a note. */
  readonly addMarked: (params: { readonly marked: readonly PdfMarked[] }) => void;
  /** Saves the reader's position for the next time that the file is opened. */
  readonly keepPosition: (params: PdfPosition) => void;
  /** Asks for the password of an encrypted PDF; null if the user canceled. `wasWrong`: the last password was wrong. */
  readonly password: (params: { readonly wasWrong: boolean }) => string | null;
  /** Reports that the PDF is open. */
  readonly opened: () => void;
}

/** Requests of the extension to the PDF viewer. */
export interface PdfViewerApi {
  readonly reveal: (params: PdfMarks) => void;
  readonly selection: () => PdfSelection;
  /** Adds the selection in the list of highlights to a note, or all highlights if nothing is selected. */
  readonly addListed: () => void;
  /** Turns entered text into an edit, and resolves once all edits are reported. */
  readonly flush: () => void;
  /** Reports that annotations were undone, redone, saved, or reverted. */
  readonly annotations: (params: PdfAnnotations) => void;
  /** Reports that filled fields were undone, redone, saved, or reverted. */
  readonly filled: (params: FilledFields) => void;
}

/** Passage at the time of its citation, for when its source has changed or is gone. */
export interface StoredPassage {
  readonly title: string;
  readonly place: string;
  /** URI of the original if it can still be opened; otherwise ''. */
  readonly uri: string;
  /** Notice about changes of the source. */
  readonly notice: string;
  readonly text: string;
  /** Cited text. */
  readonly mark: Span;
  readonly format: TextFormat;
  readonly languageId?: string | undefined;
}

/** State of the reading view, which restores it after a reload. */
export type PageState =
  | {
      readonly documentId: number;
      /** Key of the notebook that contains the document. */
      readonly notebook: string;
    }
  | { readonly stored: StoredPassage };

/** Saved page, pasted text, or stored passage: Markdown, and the text in it to mark. */
export interface SavedPageView {
  readonly state: PageState;
  readonly title: string;
  /** Notice about the source of a stored passage. */
  readonly notice?: string;
  /** Live URL; undefined for pasted text. */
  readonly url: string | undefined;
  /** Name of the original file, if any, which can be opened beside its text. */
  readonly fileName: string | undefined;
  /** Creation time of the copy, in milliseconds since 1970; undefined for a stored passage. */
  readonly savedAt: number | undefined;
  readonly byline: Byline | undefined;
  readonly markdown: string;
  readonly mark: Span | undefined;
}

/** Requests of a saved page's reading view to the extension. */
export interface SavedPageHostApi {
  readonly ready: () => SavedPageView;
  /** Reports that the user used the mouse or the keyboard in the page. */
  readonly used: () => void;
  /** Opens the original file with the system's default program. */
  readonly openFile: () => void;
  /** Opens the live page at the marked text; other links of the page by their URL. */
  readonly openLink: (params: { readonly url: string }) => void;
}

/** Requests of the extension to a saved page's reading view. */
export interface SavedPageApi {
  readonly reveal: (params: { readonly mark: Span }) => void;
}
