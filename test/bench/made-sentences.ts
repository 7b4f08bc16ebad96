import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSentence, type Check } from '../../src/answering/checking/checker.ts';
import { prepareEvidence } from '../../src/answering/checking/evidence.ts';
import { printTable } from './table.ts';

/** Sentences over a text of their language. `true` ones, those that tell what it lacks beside it, and altered ones. */
interface MadeSet {
  readonly language: string;
  readonly text: string;
  readonly sentences: readonly { readonly kind: string; readonly sentence: string }[];
}

const file = join(import.meta.dirname, '../fixtures/evidence/languages.txt');

export function readMadeSets(): MadeSet[] {
  return readFileSync(file, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((block) => {
      const [language = '', text = '', ...lines] = block.trim().split('\n');
      const sentences = lines.map((line) => {
        const bar = line.indexOf('|');
        return { kind: line.slice(0, bar), sentence: line.slice(bar + 1) };
      });
      return { language, text, sentences };
    });
}

/** What is said of each sentence of a set, in their order. */
export function checkMadeSet({ text, sentences }: MadeSet): Check[] {
  const evidence = prepareEvidence([
    {
      passageId: 1,
      documentId: 1,
      sourceId: 'harbour',
      score: 1,
      start: 0,
      end: text.length,
      text,
      format: 'prose',
      languageId: undefined,
      sourceTitle: '',
      documentTitle: '',
      documentKey: '',
      headings: [],
      headingSpans: [],
    },
  ]);
  return sentences.map(({ sentence }) => checkSentence(sentence, [0], evidence));
}

/** Prints how true and altered sentences are judged in other languages. */
export function measureMadeSentences(): void {
  const sets = readMadeSets().map((set) => ({ ...set, checks: checkMadeSet(set) }));
  const share = (
    { sentences, checks }: (typeof sets)[number],
    kinds: readonly string[],
    isSo: (verdict: string) => boolean,
  ): string => {
    const own = checks.filter((_, i) => kinds.includes(sentences[i]?.kind ?? ''));
    return `${String(own.filter(({ verdict }) => isSo(verdict)).length)} of ${String(own.length)}`;
  };
  printTable(
    [
      'language',
      'true: supported',
      'true: contradicted',
      'lacks: supported',
      'numbers: found out',
      'dates: found out',
      'names: found out',
      'negations: found out',
      'negations: contradicted',
    ],
    sets.map((set) => [
      set.language,
      share(set, ['true'], (verdict) => verdict === 'supported'),
      share(set, ['true', 'lacks'], (verdict) => verdict === 'contradicted'),
      share(set, ['lacks'], (verdict) => verdict === 'supported'),
      ...['number', 'date', 'name', 'negation'].map((kind) =>
        share(set, [kind], (verdict) => verdict !== 'supported'),
      ),
      share(set, ['negation'], (verdict) => verdict === 'contradicted'),
    ]),
  );
}
