// Fits the weights that rank excerpts, and measures them on notebooks that they weren't fitted on:
//   node test/support/fit-places.ts [FOLDER] [--write]
// FOLDER contains everyday/ and passages/. Everyday questions are asked of their group's notebook and of the mixed one,
// but those of a held-out group of neither. Each weight in turn gets its best value, until no change helps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paginate } from '../../src/answers/places/places.ts';
import { MARK_WEIGHTS, PLACE_WEIGHTS } from '../../src/index/search/place-weights.ts';
import {
  documentNames,
  markdownDocument,
  placeIn,
  withNotebook,
  type BenchDocument,
} from '../bench/asking.ts';
import { held, readDocuments, readMixedNotebook, type Question } from '../bench/everyday.ts';
import { readJsonLines } from '../bench/json-lines.ts';
import { benchmarksFor } from './benchmarks.ts';
import { chooseWeights, measureUnseen, percent, writeWeights, type Tried } from './choose-weights.ts';
import { overlap, type Span } from '../../src/core/language/span.ts';
import type { FoundPlace } from '../../src/core/domain/passage.ts';
import { stretches } from '../../src/index/search/term-windows.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';

/** Candidate values for each weight. */
const tried: Tried<typeof PLACE_WEIGHTS> = {
  rarity: [0.15, 0.25, 0.35, 0.5, 1],
  firstRarity: [0.25, 0.5, 0.7],
  firstGeneral: [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8],
  blockK: [0.6, 1, 1.4],
  blockB: [0.3, 0.5, 0.7],
  sectionK: [0.8, 1.2, 2],
  sectionB: [0.3, 0.5, 0.75],
  section: [0.4, 0.7, 1],
  heading: [0.5, 1, 1.5],
  code: [0.3, 0.5, 0.7, 1],
  comments: [0.6, 0.75, 0.85, 1],
  elsewhere: [0, 0.25, 0.5, 1],
  boilerplate: [0, 0.25, 0.5, 1],
  codePassage: [0.6, 0.75, 0.85, 1],
  blockLength: [200, 300, 400],
  shortestBlock: [0.3, 0.5, 0.7],
  longestBlock: [1.1, 1.2, 1.5],
  longestWhole: [800, 1_200, 1_600],
  longestFirst: [1_000, 1_200, 1_400],
  longestOther: [220, 280, 400],
  lookedAt: [6, 12, 24],
  pairs: [0, 0.1, 0.2, 0.3, 0.5],
  begins: [0, 0.1, 0.25, 0.5, 1],
  weakest: [0, 0.3, 0.5, 0.6, 0.7],
};
const triedOfMarks: Tried<typeof MARK_WEIGHTS> = {
  shareOfBest: [0.5, 0.6, 0.75, 0.9, 1],
  mostMarks: [1, 2, 3, 4],
};

/** Minimum share of an answer that must be shown. */
const SHOWN = 0.5;
/** Weight of the first excerpt relative to all, and then of questions in the documents' own words. */
const FIRST = 0.6;
const OWN_WORDS = 0.3;
/** Minimum gain; less than one more question in a notebook, which has some sixteen, is chance. */
const MIN_GAIN = 0.02;
/**
 * Minimum gain for marks: with half of the best one's share instead of three quarters, the F1 of one notebook rises by
 * .13, and that of one of the texts falls by .07.
 */
const MIN_MARK_GAIN = 0.03;
/** Uses every nth question of the passages suite, so that it takes no longer than the rest. */
const EVERY = 4;

interface Notebook {
  readonly name: string;
  readonly weight: number;
  /** Indexes of the group's documents, and for everyday questions also of the mixed notebook. */
  readonly indexes: readonly NotebookIndex[];
  readonly questions: readonly Question[];
}

interface Score {
  readonly hold: number;
  readonly first: number;
  /** F1 of characters between the marks and the answer, in excerpts that contain any of it. */
  readonly marked: number;
}

/** Caches scores, because most settings are tried again when a notebook is left out. */
const measured = new Map<string, Promise<Score>>();

function scoreNotebook(notebook: Notebook): Promise<Score> {
  const key = JSON.stringify([notebook.name, PLACE_WEIGHTS, MARK_WEIGHTS]);
  const score = measured.get(key) ?? measure(notebook);
  measured.set(key, score);
  return score;
}

async function measure({ indexes, questions }: Notebook): Promise<Score> {
  let [hold, first] = [0, 0];
  const marked: number[] = [];
  for (const index of indexes) {
    const names = documentNames(index);
    for (const question of questions) {
      const [page = []] = paginate(await index.passageSearch.places({ words: question.question }));
      const shown = page.flat().map(({ passage }) => placeIn(passage.documentId, passage, names));
      hold += held(question, shown, SHOWN);
      first += held(question, shown.slice(0, 1), SHOWN);
      const f1 = markedF1(question, page.flat(), names);
      if (f1 !== undefined) marked.push(f1);
    }
  }
  const questionCount = indexes.length * questions.length;
  return {
    hold: hold / questionCount,
    first: first / questionCount,
    marked: marked.reduce((sum, one) => sum + one, 0) / marked.length,
  };
}

/** Returns the F1 of the marks; undefined if no excerpt contains any of an answer. */
function markedF1(
  { spans }: Question,
  excerpts: readonly FoundPlace[],
  names: ReadonlyMap<number, string>,
): number | undefined {
  let [right, marked, wanted] = [0, 0, 0];
  for (const { passage, marks } of excerpts) {
    const answers = stretches(spans.filter(({ document }) => document === names.get(passage.documentId)));
    const inAnswers = (span: Span): number => answers.reduce((sum, answer) => sum + overlap(answer, span), 0);
    if (inAnswers(passage) === 0) continue;
    wanted += inAnswers(passage);
    for (const mark of marks) {
      marked += mark.end - mark.start;
      right += inAnswers(mark);
    }
  }
  return wanted === 0 ? undefined : (2 * right) / (marked + wanted);
}

async function meanValue(notebooks: readonly Notebook[], value: (score: Score) => number): Promise<number> {
  let [sum, all] = [0, 0];
  for (const notebook of notebooks) {
    sum += notebook.weight * value(await scoreNotebook(notebook));
    all += notebook.weight;
  }
  return sum / all;
}

/** Returns the best weights for some notebooks, starting from the current ones. */
function chosenFor(notebooks: readonly Notebook[]): Promise<typeof PLACE_WEIGHTS> {
  const value = ({ hold, first }: Score): number => hold + FIRST * first;
  return chooseWeights(PLACE_WEIGHTS, tried, () => meanValue(notebooks, value), MIN_GAIN);
}

function marksChosenFor(notebooks: readonly Notebook[]): Promise<typeof MARK_WEIGHTS> {
  return chooseWeights(
    MARK_WEIGHTS,
    triedOfMarks,
    // Weights all notebooks equally, since marks don't depend on the words of a question.
    () =>
      meanValue(
        notebooks.map((notebook) => ({ ...notebook, weight: 1 })),
        ({ marked }) => marked,
      ),
    MIN_MARK_GAIN,
  );
}

async function withAll(
  groups: readonly Group[],
  mixed: NotebookIndex,
  action: (notebooks: readonly Notebook[]) => Promise<void>,
  opened: readonly Notebook[] = [],
): Promise<void> {
  const [next, ...others] = groups;
  if (next === undefined) {
    await action(opened);
    return;
  }
  await withNotebook(next.documents, async (index) => {
    const indexes = next.isInMixed ? [index, mixed] : [index];
    const notebooks = next.parts.map((part) => ({
      ...part,
      weight: next.weight / next.parts.length,
      indexes,
    }));
    await withAll(others, mixed, action, [...opened, ...notebooks]);
  });
}

/** Documents of one notebook with questions, in parts that are held out one after the other. */
interface Group {
  readonly documents: readonly BenchDocument[];
  readonly weight: number;
  /** `true` if the mixed notebook contains its documents, too. */
  readonly isInMixed: boolean;
  readonly parts: readonly Pick<Notebook, 'name' | 'questions'>[];
}

if (import.meta.main) {
  const folder = benchmarksFor(process.argv, ['everyday', 'passages']);
  const everyday = join(folder, 'everyday');
  const questions = readJsonLines<Question>(join(everyday, 'questions.jsonl'));
  const groups: Group[] = await Promise.all(
    Array.from(
      Map.groupBy(
        questions.filter(({ spans }) => spans.length > 0),
        ({ group }) => group,
      ),
      async ([name, questions]) => ({
        parts: [{ name, questions }],
        weight: 1,
        isInMixed: true,
        documents: await readDocuments(everyday, name),
      }),
    ),
  );
  const own = readJsonLines<{ corpus: string; question: string; spans: [number, number][] }>(
    join(folder, 'passages', 'questions.jsonl'),
  );
  const corpora = [...new Set(own.map(({ corpus }) => corpus))];
  groups.push({
    weight: OWN_WORDS,
    isInMixed: false,
    documents: corpora.map((title) =>
      markdownDocument(title, readFileSync(join(folder, 'passages', `${title}.md`), 'utf8')),
    ),
    parts: corpora.map((name) => ({
      name,
      questions: own
        .filter(({ corpus }, i) => corpus === name && i % EVERY === 0)
        .map(({ corpus, question, spans }) => ({
          group: name,
          question,
          searches: [],
          answers: spans.map(() => ({})),
          spans: spans.map(([start, end]) => ({ document: corpus, start, end })),
        })),
    })),
  });
  const names = new Set(questions.map(({ group }) => group));
  const mixed = await readMixedNotebook(everyday, [...names]);
  if (mixed === undefined) process.exit(1);
  const fit = async (notebooks: readonly Notebook[]): Promise<void> => {
    const printScore = ({ name }: Notebook, { hold, first, marked }: Score): void => {
      console.log(`${name}: ${percent(hold)} held, the first ${percent(first)}, marks ${percent(marked)}`);
    };
    for (const notebook of notebooks) printScore(notebook, await scoreNotebook(notebook));
    const unseenMarks = await measureUnseen(
      MARK_WEIGHTS,
      triedOfMarks,
      notebooks,
      marksChosenFor,
      scoreNotebook,
    );
    for (const [i, { marked }] of unseenMarks.entries())
      console.log(`${notebooks[i]?.name ?? ''}, not seen: marks ${percent(marked)}`);
    const chosenOfMarks = await marksChosenFor(notebooks);
    console.log(chosenOfMarks);
    const unseen = await measureUnseen(PLACE_WEIGHTS, tried, notebooks, chosenFor, scoreNotebook);
    for (const [i, { hold, first }] of unseen.entries())
      console.log(
        `${notebooks[i]?.name ?? ''}, not seen: ${percent(hold)} held, the first ${percent(first)}`,
      );
    const chosen = await chosenFor(notebooks);
    console.log(chosen);
    for (const notebook of notebooks) printScore(notebook, await scoreNotebook(notebook));
    if (!process.argv.includes('--write')) return;
    const mean = (scores: readonly Score[], value: keyof Score): string =>
      percent(scores.reduce((sum, score) => sum + score[value], 0) / scores.length);
    // The notebooks with everyday questions come first.
    const [everydayOnes, others] = [unseen.slice(0, -corpora.length), unseen.slice(-corpora.length)];
    writeWeights(
      join(import.meta.dirname, '../../src/index/search/place-weights.ts'),
      { ...chosen, ...chosenOfMarks },
      {
        PLACE_WEIGHTS: `Chosen by test/support/fit-places.ts on everyday questions (written for this project, of notebooks of Git's documentation, of R's manuals and of MiniSearch's source) and on those of chunking_evaluation (public: ${corpora.join(', ')}), one notebook or text held back at a time. On those not seen the places hold the answer to ${mean(everydayOnes, 'hold')} of the former and ${mean(others, 'hold')} of the latter. Rarity is damped (an exponent), because the words that people ask with are often rare in documents and say little all the same: "get", "show", "stuff". Lengths are in UTF-16 code units.`,
        MARK_WEIGHTS: `Of an excerpt's sentences those are marked that hold this share of what the best of them holds, and so many at most: chosen by the same script on the same questions. On those not seen the marks meet the answers with an F1 of ${mean(unseenMarks, 'marked')}.`,
      },
    );
  };
  await withNotebook(mixed, async (index) => {
    await withAll(groups, index, fit);
  });
}
