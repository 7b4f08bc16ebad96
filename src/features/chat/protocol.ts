import type { AnswerEvent, Rating, Turn, Verdict } from '../../core/domain/answer.ts';
import type { DocumentCount, SourceCount } from '../../core/domain/counts.ts';
import type { ErrorAction } from '../../core/domain/errors.ts';
import type { TextFormat } from '../../core/language/units.ts';
import type { SourceKind } from '../../core/domain/source.ts';
import type { Span } from '../../core/language/span.ts';
import type { Prices } from '../../core/domain/usage.ts';
import type { Change } from '../../core/rpc/shared-state.ts';
import type { DrawnFigure, FigureBytes, FigureLimits, FigureSource } from '../../core/rpc/figure.ts';

/**
 * Search scope of questions, with counts of the sources that are ready. `documents` is omitted if each source is one
 * document.
 */
export type RequestedScope =
  | { readonly kind: 'notebook'; readonly documents?: DocumentCount }
  | ({ readonly kind: 'sources' } & SourceCount)
  | { readonly kind: 'file' };

/** Source that a question can mention. */
export interface MentionableSource {
  readonly title: string;
  readonly kind: SourceKind;
}

/** Model that may cost money, and that checks facts only after the user's consent. */
export interface FactCheckRequest {
  readonly model: string;
  /** Name of its server for the user. */
  readonly server: string;
  /** Undefined if they are unknown. */
  readonly prices?: Prices | undefined;
}

/** Offer that a model that may cost money checks every answer from now on. */
export interface FactCheckOffer extends FactCheckRequest {
  /** Answer to check first. */
  readonly turnId: string;
  /** Estimate for a check of that answer, in tokens, and in US dollars if prices are known. */
  readonly tokens: number;
  readonly cost: number | undefined;
}

/**
 * Offer of a local embedding model, and the progress after the user accepts it. Sizes are formatted for display, such
 * as "131 MB".
 */
export interface SemanticSearchOffer {
  /** Answer with the offer below it. */
  readonly turnId: string;
  /** Name of the model, with its license if that is known. */
  readonly model: string;
  readonly size: string;
  /** Host or folder to download the model from. */
  readonly origin: string;
  readonly state:
    | { readonly kind: 'offered' }
    /** Another window is downloading the model. */
    | { readonly kind: 'waiting' }
    | { readonly kind: 'downloading'; readonly downloaded: string }
    | { readonly kind: 'verifying' }
    /** Progress in passages; `total` is 0 until the passages are counted. */
    | { readonly kind: 'embedding'; readonly done: number; readonly total: number }
    | { readonly kind: 'failed'; readonly message: string; readonly opensSettings: boolean };
}

/** Statement and its correction by a model. */
export interface ProposedCorrection {
  readonly before: string;
  /** Empty if the sources support no part of it. */
  readonly after: string;
  /** Verdict on the correction; undefined if there is nothing to check. */
  readonly verdict: Verdict | undefined;
  /** Text of the source that determines the verdict. */
  readonly deciding: string | undefined;
}

/**
 * Change of a citation since its creation: its text is no longer in the document, the document is no longer in the
 * notebook, or it has another name. `title` is its current name.
 */
export interface CitationChange extends CitationReference {
  readonly kind: 'changed' | 'removed' | 'renamed';
  readonly title: string;
  /** Number of the answer's version; undefined if there is only one. */
  readonly version: number | undefined;
}

/** Reason why the last answer that should have been checked isn't fact-checked. */
export interface FactCheckFailure {
  readonly turnId: string;
  readonly message: string;
  readonly action: ErrorAction | undefined;
}

/** Complete state of the chat panel. */
export interface PanelState {
  readonly turns: readonly Turn[];
  /** Number of earlier turns in the conversation. */
  readonly earlier: number;
  /** Numbers of sources that are ready, and of those still being read. */
  readonly sources: { readonly ready: number; readonly working: number };
  /** Name of the model; undefined if answers are excerpts. */
  readonly model: string | undefined;
  /** `true` to offer a model below excerpts: the user has never selected one or declined the offer. */
  readonly offersModel: boolean;
  readonly semanticSearchOffer: SemanticSearchOffer | undefined;
  readonly factCheckOffer: FactCheckOffer | undefined;
  readonly factCheckFailure: FactCheckFailure | undefined;
  readonly scope: RequestedScope;
  /** Citations of these turns that have changed since their creation. */
  readonly citationChanges: readonly CitationChange[];
}

/** Dropped file without a path on disk, with its path in the dropped item: its name, or `FOLDER/…/NAME`. */
export interface DroppedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Reference to a citation of an answer. */
export interface CitationReference {
  readonly turnId: string;
  readonly citation: number;
}

/** Hover card of a citation. `text` is the document around the passage, and `mark` the supporting text in it. */
export interface CitationCard {
  readonly title: string;
  readonly place: string;
  readonly text: string;
  readonly mark: Span;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  /** Spans of `text` with a low confidence of text recognition. */
  readonly doubtful: readonly Span[];
  /** One sentence if the source no longer has the cited text, for example because it was removed. */
  readonly note: string | undefined;
}

/** Commands of an empty panel, a failed answer, and the input's model button. */
export type PanelCommand =
  | Exclude<ErrorAction, 'addAskedFile' | 'tryAgain'>
  | 'addFiles'
  | 'addPage'
  | 'addText'
  | 'pickWayToAdd'
  | 'trySample';

/** Requests to the extension of a page with cited text; `turnId` identifies the text, such as the turn of an answer. */
export interface CitedTextApi {
  readonly openCitation: (params: CitationReference & { readonly beside: boolean }) => void;
  /** Searches passages similar to a citation, which arrive as a turn. */
  readonly findMoreLike: (params: CitationReference) => void;
  readonly citationCard: (params: CitationReference) => CitationCard;
  /** Returns the source of a citation's figure. */
  readonly figure: (params: CitationReference) => FigureSource;
  readonly figureBytes: (params: FigureBytes) => Uint8Array;
  /** Opens the figure of a citation at its caption. */
  readonly openFigure: (params: CitationReference & { readonly beside: boolean }) => void;
  /** Inserts code at the cursor of the last focused editor. */
  readonly insertCode: (params: { readonly code: string }) => void;
  /** Returns the program that draws diagrams. */
  readonly diagramProgram: () => string;
  readonly copy: (params: { readonly text: string }) => void;
  /** Copies a link to a citation. */
  readonly copyLink: (params: CitationReference) => void;
  /** Opens a web URL after VS Code has asked for permission. */
  readonly openLink: (params: { readonly url: string }) => void;
}

/** Requests of a page to correct statements. `turnId` names a turn, or another text with citations. */
export interface CorrectionApi {
  /** Lets a model correct the statement at an index in a text, and checks the correction. */
  readonly correctStatement: (params: {
    readonly turnId: string;
    readonly statement: number;
  }) => ProposedCorrection;
  /** Applies the last correction proposed for a text. */
  readonly applyCorrection: (params: { readonly turnId: string }) => void;
  /** Restores the text before its last correction. */
  readonly undoCorrection: (params: { readonly turnId: string }) => void;
}

/** Requests of the chat panel to the extension. */
export interface HostApi extends CitedTextApi, CorrectionApi {
  /** Reports that the panel is loaded, and starts `stateChanged`; the whole state arrives before the reply. */
  readonly ready: () => {
    readonly draft: string;
    readonly insertTarget: string | undefined;
  };
  /** Reports that the user selects or enters something in the page, for the first time since it got the focus. */
  readonly used: () => void;
  /** Reports every change of the question that isn't sent yet. */
  readonly draftChanged: (params: { readonly draft: string }) => void;
  /** Starts an answer, which arrives by `turnChanged` and `answerEvent`. */
  readonly ask: (params: { readonly question: string }) => void;
  /** Returns the sources that a question can mention by `@`. */
  readonly mentionable: () => readonly MentionableSource[];
  /**
   * Adds dropped or pasted content: URLs in the format of `text/uri-list`, files, or a text. Resolves to the sources to
   * mention in a question.
   */
  readonly addDropped: (params: {
    readonly uriList?: string;
    readonly files?: readonly DroppedFile[];
    readonly text?: string;
  }) => readonly MentionableSource[];
  /** Returns questions to ask after a turn's answer or, without a turn, to start with. */
  readonly suggestions: (params: { readonly turnId?: string | undefined }) => readonly string[];
  /** Adds the file that was the search scope of a turn. */
  readonly addAskedFile: (params: { readonly turnId: string }) => void;
  readonly stop: () => void;
  /** Asks a turn's question again; the old answer is saved as an earlier version. */
  readonly retry: (params: {
    readonly turnId: string;
    /** `true` to search the whole notebook instead of the previous scope. */
    readonly whole?: boolean;
  }) => void;
  /** Lets the user select a model, which then writes the answer to a turn's question. */
  readonly haveWritten: (params: { readonly turnId: string }) => void;
  /** Stops offering a model. */
  readonly declineModel: () => void;
  /** Sets up the offered local embedding model; progress arrives by `stateChanged`. */
  readonly acceptSemanticSearch: () => void;
  /** Cancels the download or the generation of embeddings. */
  readonly cancelSemanticSearch: () => void;
  /** Removes the offer for good. */
  readonly dismissSemanticSearch: () => void;
  /** Replaces a turn by another question. */
  readonly edit: (params: { readonly turnId: string; readonly question: string }) => void;
  /** Shows a turn's answer by its position, counted from 1. */
  readonly showVersion: (params: { readonly turnId: string; readonly position: number }) => void;
  /** Opens the selected text that a turn's question refers to. */
  readonly openSelection: (params: { readonly turnId: string }) => void;
  /** Saves the user's rating of an answer; undefined removes it. */
  readonly rate: (params: { readonly turnId: string; readonly rating: Rating | undefined }) => void;
  readonly removeTurn: (params: { readonly turnId: string }) => void;
  /** Loads turns before the first shown one. */
  readonly showEarlier: () => void;
  /** Agrees to send figures to the recipient that a turn offered, and asks its question again. */
  readonly sendFigures: (params: { readonly turnId: string }) => void;
  /** Answers the offer that a model that may cost money checks every answer. */
  readonly decideFactCheck: (params: { readonly agrees: boolean }) => void;
  /** Lets a model check the statements of a turn's answer; its verdicts arrive by `answerEvent`. */
  readonly checkWithModel: (params: { readonly turnId: string }) => void;
  readonly stopCheck: (params: { readonly turnId: string }) => void;
  /** Opens the retrieval report of a turn's answer. */
  readonly showRead: (params: { readonly turnId: string }) => void;
  /** Copies a turn's answer as Markdown. */
  readonly copyAnswer: (params: { readonly turnId: string }) => void;
  /** Saves a turn's answer as a new note, or below an existing one. */
  readonly saveAsNote: (params: { readonly turnId: string }) => void;
  /** Starts a research project with a turn's question as its goal. */
  readonly research: (params: { readonly turnId: string }) => void;
  /** Adds a turn's answer as a source. */
  readonly addAnswer: (params: { readonly turnId: string }) => void;
  readonly run: (params: { readonly command: PanelCommand }) => void;
}

/** Requests of the extension to the chat panel. */
export interface PanelApi {
  /** Sends the whole `PanelState` after `ready`, and then its changes. */
  readonly stateChanged: (params: { readonly change: Change }) => void;
  /** Reports a new turn or a new state of one; includes its whole answer unless that is streamed. */
  readonly turnChanged: (params: { readonly turn: Turn }) => void;
  readonly answerEvent: (params: { readonly turnId: string; readonly event: AnswerEvent }) => void;
  /** Reports the name of the file that code would be inserted into; undefined if there is none. */
  readonly insertTargetChanged: (params: { readonly insertTarget: string | undefined }) => void;
  /** Draws a figure for a model. */
  readonly drawFigure: (params: {
    readonly source: FigureSource;
    readonly limits: FigureLimits;
  }) => DrawnFigure;
  /** Reports that suggested questions may be about a removed source. */
  readonly suggestionsChanged: () => void;
  readonly focusInput: () => void;
  /** Returns the selection in the answers; '' if there is none. */
  readonly selection: () => string;
  /** Reports that another page of the chat changed or sent the draft. */
  readonly draftReplaced: (params: { readonly draft: string }) => void;
}
