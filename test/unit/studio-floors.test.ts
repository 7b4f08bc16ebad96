import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findDates } from '../../src/language/dates.ts';
import { findDefinitions } from '../../src/language/definitions.ts';

/** What is to be found in a sentence: the marked words, and what they say. */
interface Sentence {
  readonly text: string;
  readonly marks: readonly { readonly words: string; readonly value: string }[];
}

/** The sentences of a file that were kept back while the rules were made: every other one. */
function keptBack(name: string): Sentence[] {
  const lines = readFileSync(join(import.meta.dirname, '../fixtures/studio', name), 'utf8')
    .trim()
    .split('\n');
  return lines
    .filter((_, index) => index % 2 === 1)
    .map((line) => {
      const sentence = line.slice('en: '.length);
      const marks = [...sentence.matchAll(/\{([^{}=]*)(?:=([^{}]*))?\}/g)];
      return {
        text: sentence.replaceAll(/\{([^{}=]*)(?:=[^{}]*)?\}/g, '$1'),
        marks: marks.map(([, words = '', value = words]) => ({ words, value })),
      };
    });
}

/** Of all that was found the share that is right, and of all that is there the share that was found. */
function measure(
  sentences: readonly Sentence[],
  find: (text: string) => readonly string[],
): { precision: number; recall: number } {
  let [right, found, there] = [0, 0, 0];
  for (const { text, marks } of sentences) {
    const values = find(text);
    right += values.filter((value) => marks.some((mark) => mark.value === value)).length;
    found += values.length;
    there += marks.length;
  }
  return { precision: right / found, recall: right / there };
}

test('finds dates in sentences of many languages with nine of ten correct', () => {
  const { precision, recall } = measure(keptBack('dates.txt'), (text) =>
    findDates(text).map(({ from, to }) => (to === undefined ? from : `${from}/${to}`)),
  );
  assert.ok(precision >= 0.9, `precision ${String(precision)}`);
  assert.ok(recall >= 0.85, `recall ${String(recall)}`);
});

test('finds definitions in sentences of many languages with nine of ten correct', () => {
  const { precision, recall } = measure(keptBack('definitions.txt'), (text) =>
    findDefinitions(text, 'markdown').map(({ term }) => text.slice(term.start, term.end)),
  );
  assert.ok(precision >= 0.9, `precision ${String(precision)}`);
  assert.ok(recall >= 0.85, `recall ${String(recall)}`);
});
