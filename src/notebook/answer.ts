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
 * How well sources support a statement. `none`: the statement claims nothing that needs support; `contradicted`: a source
 * says the opposite; `unchecked`: no model has checked the statement, and it isn't a quote.
 */
export const VERDICTS = ['contradicted', 'none', 'not-found', 'partly', 'supported', 'unchecked'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** The lines around a quote, as they were when it was cited: `before`, the quote, and `after` are one text. */
export interface CitedContext {
  readonly before: string;
  readonly after: string;
  readonly format: TextFormat;
  readonly languageId?: string | undefined;
}

/** A span of a document that a sentence of an answer rests on. Kept whole, so that it outlives its source. */
export interface Citation {
  /** The number shown; citations of one passage share it. */
  readonly number: number;
  readonly sourceId: string;
  readonly sourceKind: SourceKind;
  readonly documentId: number;
  readonly title: string;
  /** Where the supporting words stand, in a few words: `p. 12`, `L40–58`, a heading. */
  readonly place: string;
  /** The URI or address of the original, or '' for pasted text. */
  readonly uri: string;
  readonly mediaType: string;
  readonly passage: Span;
  /** The supporting words, within the passage. */
  readonly span: Span;
  /** The document's text in `span`, as it was when it was cited. */
  readonly quote: string;
  /** The text around the quote, for when its source has changed or is gone; older citations have none. */
  readonly context?: CitedContext | undefined;
  readonly locator: Locator;
  /** The figure that the words show or name, where a picture of it is at hand. */
  readonly figure?: CitedFigure;
  /** Of a part of a page that was cited as a picture. */
  readonly picture?: CitedPicture;
}

/** How rules found a verdict: the source has the words of the statement, or the same words with another number. */
export interface CheckSignals {
  readonly isVerbatim: true;
}

/** A sentence of a written answer: its range in the answer's text, and indexes into the answer's citations. */
export interface Statement extends Span {
  readonly verdict: Verdict;
  readonly citations: readonly number[];
  /**
   * Words of the statement that its evidence doesn't have, in the answer's text: of what is partly supported what isn't
   * supported, of what is unchecked the numbers and names that no source has.
   */
  readonly missing?: readonly Span[];
  /** The last citation is of a passage that the answer didn't cite: the cited ones don't support the statement. */
  readonly moved?: true;
  /** The words of the evidence that decide the verdict, as the source has them. */
  readonly deciding?: string;
  /** Undefined if rules alone can't tell the verdict. */
  readonly signals?: CheckSignals | undefined;
  /** The model whose verdict this is, where one was asked. */
  readonly checkedBy?: string;
  /** What bears it out where that is a computation from figures of the sources: `305 * 2 = 610`, as the record has it. */
  readonly computed?: string;
}

/** A quote of an answer without a model: the very words of a citation (an index into the answer's citations). */
export interface Quote {
  readonly citation: number;
  readonly format: TextFormat;
  readonly languageId: string | undefined;
  /** The header of the table that the words are rows of, in Markdown, where they are quoted without it. */
  readonly header?: string | undefined;
  /** The words with what stands around them, where that is shown, too. */
  readonly around?: TextAround | undefined;
}

/** What is shown of a place: its text under the headings of its section, with the sentences that carry the question. */
export interface TextAround {
  readonly text: string;
  /** From the outermost to the nearest. */
  readonly headings: readonly string[];
  /** Spans of the text; they ascend and do not overlap. */
  readonly marks: readonly Span[];
  /** The citations of these, the quote's own first: indexes into the answer's citations. */
  readonly citations: readonly number[];
  /** Whether it is of the same section as the quote before it. */
  readonly goesOn: boolean;
}

/** A passage that was read for an answer, and what it was taken for. */
export interface ReadPassage extends PassagePlace {
  readonly title: string;
  readonly place: string;
  /** How it began then. */
  readonly begins: string;
  readonly score: number;
  /** A cosine, where it was found by its meaning. */
  readonly nearness?: number;
  /** What its score is made of, where it was ranked. */
  readonly signals?: PlaceSignals | undefined;
  /** The question's words that it holds. */
  readonly words: readonly string[];
}

/**
 * What is said to a question.
 * - `written`: Markdown by a model, without citation marks; the statements tell where these belong.
 * - `quotes`: the words of the sources themselves, under one introducing sentence: places that say most to the question.
 * - `nothing`: the notebook does not answer; `text` says so, the citations are the nearest that was found.
 */
type AnswerWords =
  | {
      readonly kind: 'written';
      readonly model: string;
      /** Whether the model was not given the middle of the question, which is too long for it. */
      readonly isCut?: boolean;
      readonly text: string;
      readonly statements: readonly Statement[];
      readonly citations: readonly Citation[];
    }
  | {
      readonly kind: 'quotes';
      readonly text: string;
      readonly quotes: readonly Quote[];
      /** How many of the quotes are shown first, and how many more each time that more are asked for; undefined for all. */
      readonly pages?: readonly number[] | undefined;
      readonly citations: readonly Citation[];
    }
  | { readonly kind: 'nothing'; readonly text: string; readonly citations: readonly Citation[] };

/** Words of a document, as they stood there when they were cited. */
export type WordsAt = Pick<Citation, 'documentId' | 'quote' | 'span'>;

/** A figure that a question asks for, where models are shown such. */
export interface AskedFigure {
  readonly name: string;
  readonly title: string;
  readonly place: string;
}

/** A figure that went to a model: its size in pixels, and in bytes. */
export interface SentFigure extends AskedFigure {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/**
 * What became of the figures that a question asks for.
 * - `sent`: the model was shown them; `refused`: its endpoint did not take them, and was asked again without.
 * - `offered`: they would cost something there and the user has not agreed yet; `to` is who would get them.
 * - `undrawn`: they could not be drawn; `reason` is one sentence.
 */
export type FiguresOffered =
  | { readonly kind: 'refused' | 'sent'; readonly figures: readonly SentFigure[] }
  | { readonly kind: 'offered'; readonly figures: readonly AskedFigure[]; readonly to: string }
  | { readonly kind: 'undrawn'; readonly figures: readonly AskedFigure[]; readonly reason: string };

/** What is said to a question, what was read for it, and what was searched for where that was not the question alone. */
export type Answer = AnswerWords & {
  readonly read?: readonly ReadPassage[] | undefined;
  /** Where the question asks for figures that could be drawn. */
  readonly figures?: FiguresOffered | undefined;
  readonly searches?: readonly string[] | undefined;
  /** The same in one line, as it was kept before there were several. */
  readonly searched?: string | undefined;
  /** The words that others like them were looked for, where no question was asked. */
  readonly like?: WordsAt | undefined;
};

/** What was searched for where that was not the question alone. */
export function searchesFor({ searches, searched }: Answer): readonly string[] {
  return searches ?? (searched === undefined ? [] : [searched]);
}

/** What stands where an answer would when it failed: one sentence and the way out. */
export interface AnswerFailure {
  readonly message: string;
  readonly action: ErrorAction | undefined;
}

/** How an answer ended. `interrupted`: the window closed while it streamed; what had arrived is kept. */
export type TurnState =
  | { readonly kind: 'answering' }
  | { readonly kind: 'done'; readonly milliseconds: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly failure: AnswerFailure };

/** What the user thinks of an answer. */
export type Rating = 'bad' | 'good';

/** The place of the selected text that a question quotes. */
export interface AskedSelection {
  readonly uri: string;
  readonly title: string;
  readonly locator: Locator;
}

/** Which of the answers of a turn is shown. */
interface ShownVersion {
  /** Identifies it among the turn's answers; later answers have greater numbers. */
  readonly number: number;
  /** Its position among the saved answers, from 1 on, and how many these are. */
  readonly position: number;
  readonly count: number;
}

/** At most so many answers of a turn are saved, the shown one included. */
export const MAX_VERSIONS = 10;

/** A question and its answer. */
export interface Turn {
  readonly id: string;
  readonly question: string;
  readonly askedAt: number;
  readonly state: TurnState;
  readonly answer: Answer | undefined;
  readonly rating?: Rating | undefined;
  /** What it was asked of; undefined for the whole notebook. */
  readonly scope?: Scope | undefined;
  /** What models took and gave for it; undefined where none was asked. */
  readonly usage?: TokenUsage | undefined;
  /** The member who asked it in a conversation that a team shares; undefined of what was asked here. */
  readonly askedBy?: string;
  /** The place of the selected text that the question ends with; undefined if it has none. */
  readonly selection?: AskedSelection | undefined;
  /** Undefined until the question was asked again. */
  readonly version?: ShownVersion | undefined;
}

/** An answer of a turn that is not shown. */
export interface TurnVersion extends Pick<
  Turn,
  'answer' | 'question' | 'rating' | 'scope' | 'state' | 'usage'
> {
  readonly number: number;
}

/** A quote with the lines around it, as they were when it was cited; `mark` is the quote in `text`. */
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
 * Returns the verdict to show: only a model, a computation, and a match word for word can tell that a source supports or
 * contradicts a statement. Whatever else rules found, in this version or an earlier one, is shown as unchecked.
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

/** Returns the indexes of the statements that a model has to check: those that claim something and aren't quoted or computed. */
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

/** The quotes that are shown before more are asked for. */
export function quotesAtFirst({ quotes, pages }: Extract<Answer, { kind: 'quotes' }>): readonly Quote[] {
  return quotes.slice(0, pages?.[0]);
}

/** The citations that something in an answer rests on, by their indexes; a check may have taken others back. */
export function standingCitations(answer: Answer): number[] {
  const all = [...answer.citations.keys()];
  if (answer.kind === 'quotes' && answer.pages !== undefined) {
    const first = new Set(
      quotesAtFirst(answer).flatMap(({ citation, around }) => [citation, ...(around?.citations ?? [])]),
    );
    return all.filter((index) => first.has(index));
  }
  if (answer.kind !== 'written') return all;
  const cited = new Set(answer.statements.flatMap(({ citations }) => citations));
  return all.filter((index) => cited.has(index));
}

/** What an answerer tells while it works; applied in order they make the answer. */
export type AnswerEvent =
  | { readonly kind: 'status'; readonly text: string }
  | { readonly kind: 'started'; readonly answer: Answer }
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'statement'; readonly statement: Statement; readonly newCitations: readonly Citation[] }
  | {
      readonly kind: 'checked';
      /** The place among the answer's statements. */
      readonly index: number;
      readonly statement: Statement;
      readonly newCitations: readonly Citation[];
    };

/**
 * The answer after more events, in time that grows with their number. `status` changes nothing; `started` replaces; text
 * and statements extend a written answer, and a check replaces a statement. A list to which nothing is added stays the
 * same, so that what is made of it need not be made again.
 */
export function applyAnswerEvents(
  before: Answer | undefined,
  events: readonly AnswerEvent[],
): Answer | undefined {
  let answer = before;
  // Copied once, then changed in place: nobody else has them yet.
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
