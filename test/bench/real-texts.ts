// Measures the precision and recall of dates and definitions in real texts, by labels from people.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDates } from '../../src/core/language/dates.ts';
import { findDefinitions } from '../../src/core/language/definitions.ts';
import { printTable } from './table.ts';

/** Text by the ID of its row, and the first letters of its SHA-256. */
interface LabeledText {
  readonly id: string;
  readonly hash: string;
}

interface Labels {
  readonly dates: {
    readonly file: string;
    readonly looked: readonly (LabeledText & { readonly dates: readonly (readonly [number, string])[] })[];
    readonly keptBack: Labels['dates']['looked'];
  };
  readonly definitions: {
    readonly file: string;
    readonly looked: readonly (LabeledText & {
      readonly sentences: readonly (readonly [start: number, term: string | null, isSampled: boolean])[];
    })[];
    readonly keptBack: Labels['definitions']['looked'];
  };
}

/** Numbers of found and existing items. */
interface Counts {
  right: number;
  found: number;
  there: number;
  hit: number;
  texts: number;
}

/** Prints precision and recall of dates and definitions in the public texts of a folder. */
export function measureRealTexts(folder: string): void {
  const labels = JSON.parse(
    readFileSync(join(import.meta.dirname, '../fixtures/studio/real-texts.json'), 'utf8'),
  ) as Labels;
  const { dates, definitions } = labels;
  const rows = [
    ['dates, looked at', countDates(readTexts(folder, dates.file), dates.looked)],
    ['dates, kept back', countDates(readTexts(folder, dates.file), dates.keptBack)],
    ['definitions, looked at', countDefinitions(readTexts(folder, definitions.file), definitions.looked)],
    ['definitions, kept back', countDefinitions(readTexts(folder, definitions.file), definitions.keptBack)],
  ] as const;
  console.log('In real texts, labelled by hand:');
  printTable(
    ['', 'texts', 'there', 'found', 'precision', 'recall'],
    rows.map(([name, { texts, there, found, right, hit }]) => [
      name,
      ...[texts, there, found].map(String),
      ...[right / found, hit / there].map((share) => (Number.isNaN(share) ? '–' : share.toFixed(3))),
    ]),
  );
}

function countDates(texts: ReadonlyMap<string, string>, labelled: Labels['dates']['looked']): Counts {
  const counts = { right: 0, found: 0, there: 0, hit: 0, texts: 0 };
  for (const labeledText of labelled) {
    const text = textThere(texts, labeledText);
    if (text === undefined) continue;
    const dates = findDates(text);
    const right = labeledText.dates.filter(([at, value]) =>
      dates.some(
        ({ start, end, from, to }) =>
          start <= at && at < end && value === (to === undefined ? from : `${from}/${to}`),
      ),
    ).length;
    counts.texts++;
    counts.right += right;
    counts.hit += right;
    counts.found += dates.length;
    counts.there += labeledText.dates.length;
  }
  return counts;
}

/** Counts definitions. Precision is of all found and labeled sentences, recall of the drawn ones. */
function countDefinitions(
  texts: ReadonlyMap<string, string>,
  labelled: Labels['definitions']['looked'],
): Counts {
  const counts = { right: 0, found: 0, there: 0, hit: 0, texts: 0 };
  for (const labeledText of labelled) {
    const text = textThere(texts, labeledText);
    if (text === undefined) continue;
    counts.texts++;
    const termsByStart = new Map(
      findDefinitions(text, 'prose').map(({ sentence, term }) => [
        sentence.start,
        text.slice(term.start, term.end),
      ]),
    );
    for (const [start, term, isSampled] of labeledText.sentences) {
      const definition = termsByStart.get(start);
      if (definition !== undefined) counts.found++;
      if (definition !== undefined && definition === term) counts.right++;
      if (!isSampled || term === null) continue;
      counts.there++;
      if (definition === term) counts.hit++;
    }
  }
  return counts;
}

/** Returns the texts of a file of the benchmarks, by ID. */
function readTexts(folder: string, file: string): ReadonlyMap<string, string> {
  const rows = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  return new Map(
    rows.map((row) => {
      const { id, text } = JSON.parse(row) as { readonly id: string; readonly text: string };
      return [id, text];
    }),
  );
}

/** Returns a text; undefined, with a message, if the benchmarks now have another text. */
function textThere(texts: ReadonlyMap<string, string>, { id, hash }: LabeledText): string | undefined {
  const text = texts.get(id);
  if (text !== undefined && createHash('sha256').update(text).digest('hex').startsWith(hash)) return text;
  console.log(`The text ${id} is another one than was labelled.`);
  return undefined;
}
