import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import {
  ask,
  documentNames,
  readFileBytes,
  readPlaces,
  searchingModel,
  shownPlaces,
  unfoldedPlaces,
  withNotebook,
  type BenchDocument,
  type PlaceIn,
} from './asking.ts';
import { benchmarkFile } from '../support/benchmarks.ts';
import { root } from '../support/paths.mjs';
import { readJsonLines } from './json-lines.ts';
import { printTable } from './table.ts';

export interface Question {
  readonly group: string;
  readonly question: string;
  readonly answers: readonly { readonly alternative?: boolean }[];
  readonly spans: readonly PlaceIn[];
  /** Searches that a language model wrote from the question and the titles of the documents. */
  readonly searches: readonly string[];
}

interface Outcome {
  readonly question: Question;
  readonly asked: boolean;
  readonly rounds: number;
  readonly told: readonly PlaceIn[];
  readonly toldWithoutSearches: readonly PlaceIn[];
  readonly places: readonly PlaceIn[];
  /** The parts of them that aren't folded. */
  readonly unfolded: readonly PlaceIn[];
}

/**
 * Minimum share of an answer's characters that a model gets or a person sees, for the question to count as answered.
 */
const TOLD = 0.8;
const SHOWN = 0.5;
const WINDOW = 32_000;
/**
 * Approximate length of excerpts that the chat shows without scrolling in a side bar of 300 pixels in a window of 900, in
 * UTF-16 code units.
 */
const FIRST_SCREEN = 500;
/**
 * Package whose source is the code of the mixed notebook: a repository in TypeScript with its tests. The lock file pins
 * its version, so the figures change only with ours.
 */
const CODE_PACKAGE = 'zod';
const MIN_CODE_FILES = 300;

/**
 * Measures everyday questions about notebooks of a few documents: how often a model is asked, how often it gets the
 * answer, and how often the shown excerpts contain the answer without a model. The model is scripted: it replies to a
 * request for searches with those of the question, and knows nothing else. With `isMixed`, all documents and a
 * repository of code are in one notebook.
 */
export async function measureEveryday(data: string, out?: string, isMixed = false): Promise<void> {
  const file = benchmarkFile(data, 'questions.jsonl');
  if (file === undefined) return;
  const questions = readJsonLines<Question>(file);
  const outcomes: Outcome[] = [];
  const askAll = async (documents: readonly BenchDocument[], own: readonly Question[]): Promise<void> => {
    await withNotebook(documents, async (index) => {
      for (const question of own) outcomes.push(await askQuestion(question, index));
    });
  };
  const groups = Map.groupBy(questions, (question) => question.group);
  if (isMixed) {
    const documents = await readMixedNotebook(data, [...groups.keys()]);
    if (documents === undefined) return;
    await askAll(documents, questions);
  } else for (const [group, own] of groups) await askAll(await readDocuments(data, group), own);
  print(outcomes);
  const lines = outcomes.map(({ question: { group, question }, asked, told, places }) =>
    JSON.stringify({ group, question, asked, told, places }),
  );
  if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
}

/**
 * Returns the documents of all groups and a repository of code as one notebook. Returns `undefined` and reports what
 * is missing if there isn't enough code.
 */
export async function readMixedNotebook(
  data: string,
  groups: readonly string[],
): Promise<BenchDocument[] | undefined> {
  const folder = join('node_modules', CODE_PACKAGE, 'src');
  const path = join(root, folder);
  const names = existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  const files = names.filter((name) => name.endsWith('.ts')).toSorted();
  if (files.length < MIN_CODE_FILES) {
    console.error(
      `The mixed notebook needs ${String(MIN_CODE_FILES)} files of code, but ${folder} has ${String(files.length)}. Run npm ci.`,
    );
    process.exitCode = 1;
    return undefined;
  }
  const code = await Promise.all(
    files.map(async (name) => {
      const title = join(CODE_PACKAGE, 'src', name);
      return { title, key: title, document: await readFileBytes(name, readFileSync(join(path, name))) };
    }),
  );
  const documents = (await Promise.all(groups.map((group) => readDocuments(data, group)))).flat();
  console.log(
    `One notebook of ${String(documents.length)} documents and ${String(code.length)} files of code from ${CODE_PACKAGE} ${packageVersion(CODE_PACKAGE)}`,
  );
  return [...documents, ...code];
}

function packageVersion(name: string): string {
  const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Returns the documents of a group, as the editor would read files with these names; `a--src_b.ts` is `src/b.ts` of
 * group `a`.
 */
export async function readDocuments(data: string, group: string): Promise<BenchDocument[]> {
  const files = readdirSync(data).filter((name) => name.startsWith(`${group}--`));
  return await Promise.all(
    files.map(async (file) => {
      const name = file.slice(group.length + 2).replaceAll('_', '/');
      const document = await readFileBytes(name, readFileSync(join(data, file)));
      return { title: name, key: file.replace(/\.md$/, ''), document };
    }),
  );
}

async function askQuestion(question: Question, index: NotebookIndex): Promise<Outcome> {
  const names = documentNames(index);
  const model = searchingModel(question.searches, WINDOW);
  const answer = await ask(index, question.question, { model, writesSearches: true });
  const { length: rounds } = model.requests;
  const plain = await ask(index, question.question, { model: searchingModel([], WINDOW) });
  const shown = await ask(index, question.question);
  return {
    question,
    asked: rounds > 0,
    rounds,
    told: readPlaces(answer, names),
    toldWithoutSearches: readPlaces(plain, names),
    places: shownPlaces(shown, names),
    unfolded: unfoldedPlaces(shown, names),
  };
}

/**
 * Returns the share of the answers that locations contain, 0 to 1: the best of those that suffice alone, or the mean
 * of the others.
 */
export function held({ spans, answers }: Question, places: readonly PlaceIn[], share: number): number {
  const isHeld = spans.map((span) => (coverage(span, places) >= share ? 1 : 0));
  const wanted = isHeld.filter((_, i) => answers[i]?.alternative !== true);
  const alternatives = isHeld.filter((_, i) => answers[i]?.alternative === true);
  return Math.max(0, mean(wanted), ...alternatives);
}

/** Returns the share of a span that locations contain. */
function coverage(span: PlaceIn, places: readonly PlaceIn[]): number {
  const inside = new Uint8Array(span.end - span.start);
  for (const { document, start, end } of places)
    if (document === span.document)
      inside.fill(1, Math.max(0, start - span.start), Math.max(0, end - span.start));
  return mean([...inside]);
}

/** Kinds of results without a model, from the best to the worst. */
const RESULT_KINDS = [
  'in the first excerpt',
  'in a later excerpt',
  'partly in the excerpts',
  'missing, other text of its document',
  'missing, only other documents',
] as const;

/** Returns how much of the answer to a question the excerpts contain. */
function kindOf({ question, places }: Outcome): (typeof RESULT_KINDS)[number] {
  if (held(question, places.slice(0, 1), SHOWN) === 1) return 'in the first excerpt';
  const all = held(question, places, SHOWN);
  if (all > 0) return all === 1 ? 'in a later excerpt' : 'partly in the excerpts';
  const documents = new Set(question.spans.map(({ document }) => document));
  return places.some(({ document }) => documents.has(document))
    ? 'missing, other text of its document'
    : 'missing, only other documents';
}

/** Returns the parts of locations within a total length, in UTF-16 code units. */
function cutPlaces(places: readonly PlaceIn[], length: number): PlaceIn[] {
  let left = length;
  return places.flatMap((place) => {
    const end = Math.min(place.end, place.start + left);
    left -= end - place.start;
    return end > place.start ? [{ ...place, end }] : [];
  });
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function print(outcomes: readonly Outcome[]): void {
  const answerable = outcomes.filter(({ question }) => question.spans.length > 0);
  const percent = (numbers: readonly number[]): string => `${(100 * mean(numbers)).toFixed(1)} %`;
  const of = (measure: (outcome: Outcome) => number): string[] => [
    percent(answerable.map(measure)),
    ...Array.from(Map.groupBy(answerable, ({ question }) => question.group).values(), (group) =>
      percent(group.map(measure)),
    ),
  ];
  const groups = [...new Set(answerable.map(({ question }) => question.group))];
  console.log(
    `${String(outcomes.length)} questions, ${String(answerable.length)} of them with an answer, of ${String(groups.length)} notebooks`,
  );
  printTable(
    ['', 'all', ...groups],
    [
      ['the model is asked', ...of(({ asked }) => Number(asked))],
      ['what it is told holds the answer', ...of(({ question, told }) => held(question, told, TOLD))],
      [
        'without its searches',
        ...of(({ question, toldWithoutSearches }) => held(question, toldWithoutSearches, TOLD)),
      ],
      ['without a model the places hold it', ...of(({ question, places }) => held(question, places, SHOWN))],
      ['the first place does', ...of(({ question, places }) => held(question, places.slice(0, 1), SHOWN))],
      ['the first three do', ...of(({ question, places }) => held(question, places.slice(0, 3), SHOWN))],
      [
        `their first ${FIRST_SCREEN.toLocaleString('en')} unfolded characters do`,
        ...of(({ question, unfolded }) => held(question, cutPlaces(unfolded, FIRST_SCREEN), SHOWN)),
      ],
    ],
  );
  printTable(
    ['questions by where the answer is', 'all', ...groups],
    RESULT_KINDS.map((kind) => {
      const own = answerable.filter((outcome) => kindOf(outcome) === kind);
      const count = (group: string): string =>
        String(own.filter(({ question }) => question.group === group).length);
      return [kind, String(own.length), ...groups.map(count)];
    }),
  );
  const shown = answerable.map(({ places }) => places.reduce((sum, { start, end }) => sum + end - start, 0));
  const unanswerable = outcomes.filter(({ question }) => question.spans.length === 0);
  console.log(
    `places: ${mean(shown).toFixed(0)} characters, ${Math.max(...shown).toFixed(0)} at most; rounds: ${mean(outcomes.map(({ rounds }) => rounds)).toFixed(2)}; of ${String(unanswerable.length)} without an answer the model is asked ${percent(unanswerable.map(({ asked }) => Number(asked)))}`,
  );
}
