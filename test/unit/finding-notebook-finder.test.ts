import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passageFinder } from '../../src/answers/retrieving/notebook-finder.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { SearchLine } from '../../src/index/search/search-api.ts';

const { signal } = new AbortController();

test('prefetches the passages of a larger notebook with the vectors of its search', async () => {
  const steps: { readonly kind: string; readonly lines: readonly SearchLine[] }[] = [];
  const notebook = {
    prefetch: async (lines: readonly SearchLine[]): Promise<void> => {
      await Promise.resolve();
      steps.push({ kind: 'prefetch', lines });
    },
    call: async (kind: string, params: object): Promise<never[]> => {
      await Promise.resolve();
      const { searches, question, words, vector } = params as Partial<
        SearchLine & { readonly searches: readonly SearchLine[]; readonly question: string }
      >;
      steps.push({ kind, lines: searches ?? [{ words: question ?? words ?? '', vector }] });
      return [];
    },
  } as unknown as Pick<NotebookClient, 'prefetch' | 'call'>;
  let requestCount = 0;
  const embedQuestion = (question: string): Promise<SearchLine['vector']> =>
    Promise.resolve({ setId: ++requestCount, values: Float32Array.of(question.length) });
  const finder = passageFinder(notebook, { embedQuestion });
  await finder.find('pastry', 3, signal);
  await finder.places('pastry', signal);
  await finder.gather(['pastry', 'irrigation'], 100, signal);
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ['prefetch', 'search', 'prefetch', 'places', 'prefetch', 'gather'],
  );
  for (let at = 0; at < steps.length; at += 2) assert.deepEqual(steps[at]?.lines, steps[at + 1]?.lines);
  // Each is embedded once.
  assert.equal(requestCount, 2);
  assert.deepEqual(
    steps.at(-1)?.lines.map(({ words, vector }) => [words, vector?.setId]),
    [
      ['pastry', 1],
      ['irrigation', 2],
    ],
  );
});

test('accepts an incomplete index only for answers that can say so', async () => {
  const accepted: [string, unknown][] = [];
  const notebook = {
    prefetch: () => Promise.resolve(),
    call: (
      kind: string,
      params: { readonly acceptsIncomplete?: boolean },
      { onProgress }: { readonly onProgress?: (progress: object) => void },
    ): Promise<never[]> => {
      accepted.push([kind, params.acceptsIncomplete]);
      onProgress?.({ isIncomplete: true });
      return Promise.resolve([]);
    },
  } as unknown as Pick<NotebookClient, 'prefetch' | 'call'>;
  const embedder = { embedQuestion: () => Promise.resolve(undefined) };
  let reports = 0;
  for (const onIncomplete of [undefined, () => reports++]) {
    const finder = passageFinder(notebook, embedder, undefined, onIncomplete);
    await finder.find('pastry', 3, signal);
    await finder.places('pastry', signal);
    await finder.gather(['pastry'], 100, signal);
  }
  const kinds = ['search', 'places', 'gather'];
  assert.deepEqual(accepted, [
    ...kinds.map((kind) => [kind, undefined]),
    ...kinds.map((kind) => [kind, true]),
  ]);
  assert.equal(reports, 3);
});
