import type { AnswerEvent, Rating, Turn, Verdict } from '../notebook/answer.ts';
import type { DocumentCount, SourceCount } from '../notebook/counts.ts';
import type { ErrorAction } from '../notebook/errors.ts';
import type { TextFormat } from '../language/units.ts';
import type { SourceKind } from '../notebook/source.ts';
import type { Span } from '../language/span.ts';
import type { DrawnFigure, FigureBytes, FigureLimits, FigureSource } from './figure.ts';

/**
 * What questions are asked of; counts are of the sources that can be asked. `documents` is omitted if each source is one
 * document.
 */
export type AskedScope =
  | { readonly kind: 'notebook'; readonly documents?: DocumentCount }
  | ({ readonly kind: 'sources' } & SourceCount)
  | { readonly kind: 'file' };

/** A source that can be mentioned in a question. */
export interface MentionableSource {
  readonly title: string;
  readonly kind: SourceKind;
}

/** The question whether a model that may cost money checks every answer from now on. */
export interface FactCheckOffer {
  /** The answer that it would check first. */
  readonly turnId: string;
  readonly model: string;
  /** Its server, as the user knows it. */
  readonly server: string;
  /** The estimate of a check of that answer, in tokens, and in US dollars if prices are known. */
  readonly tokens: number;
  readonly cost: number | undefined;
}

/**
 * The offer of a local embedding model, and what becomes of it once the user accepts. Sizes are formatted for display,
 * such as "131 MB".
 */
export interface SemanticSearchOffer {
  /** The answer under which the offer is. */
  readonly turnId: string;
  /** The name of the model, with its license if that is known. */
  readonly model: string;
  readonly size: string;
  /** The host or the folder that the model is downloaded from. */
  readonly origin: string;
  readonly state:
    | { readonly kind: 'offered' }
    /** Another window is downloading the model. */
    | { readonly kind: 'waiting' }
    | { readonly kind: 'downloading'; readonly downloaded: string }
    | { readonly kind: 'verifying' }
    /** In passages; `total` is 0 until the passages are counted. */
    | { readonly kind: 'embedding'; readonly done: number; readonly total: number }
    | { readonly kind: 'failed'; readonly message: string; readonly opensSettings: boolean };
}

/** A statement as a model would correct it. */
export interface ProposedCorrection {
  readonly before: string;
  /** Empty if the sources support nothing of it. */
  readonly after: string;
  /** The verdict on the correction; undefined if there is nothing to check. */
  readonly verdict: Verdict | undefined;
  /** The words of the source that decide it. */
  readonly deciding: string | undefined;
}

/**
 * What became of a citation after it was made: its words are no longer in the document, the document is no longer in the
 * notebook, or it has another name. `title` is its name now.
 */
export interface CitationChange extends CitationReference {
  readonly kind: 'changed' | 'removed' | 'renamed';
  readonly title: string;
  /** The number of the version of the answer that it is of; undefined of the only one. */
  readonly version: number | undefined;
}

/** Everything that the chat panel shows. */
export interface PanelState {
  readonly turns: readonly Turn[];
  /** How many turns of the conversation come before these. */
  readonly earlier: number;
  /** How many sources can be asked, and how many are still being read. */
  readonly sources: { readonly ready: number; readonly working: number };
  /** The model's name, or undefined where answers are quotes. */
  readonly model: string | undefined;
  /** Whether a model is offered for an answer in quotes: none was ever picked, and the offer never declined. */
  readonly offersModel: boolean;
  readonly semanticSearchOffer: SemanticSearchOffer | undefined;
  readonly factCheckOffer: FactCheckOffer | undefined;
  readonly scope: AskedScope;
  /** The citations of these turns that are not what they were when they were made. */
  readonly citationChanges: readonly CitationChange[];
}

/** A file of which only the bytes are known, and its path from what was dropped on: its name, or `FOLDER/…/NAME`. */
export interface GivenFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Which citation of which answer. */
export interface CitationReference {
  readonly turnId: string;
  readonly citation: number;
}

/** What the hover card of a citation shows. `text` is the document around the passage, `mark` the supporting words in it. */
export interface CitationCard {
  readonly title: string;
  readonly place: string;
  readonly text: string;
  readonly mark: Span;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  /** Spans of `text` that text recognition is not sure of. */
  readonly doubtful: readonly Span[];
  /** One sentence where the source no longer says what was cited, for example because it was removed. */
  readonly note: string | undefined;
}

/** What an empty panel, a failed answer and the input's model button can start. */
export type PanelCommand =
  | Exclude<ErrorAction, 'addAskedFile' | 'tryAgain'>
  | 'addFiles'
  | 'addPage'
  | 'addText'
  | 'trySample';

/** What a page that shows cited text asks of the extension; `turnId` names the text, such as the turn whose answer it is. */
export interface CitedTextApi {
  readonly openCitation: (params: CitationReference & { readonly beside: boolean }) => void;
  /** Looks for other passages that say what a citation says; they arrive as a turn. */
  readonly findMoreLike: (params: CitationReference) => void;
  readonly citationCard: (params: CitationReference) => CitationCard;
  /** What the figure of a citation is drawn from. */
  readonly figure: (params: CitationReference) => FigureSource;
  readonly figureBytes: (params: FigureBytes) => Uint8Array;
  /** Opens the figure of a citation at its caption. */
  readonly openFigure: (params: CitationReference & { readonly beside: boolean }) => void;
  /** Puts code at the cursor of the editor that had the focus last. */
  readonly insertCode: (params: { readonly code: string }) => void;
  /** The program that draws diagrams. */
  readonly diagramProgram: () => string;
  readonly copy: (params: { readonly text: string }) => void;
  /** Copies a link that opens a citation. */
  readonly copyLink: (params: CitationReference) => void;
  /** Opens a web address after VS Code's own question whether it may. */
  readonly openLink: (params: { readonly url: string }) => void;
}

/** What the chat panel asks of the extension. */
export interface HostApi extends CitedTextApi {
  /** Said once by a loaded panel; nothing is sent to it before. */
  readonly ready: () => {
    readonly state: PanelState;
    readonly draft: string;
    readonly insertTarget: string | undefined;
  };
  /** The user clicks or types in the page, for the first time since it got the focus. */
  readonly used: () => void;
  /** What is typed and not asked yet, at every change of it. */
  readonly draftChanged: (params: { readonly draft: string }) => void;
  /** Starts an answer; what follows arrives by `turnChanged` and `answerEvent`. */
  readonly ask: (params: { readonly question: string }) => void;
  /** The sources that a question can mention by `@`. */
  readonly mentionable: () => readonly MentionableSource[];
  /**
   * Adds what was dropped or pasted: addresses as `text/uri-list` has them, files, or a text. Resolves to what mentions
   * the sources in a question.
   */
  readonly addGiven: (params: {
    readonly uriList?: string;
    readonly files?: readonly GivenFile[];
    readonly text?: string;
  }) => readonly MentionableSource[];
  /** Questions to go on with after a turn's answer; without a turn, to begin with. */
  readonly suggestions: (params: { readonly turnId?: string | undefined }) => readonly string[];
  /** Adds the file that a turn was asked of. */
  readonly addAskedFile: (params: { readonly turnId: string }) => void;
  readonly stop: () => void;
  /** Asks a turn's question again; the old answer is saved as an earlier version. */
  readonly retry: (params: {
    readonly turnId: string;
    /** Of the whole notebook, whatever it was asked of before. */
    readonly whole?: boolean;
  }) => void;
  /** Lets the user pick a model, which then writes the answer to a turn's question. */
  readonly haveWritten: (params: { readonly turnId: string }) => void;
  /** No model is offered any more. */
  readonly declineModel: () => void;
  /** Sets up the local embedding model that is offered; progress arrives by `semanticSearchOfferChanged`. */
  readonly acceptSemanticSearch: () => void;
  /** Cancels the download or the generation of embeddings. */
  readonly cancelSemanticSearch: () => void;
  /** Removes the offer for good. */
  readonly dismissSemanticSearch: () => void;
  /** Asks another question in a turn's place. */
  readonly edit: (params: { readonly turnId: string; readonly question: string }) => void;
  /** Shows the answer of a turn at a position, from 1 on. */
  readonly showVersion: (params: { readonly turnId: string; readonly position: number }) => void;
  /** Opens the text that a turn's question was asked about. */
  readonly openSelection: (params: { readonly turnId: string }) => void;
  /** Keeps what the user thinks of an answer; undefined takes it back. */
  readonly rate: (params: { readonly turnId: string; readonly rating: Rating | undefined }) => void;
  readonly removeTurn: (params: { readonly turnId: string }) => void;
  /** Brings the turns before the first that is shown. */
  readonly showEarlier: () => void;
  /** Agrees to have figures sent to who was not shown those of a turn, and asks its question again. */
  readonly sendFigures: (params: { readonly turnId: string }) => void;
  /** Answers the question whether every answer is checked by a model that may cost money. */
  readonly decideFactCheck: (params: { readonly agrees: boolean }) => void;
  /** Has a model check the statements of a turn's answer; its verdicts arrive by `answerEvent`. */
  readonly checkWithModel: (params: { readonly turnId: string }) => void;
  /** Has a model correct a statement of a turn's answer, given by its index, and checks the correction. */
  readonly correctStatement: (params: {
    readonly turnId: string;
    readonly statement: number;
  }) => ProposedCorrection;
  /** Puts the last correction that was proposed for a turn's answer into it. */
  readonly applyCorrection: (params: { readonly turnId: string }) => void;
  /** Brings back the answer as it was before its last correction. */
  readonly undoCorrection: (params: { readonly turnId: string }) => void;
  readonly stopCheck: (params: { readonly turnId: string }) => void;
  /** Opens what was read for a turn's answer. */
  readonly showRead: (params: { readonly turnId: string }) => void;
  /** Copies a turn's answer as Markdown. */
  readonly copyAnswer: (params: { readonly turnId: string }) => void;
  /** Saves a turn's answer as a note, or below one. */
  readonly saveAsNote: (params: { readonly turnId: string }) => void;
  /** Begins a research whose goal is a turn's question. */
  readonly research: (params: { readonly turnId: string }) => void;
  /** Makes a source of a turn's answer. */
  readonly addAnswer: (params: { readonly turnId: string }) => void;
  readonly run: (params: { readonly command: PanelCommand }) => void;
}

/** What the extension tells the chat panel. */
export interface PanelApi {
  readonly stateChanged: (params: PanelState) => void;
  /** A turn was added or its state changed; its answer is given whole where it is not being streamed. */
  readonly turnChanged: (params: { readonly turn: Turn }) => void;
  readonly answerEvent: (params: { readonly turnId: string; readonly event: AnswerEvent }) => void;
  readonly semanticSearchOfferChanged: (params: { readonly offer: SemanticSearchOffer | undefined }) => void;
  /** The file that code would be inserted into has changed: its name, where there is one. */
  readonly insertTargetChanged: (params: { readonly insertTarget: string | undefined }) => void;
  /** Draws a figure for a model. */
  readonly drawFigure: (params: {
    readonly source: FigureSource;
    readonly limits: FigureLimits;
  }) => DrawnFigure;
  /** Suggested questions may be about a source that was removed. */
  readonly suggestionsChanged: () => void;
  readonly focusInput: () => void;
  /** What is selected in the answers; '' where nothing is. */
  readonly selection: () => string;
  /** What is not asked yet was typed on, or asked, in another page of the chat. */
  readonly draftReplaced: (params: { readonly draft: string }) => void;
}
