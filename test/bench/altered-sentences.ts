import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSentence, type Check } from '../../src/answering/checking/checker.ts';
import { prepareEvidence } from '../../src/answering/checking/evidence.ts';
import type { TextFormat } from '../../src/language/units.ts';
import type { FoundPassage } from '../../src/notebook/passage.ts';
import { markdownHeadingSpans } from '../unit/answering-fixtures.ts';
import { printTable, quantile } from './table.ts';

const folder = join(import.meta.dirname, '../fixtures/evidence');

interface Pair {
  readonly kind: string;
  readonly document: string;
  readonly sentence: string;
  /** The sentence altered; of the kind `source` the document that is cited wrongly. */
  readonly altered: string;
}

/** Checks sentences over documents, half of them altered, and prints which alterations are found out. */
export function measureAlteredSentences(): void {
  const pairs = readPairs();
  const names = [...new Set(pairs.map(({ document }) => document))];
  const passages = alteredDocuments();
  const evidence = prepareEvidence(passages);
  const check = (sentence: string, document: string): Check =>
    checkSentence(sentence, [names.indexOf(document)], evidence);

  const trueOnes = pairs.map(({ sentence, document }) => check(sentence, document).verdict);
  const rows = [...new Set(pairs.map(({ kind }) => kind))].map((kind) => {
    const own = pairs.filter((pair) => pair.kind === kind);
    const checks = own.map(({ document, sentence, altered }) =>
      kind === 'source' ? check(sentence, altered) : check(altered, document),
    );
    const isFound = ({ verdict, supports }: Check, i: number): boolean =>
      kind === 'source'
        ? verdict === 'supported' && supports[0]?.passage.documentTitle === own[i]?.document
        : verdict !== 'supported';
    const found = checks.filter(isFound).length;
    const contradicted = checks.filter(({ verdict }) => verdict === 'contradicted').length;
    return [kind, String(own.length), percent(found / own.length), percent(contradicted / own.length)];
  });
  const share = (verdict: string): string =>
    percent(trueOnes.filter((each) => each === verdict).length / trueOnes.length);

  console.log(
    `${String(2 * pairs.length)} sentences over ${String(names.length)} documents, half of them altered`,
  );
  console.log(
    `Of the true ones ${share('supported')} are called supported, ${share('partly')} partly, ${share('contradicted')} contradicted, ${share('not-found')} not found.`,
  );
  printTable(['altered', 'sentences', 'found out', 'called contradicted'], rows);
  printTimes(pairs, passages);
}

/** Passages of 1,500 characters, as many as hold so many sentences, one cited and all read. */
function printTimes(pairs: readonly Pair[], passages: readonly FoundPassage[]): void {
  const whole = passages.map(({ text }) => text).join('\n\n');
  const [first] = passages;
  if (first === undefined) return;
  const passageFrom = (start: number): FoundPassage => ({
    ...first,
    format: 'markdown',
    text: whole.slice(start, start + 1_500),
    end: 1_500,
  });
  const rows = [100, 500].map((least) => {
    const read: FoundPassage[] = [];
    let evidence = prepareEvidence(read);
    const preparing: number[] = [];
    while (evidence.units.length < least) {
      read.push(passageFrom((read.length * 1_400) % (whole.length - 1_500)));
      const began = performance.now();
      evidence = prepareEvidence(read);
      preparing.push(performance.now() - began);
    }
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      // What is remembered of words that were looked for is not to help.
      evidence = prepareEvidence(read);
      for (const { altered } of pairs) {
        const began = performance.now();
        checkSentence(altered, [round % read.length], evidence);
        times.push(performance.now() - began);
      }
    }
    const ms = (share: number): string => `${quantile(times, share).toFixed(2)} ms`;
    const { length } = evidence.units;
    return [
      `${String(length)} in ${String(read.length)} passages`,
      ms(0.5),
      ms(0.95),
      ms(1),
      `${(preparing.at(-1) ?? 0).toFixed(1)} ms`,
    ];
  });
  printTable(['a sentence against sentences', 'median', '95 %', 'longest', 'making them ready'], rows);
}

export function readPairs(): Pair[] {
  const lines = readFileSync(join(folder, 'sentences.txt'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [kind = '', document = '', sentence = '', altered = ''] = line.split('|');
    return { kind, document, sentence, altered };
  });
}

const formats: Record<string, TextFormat> = { md: 'markdown', 'ts.txt': 'code', txt: 'prose' };

/** The documents that the sentences are held against, in the order of the sentences. */
export function alteredDocuments(): FoundPassage[] {
  return [...new Set(readPairs().map(({ document }) => document))].map(makePassage);
}

function makePassage(name: string, index: number): FoundPassage {
  const text = readFileSync(join(folder, name), 'utf8');
  const format = formats[name.slice(name.indexOf('.') + 1)] ?? 'prose';
  return {
    passageId: index + 1,
    documentId: index + 1,
    sourceId: name,
    score: 1,
    start: 0,
    end: text.length,
    text,
    format,
    languageId: undefined,
    sourceTitle: name,
    documentTitle: name,
    documentKey: '',
    headings: [],
    headingSpans: format === 'markdown' ? markdownHeadingSpans(text, { start: 0, end: text.length }) : [],
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
