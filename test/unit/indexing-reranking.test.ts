import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reranking } from '../../src/indexing/search/reranking.ts';

const weights = new Map([
  ['open', 2],
  ['socket', 2],
  ['timeout', 2],
]);
const filler = 'const one = two(three);\n'.repeat(5);
const texts: Record<number, string> = {
  1: `${filler}timeout(); socket(); open();`,
  2: `${filler}open socket timeout`,
  3: `function openSocket(timeout) {}\n${filler}`,
  4: 'Prose about something else.',
};
const hits = [
  { id: 4, score: 9 },
  { id: 1, score: 5 },
  { id: 2, score: 5 },
  { id: 3, score: 5 },
  { id: 5, score: 4 },
];

test('code in which the words of a question stand together, or with which it begins, comes before other code', () => {
  const codeOf = (id: number): string | undefined => (id === 4 ? undefined : texts[id]);
  const reranked = new Reranking().rerank(hits, weights, codeOf);
  assert.deepEqual(
    reranked.map(({ id }) => id),
    [4, 3, 2, 1, 5],
  );
  assert.deepEqual(
    reranked.map(({ score }) => score),
    hits.map(({ score }) => score),
  );
});

test('what is no code, gone or far behind keeps its place', () => {
  const reranking = new Reranking();
  assert.deepEqual(
    reranking.rerank(hits, weights, () => undefined),
    hits,
  );
  const many = Array.from({ length: 70 }, (_, i) => ({ id: i + 1, score: 70 - i }));
  const reranked = reranking.rerank(many, weights, () => filler);
  assert.deepEqual(reranked.slice(60), many.slice(60));
  assert.deepEqual(
    reranking.rerank([], weights, () => filler),
    [],
  );
});
