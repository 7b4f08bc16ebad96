import type { TextFormat } from '../language/units.ts';
import type { ErrorAction } from './errors.ts';
import type { CitedFigure } from './figure.ts';
import type { CitedPicture } from './note-pictures.ts';
import type { Locator } from './locator.ts';
import type { PassagePlace, PlaceSignals } from './passage.ts';
import type { Scope } from './scope.ts';
import type { SourceKind } from './source.ts';
import type { Span } from '../language/span.ts';
import type { TokenUsage } from './usage.ts';

/**
 * Degrees to which sources support a statement. `none`: the statement claims nothing that needs support.
 * `contradicted`: a source says the opposite. `unchecked`: no model has checked the statement, and it isn't a quote.
 */
export const VERDICTS = ['contradicted', 'none', 'not-found', 'partly', 'supported', 'unchecked'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** Lines around a quote at the time of the citation: `before`, the quote, and `after` are one text. */
export interface CitedContext {
  readonly before: string;
  readonly after: string;
  readonly format: TextFormat;
  readonly languageId?: string | undefined;
}

/** Span of a document that supports a sentence of an answer. Stored in full, so that it outlives its source. */
export interface Citation {
  /** The number shown; citations of one passage share it. */
  readonly number: number;
  readonly sourceId: string;
  readonly sourceKind: SourceKind;
  readonly documentId: number;
  readonly title: string;
  /** Location of the supporting text in a few words: `p. 12`, `L40–58`, a heading. */
  readonly place: string;
  /** The URI or address of the original, or '' for pasted text. */
  readonly uri: string;
  readonly mediaType: string;
  readonly passage: Span;
  /** Supporting text, within the passage. */
  readonly span: Span;
  /** The document's text in `span` at the time of the citation. */
  readonly quote: string;
  /** Text around the quote, for when its source has changed or is gone; undefined in older citations. */
  readonly context?: CitedContext | undefined;
  readonly locator: Locator;
  /** Figure that the text shows or names, if a picture of it is available. */
  readonly figure?: CitedFigure;
  /** Set if a part of a page was cited as a picture. */
  readonly picture?: CitedPicture;
  /** `true` on a card or in a quiz if no model checked that the text supports the answer. */
  readonly isUnchecked?: boolean;
  /** Evidence for the verdicts on statements that cite the text in a note; undefined in other citations. */
  readonly evidence?: readonly StatementEvidence[];
}

/** Text of a source that decides the verdict on a statement of a note. */
export interface StatementEvidence {
  readonly statement: string;
  readonly deciding: string;
}

/**
 * Reason for a verdict of the rules: the source has the text of the statement, or the same text with another number.
 */
export interface CheckSignals {
  readonly isVerbatim: true;
}

/** Sentence of a written answer: its range in the answer's text, and indexes into the answer's citations. */
export interface Statement extends Span {
  readonly verdict: Verdict;
  readonly citations: readonly number[];
  /**
   * Parts of the statement that its evidence lacks, in the answer's text. In a partly supported statement, these are
   * the unsupported parts; in an unchecked statement, the numbers and names that no source has.
   */
  readonly missing?: readonly Span[];
  /** The last citation is of a passage that the answer didn't cite: the cited ones don't support the statement. */
  readonly moved?: true;
  /** Text of the evidence that determines the verdict, as in the source. */
  readonly deciding?: string;
  /** Undefined if rules alone can't tell the verdict. */
  readonly signals?: CheckSignals | undefined;
  /** Model that determined the verdict; undefined if no model checked the statement. */
  readonly checkedBy?: string;
  /** Computation from numbers of the sources that supports the statement: `305 * 2 = 610`, as in the activity log. */
  readonly computed?: string;
}

/** Result of a fact check, counted in statements that claim something. */
export interface StatementCounts {
  readonly claims: number;
  readonly supported: number;
  readonly partly: number;
  /** Statements that no model has checked; undefined in results of earlier versions. */
  readonly unchecked?: number | undefined;
}

/** Excerpt in an answer without a model: the exact text of a citation (an index into the answer's citations). */
export interface Quote {
  readonly citation: number;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  /** Header of the table, in Markdown, if the quote consists of rows of a table without its header. */
  readonly header?: string | undefined;
  /** Text around the quote, if that is shown, too. */
  readonly around?: TextAround | undefined;
}

/** Shown text of a location under the headings of its section, with the sentences that match the question. */
export interface TextAround {
  readonly text: string;
  /** Headings from the outermost to the nearest. */
  readonly headings: readonly string[];
  /** Spans of the text, ascending, without overlaps. */
  readonly marks: readonly Span[];
  /** Citations of the marks, the quote's own first: indexes into the answer's citations. */
  readonly citations: readonly number[];
  /** `true` if it belongs to the same section as the quote before it. */
  readonly goesOn: boolean;
}

/** Passage that was retrieved for an answer, and the reason. */
export interface ReadPassage extends PassagePlace {
  readonly title: string;
  readonly place: string;
  /** Beginning of the passage at the time of the answer. */
  readonly begins: string;
  readonly score: number;
  /** Cosine similarity, if the passage was found by meaning. */
  readonly nearness?: number;
  /** Parts of the score, if the passage was ranked. */
  readonly signals?: PlaceSignals | undefined;
  /** Words of the question that the passage contains. */
  readonly words: readonly string[];
}

/**
 * Reply to a question.
 * - `written`: Markdown by a model, without citation marks; the statements contain their positions.
 * - `quotes`: the best excerpts of the sources, word for word, below an introducing sentence.
 * - `nothing`: the notebook has no answer; `text` says so, and the citations are the nearest results.
 */
type AnswerWords =
  | {
      readonly kind: 'written';
      readonly model: string;
      /** `true` if the question was too long for the model and its middle was left out. */
      readonly isCut?: boolean;
      readonly text: string;
      readonly statements: readonly Statement[];
      readonly citations: readonly Citation[];
    }
  | {
      readonly kind: 'quotes';
      readonly text: string;
      readonly quotes: readonly Quote[];
      /** Number of quotes to show first, and to add each time the user wants more; undefined for all. */
      readonly pages?: readonly number[] | undefined;
      readonly citations: readonly Citation[];
    }
  | { readonly kind: 'nothing'; readonly text: string; readonly citations: readonly Citation[] };

/** Text of a document at the time of the citation. */
export type WordsAt = Pick<Citation, 'documentId' | 'quote' | 'span'>;

/** Figure that a question refers to, if models can see figures. */
export interface RequestedFigure {
  readonly name: string;
  readonly title: string;
  readonly place: string;
}

/** Figure that was sent to a model: its size in pixels, and in bytes. */
export interface SentFigure extends RequestedFigure {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/**
 * Outcome for the figures that a question refers to.
 * - `sent`: the model got them. `refused`: its endpoint didn't accept them, and got the question without them.
 * - `offered`: they would cost something, and the user hasn't agreed yet; `to` is the recipient.
 * - `undrawn`: they couldn't be drawn; `reason` is one sentence.
 */
export type FiguresOffered =
  | { readonly kind: 'refused' | 'sent'; readonly figures: readonly SentFigure[] }
  | { readonly kind: 'offered'; readonly figures: readonly RequestedFigure[]; readonly to: string }
  | { readonly kind: 'undrawn'; readonly figures: readonly RequestedFigure[]; readonly reason: string };

/** Written answer as it was before a correction. */
export type UncorrectedAnswer = Pick<
  Extract<AnswerWords, { kind: 'written' }>,
  'citations' | 'isCut' | 'model' | 'statements' | 'text'
>;

/** Reply to a question, with the retrieved passages, and the searches if they differ from the question. */
export type Answer = AnswerWords & {
  readonly read?: readonly ReadPassage[] | undefined;
  /** Set if the question refers to figures that could be drawn. */
  readonly figures?: FiguresOffered | undefined;
  readonly searches?: readonly string[] | undefined;
  /** Searches in one line, as older versions stored them. */
  readonly searched?: string | undefined;
  /** Text for which similar passages were searched, if there was no question. */
  readonly like?: WordsAt | undefined;
  /** `true` if the answer may lack passages, because the index was being rebuilt. */
  readonly isIncomplete?: boolean;
  /** Answer before its last correction, which can be undone. Exports and team members don't get it. */
  readonly beforeCorrection?: UncorrectedAnswer | undefined;
};

/** Returns the searches for an answer; empty if the question itself was the only one. */
export function searchesFor({ searches, searched }: Answer): readonly string[] {
  return searches ?? (searched === undefined ? [] : [searched]);
}

/** Error in place of an answer: one sentence and an action. */
export interface AnswerFailure {
  readonly message: string;
  readonly action: ErrorAction | undefined;
}

/** State of an answer. `interrupted`: the window closed while it streamed; the part that arrived is saved. */
export type TurnState =
  | { readonly kind: 'answering' }
  | { readonly kind: 'done'; readonly milliseconds: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly failure: AnswerFailure };

/** The user's rating of an answer. */
export type Rating = 'bad' | 'good';

/** Location of the selected text that a question quotes. */
export interface ContextSelection {
  readonly uri: string;
  readonly title: string;
  readonly locator: Locator;
}

/** Answer of a turn that is shown. */
interface ShownVersion {
  /** Number that identifies the answer among the turn's answers; later answers have greater numbers. */
  readonly number: number;
  /** Position among the saved answers, counted from 1. */
  readonly position: number;
  /** Number of saved answers. */
  readonly count: number;
}

/** Maximum number of saved answers of a turn, including the shown one. */
export const MAX_VERSIONS = 10;

export interface Turn {
  readonly id: string;
  readonly question: string;
  readonly askedAt: number;
  readonly state: TurnState;
  readonly answer: Answer | undefined;
  readonly rating?: Rating | undefined;
  /** Search scope; undefined for the whole notebook. */
  readonly scope?: Scope | undefined;
  /** Token usage of models; undefined if no model was used. */
  readonly usage?: TokenUsage | undefined;
  /** Author of the question in a conversation shared by a team; undefined if it comes from this machine. */
  readonly askedBy?: string;
  /** Location of the selected text at the end of the question; undefined if it has none. */
  readonly selection?: ContextSelection | undefined;
  /** Undefined unless the question has several answers. */
  readonly version?: ShownVersion | undefined;
}

/** Answer of a turn that isn't shown. */
export interface TurnVersion extends Pick<
  Turn,
  'answer' | 'question' | 'rating' | 'scope' | 'state' | 'usage'
> {
  readonly number: number;
}

/** Returns a quote with the lines around it at the time of the citation; `mark` is the quote in `text`. */
export function citedPassage({ quote, context }: Pick<Citation, 'context' | 'quote'>): {
  readonly text: string;
  readonly mark: Span;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
} {
  const { before, after, format, languageId } = context ?? { before: '', after: '', format: 'prose' };
  return {
    text: before + quote + after,
    mark: { start: before.length, end: before.length + quote.length },
    format,
    languageId,
  };
}

/**
 * Returns the verdict to show: only a model, a computation, or a verbatim match can determine that a source supports or
 * contradicts a statement. All other verdicts of rules, in this version or an earlier one, are shown as unchecked.
 */
export function shownVerdict({ verdict, checkedBy, computed, signals }: Statement): Verdict {
  const isChecked = checkedBy !== undefined || computed !== undefined;
  return verdict === 'none' || isChecked || signals !== undefined ? verdict : 'unchecked';
}

/** Returns an answer whose statements have the verdicts that are shown, for copies, notes, and exports. */
export function withShownVerdicts(answer: Answer): Answer {
  if (answer.kind !== 'written') return answer;
  const statements = answer.statements.map((statement) => ({
    ...statement,
    verdict: shownVerdict(statement),
  }));
  return { ...answer, statements };
}

/**
 * Returns the indexes of the statements that a model has to check: those that claim something and aren't quoted or
 * computed.
 */
export function statementsToCheck(answer: Answer | undefined): number[] {
  if (answer?.kind !== 'written') return [];
  return answer.statements.flatMap(({ verdict, signals, computed }, index) => {
    const isCertain = computed !== undefined || signals !== undefined;
    return verdict === 'none' || (verdict === 'supported' && isCertain) ? [] : [index];
  });
}

/** Counts the statements of each verdict as shown. */
export function countVerdicts(statements: readonly Statement[]): Readonly<Record<Verdict, number>> {
  const counts = { contradicted: 0, none: 0, 'not-found': 0, partly: 0, supported: 0, unchecked: 0 };
  for (const statement of statements) counts[shownVerdict(statement)]++;
  return counts;
}

/** Returns the quotes that are shown first. */
export function quotesAtFirst({ quotes, pages }: Extract<Answer, { kind: 'quotes' }>): readonly Quote[] {
  return quotes.slice(0, pages?.[0]);
}

/** Returns the indexes of the citations that the answer still uses; a fact check may have removed others. */
export function standingCitations(answer: Answer): number[] {
  const indices = [...answer.citations.keys()];
  if (answer.kind === 'quotes' && answer.pages !== undefined) {
    const first = new Set(
      quotesAtFirst(answer).flatMap(({ citation, around }) => [citation, ...(around?.citations ?? [])]),
    );
    return indices.filter((index) => first.has(index));
  }
  if (answer.kind !== 'written') return indices;
  const cited = new Set(answer.statements.flatMap(({ citations }) => citations));
  return indices.filter((index) => cited.has(index));
}

/** Progress report of an answerer; the events applied in order result in the answer. */
export type AnswerEvent =
  | { readonly kind: 'status'; readonly text: string }
  | { readonly kind: 'started'; readonly answer: Answer }
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'statement'; readonly statement: Statement; readonly newCitations: readonly Citation[] }
  | {
      readonly kind: 'checked';
      /** Index among the answer's statements. */
      readonly index: number;
      readonly statement: Statement;
      readonly newCitations: readonly Citation[];
    };

/**
 * Returns the answer after more events, in time proportional to their number. `status` changes nothing, and `started`
 * replaces the answer. Text and statements extend a written answer, and a check replaces a statement. A list without
 * additions stays the same object, so that results computed from it stay valid.
 */
export function applyAnswerEvents(
  before: Answer | undefined,
  events: readonly AnswerEvent[],
): Answer | undefined {
  let answer = before;
  // The array was copied above and isn't shared yet, so change it in place.
  let statements: Statement[] | undefined;
  let citations: Citation[] | undefined;
  for (const event of events) {
    if (event.kind === 'started') {
      ({ answer } = event);
      statements = citations = undefined;
    } else if (answer?.kind !== 'written' || event.kind === 'status') continue;
    else if (event.kind === 'text') answer = { ...answer, text: answer.text + event.delta };
    else {
      statements ??= [...answer.statements];
      if (event.kind === 'statement') statements.push(event.statement);
      else statements[event.index] = event.statement;
      if (event.newCitations.length > 0) (citations ??= [...answer.citations]).push(...event.newCitations);
      answer = { ...answer, statements, citations: citations ?? answer.citations };
    }
  }
  return answer;
}
