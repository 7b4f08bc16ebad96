import { t } from '@vscode/l10n';
import { answerQuestion } from '../../answering/answer-question.ts';
import { checkWithModel } from '../../answering/checking/check-with-model.ts';
import type { LanguageModel } from '../../answering/models/language-model.ts';
import type { PassageFinder } from '../../answering/retrieving/passage-finder.ts';
import { tokensToRead } from '../../answering/retrieving/reading-budget.ts';
import { estimateTokens } from '../../language/tokens.ts';
import { applyAnswerEvents, type Answer, type AnswerEvent } from '../../notebook/answer.ts';
import { isCancelled, NotebookError } from '../../notebook/errors.ts';
import type { MatrixRow } from '../../notebook/matrix.ts';

/** What a model writes where a row does not answer, in these very words, so that it is known as such in any language. */
const NOT_STATED = 'Not stated in this source.';
/** How a model is told to answer a cell. */
const INSTRUCTIONS = [
  'You fill in one cell of a table from passages of one source.',
  'Answer the question in as few words as it takes: a value, a name, or one to three short sentences. Write no introduction, no headings and no lists.',
  `Rely on the passages alone. Where they do not answer the question, write only these very words, in English: ${NOT_STATED}`,
  'Keep names, numbers and code as the passages have them. Answer in the language of the question.',
].join('\n');

/** So many tokens of its row are read for a cell at most: a thousand cells of long sources would take millions else. */
const MOST_READ = 4_000;
/** What is around the passages in a request, and what is answered, in tokens. */
const AROUND = estimateTokens(INSTRUCTIONS) + 220;
const ANSWERED = 80;
/** UTF-16 code units of a token, as most texts in Latin letters have them. */
const TOKEN_LENGTH = 4;

/** What a cell is asked with. */
interface CellQuestion {
  readonly question: string;
  readonly row: Pick<MatrixRow, 'title'>;
  /** Finds passages of the row alone. */
  readonly passages: PassageFinder;
  /** Without a model the cell is the place of the row that says most to the question. */
  readonly model: LanguageModel | undefined;
  /** Checks what the model wrote; without one the answer stays unchecked. */
  readonly checker?: LanguageModel | undefined;
  readonly signal: AbortSignal;
}

/** Answers a cell from its row alone, checked statement by statement as all answers are. @throws NotebookError */
export async function answerCell(asked: CellQuestion): Promise<Answer> {
  const { question, row, passages, model, signal } = asked;
  const events: AnswerEvent[] = [];
  await answerQuestion({
    question,
    place: row.title,
    titles: [row.title],
    history: [],
    // What stands elsewhere in the notebook answers for no row.
    passages: { ...passages, placesElsewhere: undefined },
    model,
    writesSearches: false,
    tokens: Math.min(MOST_READ, tokensToRead(model?.windowTokens, undefined)),
    instructions: INSTRUCTIONS,
    signal,
    emit: (event) => events.push(event),
  });
  const written = applyAnswerEvents(undefined, events);
  const answer = written && (await checkedAnswer(written, asked));
  if (answer === undefined) throw new NotebookError('empty', '');
  if (answer.kind === 'written' && answer.text.trim() === NOT_STATED)
    return { kind: 'nothing', text: t('Not stated in this source.'), citations: [] };
  const {
    read: _read,
    searches: _searches,
    ...said
  } = answer.kind === 'quotes' ? firstPlace(answer) : answer;
  return said;
}

/** An answer with the verdicts of the fact check; as it is if the check fails. @throws NotebookError `cancelled` */
async function checkedAnswer(answer: Answer, { passages, checker, signal }: CellQuestion): Promise<Answer> {
  if (checker === undefined || answer.kind !== 'written' || answer.text.trim() === NOT_STATED) return answer;
  const events: AnswerEvent[] = [];
  try {
    await checkWithModel({
      ...{ answer, passages, signal },
      model: checker,
      emit: (event) => events.push(event),
    });
  } catch (error) {
    if (isCancelled(error) || !(error instanceof NotebookError)) throw error;
  }
  return applyAnswerEvents(answer, events) ?? answer;
}

/** Of places that say most to a question the first. */
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

/** What a cell of a row takes and gives, in tokens, where a model does not look twice. */
export function estimateCell({ length }: Pick<MatrixRow, 'length'>): {
  readonly input: number;
  readonly output: number;
} {
  return { input: Math.min(MOST_READ, Math.ceil(length / TOKEN_LENGTH)) + AROUND, output: ANSWERED };
}
