import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { foldedMarkdown, splitExcerpt, type Excerpt } from '../../src/core/domain/excerpt.ts';

/** Returns an excerpt whose marks are the given words. */
function excerpt(text: string, words: readonly string[] = [], more: Partial<Excerpt> = {}): Excerpt {
  const marks = words.map((word) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length }));
  return { text, format: 'markdown', marks, best: marks[0], ...more };
}

const sentences = Array.from(
  { length: 40 },
  (_, i) =>
    `Bed ${String(i)} is watered from the barrel behind the shed on every second morning of the week.`,
).join(' ');
const rows = Array.from({ length: 30 }, (_, i) => `| Bed ${String(i)}. | ${String(i * 10)} |`);
const table = `| Bed | Litres |\n| --- | --- |\n${rows.join('\n')}\n`;

describe('splitExcerpt', () => {
  test('leaves a short excerpt whole', () => {
    const text = '## Watering\n\nBeans are watered daily. Peas are not.\n';
    assert.deepEqual(splitExcerpt(excerpt(text, ['Peas'])), [{ kind: 'text', start: 0, end: text.length }]);
  });

  test('keeps matching sentences with their neighbors, in parts that are the whole text', () => {
    for (const format of ['markdown', 'prose'] as const) {
      const parts = splitExcerpt(excerpt(sentences, ['Bed 20 is'], { format }));
      assert.deepEqual(
        parts.map(({ kind }) => kind),
        ['folded', 'text', 'folded'],
      );
      assert.equal(parts.map(({ start, end }) => sentences.slice(start, end)).join(''), sentences);
      const shown = sentences.slice(parts[1]!.start, parts[1]!.end);
      assert.match(shown, /Bed 19 .*Bed 20 .*Bed 21 /);
      assert.ok(shown.length <= 16 * 40, shown);
    }
  });

  test('begins at the beginning if nothing matches', () => {
    const [first, ...others] = splitExcerpt(excerpt(sentences));
    assert.deepEqual([first?.kind, first?.start, others.length], ['text', 0, 1]);
  });

  test('keeps matching rows with their neighbors and finds columns of numbers', () => {
    const [part] = splitExcerpt(excerpt(table, ['Bed 20.']));
    assert.ok(part?.kind === 'table');
    assert.deepEqual(
      part.rows.flatMap(({ isShown }, i) => (isShown ? [i] : [])),
      [19, 20, 21],
    );
    assert.deepEqual(part.isNumeric, [false, true]);
    assert.equal(table.slice(part.header!.start, part.header!.end), '| Bed | Litres |\n| --- | --- |');
  });

  test('finds rows without a header, next to text and not in code', () => {
    const text = `Litres by bed:\n\n${rows.slice(0, 3).join('\n')}\n\n\`\`\`\n| a | b |\n\`\`\`\n`;
    const parts = splitExcerpt(excerpt(text));
    assert.deepEqual(
      parts.map(({ kind }) => kind),
      ['text', 'table', 'text'],
    );
    assert.equal(parts[1]?.kind === 'table' && parts[1].header, undefined);
  });
});

describe('foldedMarkdown', () => {
  test('returns a short excerpt unchanged', () => {
    const short = `Before.\n\n${table.split('\n').slice(0, 5).join('\n')}\n`;
    assert.equal(foldedMarkdown(excerpt(short)), short);
  });

  test('writes … for folded rows and sentences', () => {
    assert.equal(
      foldedMarkdown(excerpt(table, ['Bed 20.'])),
      '| Bed | Litres |\n| --- | --- |\n| … |  |\n| Bed 19. | 190 |\n| Bed 20. | 200 |\n| Bed 21. | 210 |\n| … |  |',
    );
    assert.match(foldedMarkdown(excerpt(sentences, ['Bed 20 is'])), /^…\n\nBed 1\d .* week\.\n\n…$/);
  });
});
