import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { overlap, type Span } from '../../src/core/language/span.ts';
import { ask, documentNames, markdownDocument, shownPlaces, withNotebook } from './asking.ts';
import { benchmarkFile } from '../support/benchmarks.ts';
import { readJsonLines } from './json-lines.ts';
import { printTable, quantile } from './table.ts';

interface Question {
  readonly corpus: string;
  readonly question: string;
  readonly spans: readonly (readonly [number, number])[];
}

/** Measures how often the quotes of an answer without a model overlap the answering words, and their length. */
export async function measureQuotes(data: string): Promise<void> {
  const file = benchmarkFile(data, 'questions.jsonl');
  if (file === undefined) return;
  const questions = readJsonLines<Question>(file);
  const corpora = [...new Set(questions.map(({ corpus }) => corpus))];
  const texts = corpora.map((title) =>
    markdownDocument(title, readFileSync(join(data, `${title}.md`), 'utf8')),
  );
  await withNotebook(texts, async (index) => {
    const names = documentNames(index);
    const times: number[] = [];
    let [unanswered, touching, first, characters] = [0, 0, 0, 0];
    for (const { question, corpus, spans } of questions) {
      const began = performance.now();
      const answer = await ask(index, question);
      times.push(performance.now() - began);
      if (answer?.kind !== 'quotes') {
        unanswered++;
        continue;
      }
      const places = shownPlaces(answer, names);
      const isTouched = places.map((place) => place.document === corpus && touches(place, spans));
      if (isTouched.includes(true)) touching++;
      if (isTouched[0] === true) first++;
      characters += places.reduce((sum, { start, end }) => sum + end - start, 0);
    }
    const share = (count: number): string => `${((100 * count) / questions.length).toFixed(1)} %`;
    console.log(`${String(questions.length)} questions over ${String(corpora.length)} documents`);
    printTable(
      ['', 'a quote touches the answer', 'the first does', 'unanswered', 'characters', 'ms a question'],
      [
        [
          'quotes',
          share(touching),
          share(first),
          share(unanswered),
          (characters / questions.length).toFixed(0),
          quantile(times, 0.5).toFixed(1),
        ],
      ],
    );
  });
}

function touches(span: Span, answers: Question['spans']): boolean {
  return answers.some(([start, end]) => overlap(span, { start, end }) > 0);
}
