import { t } from '@vscode/l10n';
import { answerQuestion } from '../../../answers/answer-question.ts';
import { checkWithModel, readPassages } from '../../../answers/checking/check-with-model.ts';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import { tokensToRead } from '../../../answers/retrieving/reading-budget.ts';
import { stripNoEvidenceStatements } from '../../../core/language/no-evidence-statements.ts';
import { estimateTokens } from '../../../core/language/tokens.ts';
import { applyAnswerEvents, type Answer, type AnswerEvent } from '../../../core/domain/answer.ts';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { FoundPassage } from '../../../core/domain/passage.ts';
import { CHECK_TOKENS, type ExtractionRow } from '../model/extraction-table.ts';

/** Exact reply of a model if a row doesn't contain the answer, recognizable in any language. */
const NOT_STATED = 'Not stated in this source.';
/** Instructions for filling a cell. */
const INSTRUCTIONS = [
  'You fill in one cell of a table from passages of one source.',
  'Answer the question in as few words as possible: a value, a name, or one to three short sentences. Write no introduction, no headings, and no lists.',
  `Use only the passages. If they don’t answer the question, write only these exact words, in English: ${NOT_STATED}`,
  'Copy names, numbers, and code exactly from the passages. Answer in the language of the question.',
].join('\n');

/** Maximum tokens of a row that is read as a whole. */
const MAX_WHOLE_TOKENS = 16_000;
/** Maximum tokens that are read of a longer row. Otherwise, a thousand cells of long sources would need millions. */
const MAX_PART_TOKENS = 4_000;
/** Tokens of the request in which a model writes searches for a longer row. */
const SEARCHES_TOKENS = 500;
/** Passages of a longer row that are read if no search finds any. */
const OVERVIEW_PASSAGES = 8;
/** Tokens of a request besides the passages, and tokens of an answer. */
const AROUND = estimateTokens(INSTRUCTIONS) + 220;
const ANSWERED = 80;
/** UTF-16 code units of a token, as most texts in Latin letters have them. */
const TOKEN_LENGTH = 4;

/** Request to fill a cell. */
interface CellQuestion {
  readonly question: string;
  readonly row: Pick<ExtractionRow, 'length' | 'title'>;
  /** Finder for the row alone. */
  readonly passages: PassageFinder;
  /** Model that writes the answer. If undefined, the answer is the top excerpt of the row. */
  readonly model: LanguageModel | undefined;
  /** Model that fact-checks the answer. If undefined, the answer stays unchecked. */
  readonly checker?: LanguageModel | undefined;
  /** Receives the failure of the check, which leaves the answer unchecked. */
  readonly onCheckFailed?: (failure: NotebookError) => void;
  readonly signal: AbortSignal;
}

/**
 * Answers a cell from its row alone. Checks each statement like in all answers. Reads the whole row if it fits, else
 * the passages that the model's searches find. Always uses the model.
 * @throws NotebookError
 */
export async function answerCell(cellQuestion: CellQuestion): Promise<Answer> {
  const { question, row, passages, model, signal } = cellQuestion;
  const events: AnswerEvent[] = [];
  await answerQuestion({
    question,
    place: row.title,
    titles: [row.title],
    history: [],
    // Passages outside the row don't count as an answer for it.
    passages: { ...passages, placesElsewhere: undefined, gather: gatherOrOverview(passages) },
    model,
    writesSearches: true,
    tokens: Math.min(
      isReadWhole(row) ? MAX_WHOLE_TOKENS : MAX_PART_TOKENS,
      tokensToRead(model?.windowTokens, undefined),
    ),
    instructions: INSTRUCTIONS,
    signal,
    emit: (event) => events.push(event),
  });
  const written = applyAnswerEvents(undefined, events);
  const answer = written && (await checkedAnswer(withClaim(written), cellQuestion));
  if (answer === undefined) throw new NotebookError('empty', '');
  const {
    read: _read,
    searches: _searches,
    ...stored
  } = answer.kind === 'quotes' ? firstPlace(answer) : asCellAnswer(answer);
  return stored;
}

/** Gathers passages like a row's finder. If its searches find nothing, returns the passages that summarize the row. */
function gatherOrOverview(passages: PassageFinder): PassageFinder['gather'] {
  return async (searches, tokens, signal) => {
    const gathered = await passages.gather(searches, tokens, signal);
    if (gathered.passages.length > 0) return gathered;
    return { passages: await passages.overview('', OVERVIEW_PASSAGES), isAll: false };
  };
}

/** Reports whether an answer only says that the row doesn't have it. */
function isNotStated(text: string): boolean {
  return text.trim() !== '' && stripNoEvidenceStatements(text.trim()).trim() === '';
}

/**
 * Returns an answer in which the first sentence claims something if no other does, because a single word answers the
 * question, too.
 */
function withClaim(answer: Answer): Answer {
  if (answer.kind !== 'written' || answer.statements.some(({ verdict }) => verdict !== 'none')) return answer;
  const [first, ...others] = answer.statements;
  if (first === undefined || isNotStated(answer.text)) return answer;
  return { ...answer, statements: [{ ...first, verdict: 'unchecked' }, ...others] };
}

/**
 * Adds the verdicts of the fact check to an answer; unchanged if the check fails, which is reported.
 * @throws NotebookError `cancelled`
 */
async function checkedAnswer(
  answer: Answer,
  { question, passages, checker, onCheckFailed, signal }: CellQuestion,
): Promise<Answer> {
  if (checker === undefined) return answer;
  try {
    return await checkCell(answer, { question, passages, checker, signal });
  } catch (error) {
    if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
    onCheckFailed?.(error);
    return answer;
  }
}

/** Dependencies of the check of a cell. */
interface CellCheck {
  /** Question that the cell answers, if it's known. */
  readonly question: string | undefined;
  /** Finder for the row alone. */
  readonly passages: PassageFinder;
  readonly checker: LanguageModel;
  readonly signal: AbortSignal;
}

/**
 * Returns the answer of a cell with a model's verdicts on its statements.
 * @throws NotebookError if the model can't be reached or returns no usable verdict
 */
export async function checkCell(
  answer: Answer,
  { question, passages, checker, signal }: CellCheck,
): Promise<Answer> {
  if (answer.kind !== 'written' || isNotStated(answer.text)) return answer;
  // If the answer has no citations, check it against passages that summarize the row.
  const isCited = answer.citations.length > 0 || answer.read !== undefined;
  const read = isCited ? undefined : await passages.overview('', OVERVIEW_PASSAGES);
  const events: AnswerEvent[] = [];
  await checkWithModel({
    ...{ answer, question, read, passages, signal, model: checker },
    emit: (event) => events.push(event),
  });
  return applyAnswerEvents(answer, events) ?? answer;
}

/** Returns the passages to correct a cell from: those that it cites, and those that fit its question. */
export async function passagesToCorrect(
  answer: Extract<Answer, { kind: 'written' }>,
  question: string | undefined,
  passages: PassageFinder,
  signal: AbortSignal,
): Promise<readonly FoundPassage[]> {
  const cited = await readPassages(answer, passages);
  const searches = [question, answer.text].filter((search) => search !== undefined);
  const gathered = await gatherOrOverview(passages)(searches, MAX_PART_TOKENS, signal);
  const isCited = ({ documentId, start, end }: FoundPassage): boolean =>
    cited.some((each) => each.documentId === documentId && each.start < end && start < each.end);
  return [...cited, ...gathered.passages.filter((passage) => !isCited(passage))];
}

/** Returns an answer in the form in which a cell stores it: one without text says that the row doesn't have it. */
export function asCellAnswer(answer: Answer): Answer {
  const isEmpty = answer.kind === 'written' && (answer.text.trim() === '' || isNotStated(answer.text));
  return isEmpty ? { kind: 'nothing', text: t('Not stated in this source.'), citations: [] } : answer;
}

/** Returns only the best excerpt of an answer. */
function firstPlace(answer: Extract<Answer, { kind: 'quotes' }>): Answer {
  const [quote] = answer.quotes;
  if (quote === undefined) return answer;
  const indexes = [...new Set([quote.citation, ...(quote.around?.citations ?? [])])];
  const citations = indexes.flatMap((index) => answer.citations[index] ?? []);
  const around = quote.around && { ...quote.around, citations: [...citations.keys()] };
  return {
    ...answer,
    quotes: [{ ...quote, citation: 0, ...(around && { around }) }],
    citations,
    pages: undefined,
  };
}

/**
 * Estimates the input and output tokens of a cell for a row, with a fact check by a model, but without further
 * searches.
 */
export function estimateCell(
  { length }: Pick<ExtractionRow, 'length'>,
  isChecked: boolean,
): {
  readonly input: number;
  readonly output: number;
} {
  const read = isReadWhole({ length }) ? Math.ceil(length / TOKEN_LENGTH) : MAX_PART_TOKENS + SEARCHES_TOKENS;
  const check = isChecked ? CHECK_TOKENS : { input: 0, output: 0 };
  return { input: read + AROUND + check.input, output: ANSWERED + check.output };
}

function isReadWhole({ length }: Pick<ExtractionRow, 'length'>): boolean {
  return length / TOKEN_LENGTH <= MAX_WHOLE_TOKENS;
}
