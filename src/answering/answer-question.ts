import { t } from '@vscode/l10n';
import { throwIfCancelled } from '../notebook/errors.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import { describeProvenance, type Provenance } from './retrieving/provenance.ts';
import type { LanguageModel } from './models/language-model.ts';
import type { QuestionInput } from './question/question-input.ts';
import { tellNothing, tellPlaces } from './places/places.ts';
import { tokensToRead } from './retrieving/reading-budget.ts';
import { readInOrder } from './retrieving/retriever.ts';
import { writeSearches } from './question/searches.ts';
import { understand } from './question/understand.ts';
import { summarize } from './writing/summary.ts';
import { writeAnswer } from './writing/write-answer.ts';

/** Passages of the question's own words under whose headings a model looks first. */
const LANDED = 20;
/** How often a model may ask to look for more. */
const MOST_ROUNDS = 2;

/**
 * Answers a question from a notebook and tells it by events: written by the model and checked sentence by sentence,
 * or, without a model, in places of its sources. The model is asked wherever anything was found: whether that answers the question is
 * for it to say. Rejects with a `NotebookError`; what was told until then stands.
 */
export async function answerQuestion(input: QuestionInput): Promise<void> {
  const { question, words: typed = question, history, model } = input;
  const { summary, query } = understand(typed, history);
  if (summary !== undefined && (await summarize(summary, input))) return;
  await (model === undefined ? tellPlaces(query, typed, input) : answerByModel(model, query, typed, input));
}

/** Reads what the question and a model's searches find, and has the model answer or look for more. */
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
  throwIfCancelled(signal);
  // Where all that is asked is read anyway, nothing has to be searched for.
  const written = input.writesSearches && !gathered.isAll ? await searchesBy(model, query, input) : [];
  let next = written;
  for (let round = 0; ; round++) {
    if (next.length > 0) {
      emit({ kind: 'status', text: t('Searching for {0}…', next.map(quoted).join(', ')) });
      searches.push(...next);
      gathered = await finder.gather(round === 0 ? searches : next, tokens, signal);
      throwIfCancelled(signal);
    }
    const backgroundFor = (of: readonly FoundPassage[]): Promise<Provenance> =>
      describeProvenance({ searches, typed, finder }, of);
    if (gathered.passages.length === 0) {
      await tellNothing(query, await backgroundFor([]), input);
      return;
    }
    // Where all was read there is no more to look for.
    const mayLookAgain = !gathered.isAll && round < MOST_ROUNDS;
    const read = readInOrder(gathered);
    next = await writeAnswer(model, { read, backgroundFor, mayLookAgain }, input);
    if (next.length === 0) return;
  }
}

function quoted(search: string): string {
  return `“${search}”`;
}

/** What a model would search for, told where the question's own words stand. */
async function searchesBy(
  model: LanguageModel,
  query: string,
  { question, history, titles, passages: finder, signal, emit }: QuestionInput,
): Promise<readonly string[]> {
  const landed = await finder.find(query, LANDED, signal);
  throwIfCancelled(signal);
  emit({ kind: 'status', text: t('Writing search queries with {0}…', model.name) });
  const headings = landed.flatMap((passage) => [passage.documentTitle, passage.headings.join(' › ')]);
  return await writeSearches({ question, history, titles, headings, model, signal });
}
