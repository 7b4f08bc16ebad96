import { t } from '@vscode/l10n';
import { throwIfCanceled } from '../core/domain/errors.ts';
import type { FoundPassage } from '../core/domain/passage.ts';
import { describeProvenance, type Provenance } from './retrieving/provenance.ts';
import type { LanguageModel } from './models/language-model.ts';
import type { QuestionInput } from './question/question-input.ts';
import { emitNothingFound, emitExcerpts } from './places/places.ts';
import { tokensToRead } from './retrieving/reading-budget.ts';
import { readInOrder } from './retrieving/retriever.ts';
import { writeSearches } from './question/searches.ts';
import { understand } from './question/understand.ts';
import { summarize } from './writing/summary.ts';
import { writeAnswer } from './writing/write-answer.ts';

/** Number of passages found by the question's own words whose headings the model gets for its searches. */
const LANDED = 20;
/** Maximum number of times that a model may search again. */
const MAX_ROUNDS = 2;

/**
 * Answers a question from a notebook and reports the answer by events. A model writes it, and each sentence is checked;
 * without a model, the answer is excerpts of the sources. The model gets every question with search results, and
 * decides whether they answer it. Rejects with a `NotebookError`; events reported before stay valid.
 */
export async function answerQuestion(input: QuestionInput): Promise<void> {
  const { question, words: typed = question, history, model } = input;
  const { summary, query } = understand(typed, history);
  if (summary !== undefined && (await summarize(summary, input))) return;
  await (model === undefined ? emitExcerpts(query, typed, input) : answerByModel(model, query, typed, input));
}

/** Reads the results of the question and the model's searches, and lets the model answer or search again. */
async function answerByModel(
  model: LanguageModel,
  query: string,
  typed: string,
  input: QuestionInput,
): Promise<void> {
  const { passages: finder, signal, emit } = input;
  const tokens = tokensToRead(model.windowTokens, input.tokens);
  const searches = [query];
  let gathered = await finder.gather(searches, tokens, signal);
  throwIfCanceled(signal);
  // If the model reads the whole search scope anyway, searches are unnecessary.
  const written = input.writesSearches && !gathered.isAll ? await searchesBy(model, query, input) : [];
  let next = written;
  for (let round = 0; ; round++) {
    if (next.length > 0) {
      emit({ kind: 'status', text: t('Searching for {0}…', next.map(quoteSearch).join(', ')) });
      searches.push(...next);
      gathered = await finder.gather(round === 0 ? searches : next, tokens, signal);
      throwIfCanceled(signal);
    }
    const backgroundFor = (of: readonly FoundPassage[]): Promise<Provenance> =>
      describeProvenance({ searches, typed, finder }, of);
    if (gathered.passages.length === 0) {
      await emitNothingFound(query, await backgroundFor([]), input);
      return;
    }
    // After reading everything, the model can't find more.
    const mayLookAgain = !gathered.isAll && round < MAX_ROUNDS;
    const read = readInOrder(gathered);
    next = await writeAnswer(model, { read, backgroundFor, mayLookAgain }, input);
    if (next.length === 0) return;
  }
}

function quoteSearch(search: string): string {
  return `“${search}”`;
}

/** Returns the model's searches, written with the headings that match the question's own words. */
async function searchesBy(
  model: LanguageModel,
  query: string,
  { question, history, titles, passages: finder, signal, emit }: QuestionInput,
): Promise<readonly string[]> {
  const landed = await finder.find(query, LANDED, signal);
  throwIfCanceled(signal);
  emit({ kind: 'status', text: t('Writing search queries with {0}…', model.name) });
  const headings = landed.flatMap((passage) => [passage.documentTitle, passage.headings.join(' › ')]);
  return await writeSearches({ question, history, titles, headings, model, signal });
}
