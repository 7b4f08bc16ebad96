import { PassageIndex, type Hit } from '../../src/index/search/lexical/passage-index.ts';
import { fuse } from '../../src/index/search/vectors/fusion.ts';
import { VectorIndex } from '../../src/index/search/vectors/vector-index.ts';
import { DIMENSION, makeMeanings, type QuestionKind } from './made-meanings.ts';
import { printTable } from './table.ts';

const PASSAGES = 10_000;
const SEED = 7;
const FOUND = 100;
const LOOKED_AT = 10;

type Fusing = (lexical: readonly Hit[], vector: readonly Hit[]) => readonly Hit[];

export const fusedHere: Fusing = (lexical, vector) => fuse(lexical, vector, LOOKED_AT);

/** Fuses by ranks only, as most systems do. */
const byRanks =
  (k: number): Fusing =>
  (lexical, vector) => {
    const shares = new Map<number, number>();
    for (const hits of [lexical, vector])
      for (const [i, { id }] of hits.entries()) shares.set(id, (shares.get(id) ?? 0) + 1 / (k + i + 1));
    return [...shares].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
  };

/** Fuses by scores as shares of the range between the first and the last. */
const byShares: Fusing = (lexical, vector) => {
  const shares = new Map<number, number>();
  for (const hits of [lexical, vector]) {
    const [highest, lowest] = [hits[0]?.score ?? 1, hits.at(-1)?.score ?? 0];
    for (const { id, score } of hits)
      shares.set(id, (shares.get(id) ?? 0) + (score - lowest) / (highest - lowest || 1));
  }
  return [...shares].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
};

const FUSINGS: readonly (readonly [name: string, fusing: Fusing])[] = [
  ['fused as here', fusedHere],
  ['reciprocal ranks, k 60', byRanks(60)],
  ['reciprocal ranks, k 2', byRanks(2)],
  ['shares of the range', byShares],
  ['words alone', (lexical) => lexical],
  ['vectors alone', (_, vector) => vector],
];

/** Results of keyword and vector search for a generated question, and the passage with the answer. */
export interface FoundBySides {
  readonly kind: QuestionKind;
  readonly id: number;
  readonly lexical: readonly Hit[];
  readonly vector: readonly Hit[];
}

/** Returns the results for the questions of `makeMeanings`. */
export async function findBySides(count: number, seed: number): Promise<FoundBySides[]> {
  const { texts, vectors, questions } = makeMeanings(count, seed);
  const words = PassageIndex.create();
  await words.add(texts.map((terms, i) => ({ id: i + 1, sourceId: 's', terms })));
  const meanings = new VectorIndex(DIMENSION);
  meanings.add(
    texts.map((_, i) => i + 1),
    vectors,
  );
  const results: FoundBySides[] = [];
  for (const { kind, text, vector, answer } of questions)
    results.push({
      kind,
      id: answer + 1,
      lexical: await words.search(text, { limit: FOUND }),
      vector: meanings.search(vector, FOUND),
    });
  return results;
}

/** Measures a way of fusing: the mean reciprocal rank, and the share of answers found among the first results. */
export function scoreFusing(
  found: readonly FoundBySides[],
  fused: Fusing,
): { readonly reciprocalRank: number; readonly found: number } {
  const ranks = found.map(({ id, lexical, vector }) =>
    fused(lexical, vector)
      .slice(0, LOOKED_AT)
      .findIndex((hit) => hit.id === id),
  );
  const share = (value: (rank: number) => number): number =>
    ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : value(rank)), 0) / ranks.length;
  return { reciprocalRank: share((rank) => 1 / (rank + 1)), found: share(() => 1) };
}

/** Compares ways of fusing for questions that need keywords, meaning, or either. Returns one line for each. */
export async function measureFusion(): Promise<string[]> {
  const results = await findBySides(PASSAGES, SEED);
  const kinds: readonly QuestionKind[] = ['other words', 'an identifier', 'some of each'];
  const measured = FUSINGS.map(([fusing, fused]) => ({
    fusing,
    scores: kinds.map((kind) => ({
      kind,
      ...scoreFusing(
        results.filter((each) => each.kind === kind),
        fused,
      ),
    })),
  }));
  console.log(
    `${PASSAGES.toLocaleString('en')} passages, ${String(FOUND)} found by words and by vectors each; mean reciprocal rank and share found among ${String(LOOKED_AT)} by what a question has of its passage`,
  );
  const mean = (values: readonly number[]): string =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
  printTable(
    ['', ...kinds.flatMap((kind) => [kind, 'found']), 'mean', 'found'],
    measured.map(({ fusing, scores }) => [
      fusing,
      ...scores.flatMap((score) => [score.reciprocalRank.toFixed(3), score.found.toFixed(3)]),
      mean(scores.map(({ reciprocalRank }) => reciprocalRank)),
      mean(scores.map((score) => score.found)),
    ]),
  );
  return measured.map((each) => JSON.stringify(each));
}
