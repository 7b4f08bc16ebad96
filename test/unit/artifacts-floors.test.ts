import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findDates } from '../../src/core/language/dates.ts';
import { findDefinitions } from '../../src/core/language/definitions.ts';

/** Sentence with the marked words to find and their values. */
interface Sentence {
  readonly text: string;
  readonly marks: readonly { readonly words: string; readonly value: string }[];
}

/** Returns every other sentence of a file, which weren't used to write the rules. */
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

/** Returns the share of results that are right, and the share of expected results that were found. */
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
