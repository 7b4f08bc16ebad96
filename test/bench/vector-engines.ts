import { create, insert, search, searchVector } from '@orama/orama';
import { BestHits } from '../../src/index/search/lexical/best-hits.ts';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { fuse } from '../../src/index/search/vectors/fusion.ts';
import { PlainKernel, type Kernel } from '../../src/index/search/vectors/kernel.ts';
import { createKernel } from '../../src/index/search/vectors/simd-kernel.ts';
import { VectorIndex } from '../../src/index/search/vectors/vector-index.ts';

/** Number of requested hits. */
export const HITS = 10;
/** Number of passages from keyword and vector search that the product combines into one ranking. */
const FUSED = 100;

/** Vectors under measurement, each identified by its number. */
export interface RunningVectors {
  readonly add: (rows: Float32Array, first: number) => unknown;
  /** Returns the numbers of the nearest vectors, best first. */
  readonly search: (question: Float32Array) => number[] | Promise<number[]>;
  /** Returns the memory outside the heap, in bytes. */
  readonly bytes?: () => number;
  /** Adds texts for the vectors. Returns a function for questions with words and a vector. */
  readonly hybrid?: (texts: readonly string[]) => Promise<(words: string, question: Float32Array) => unknown>;
}

export interface VectorEngine {
  readonly name: string;
  /** Maximum number of vectors with texts that the engine accepts in a reasonable time. */
  readonly hybridLimit: number;
  readonly start: (dimension: number) => RunningVectors;
}

function startOurs(dimension: number, kernel: Kernel): RunningVectors {
  const index = new VectorIndex(dimension, kernel);
  return {
    add: (rows, first) => {
      index.add(
        Array.from({ length: rows.length / dimension }, (_, i) => first + i),
        rows,
      );
    },
    search: (question) => index.search(question, HITS).map(({ id }) => id),
    bytes: () => kernel.buffer.byteLength,
    hybrid: async (texts) => {
      const words = PassageIndex.create();
      await words.add(texts.map((terms, i) => ({ id: i + 1, sourceId: 's', terms })));
      return async (asked, question) =>
        fuse(await words.search(asked, { limit: FUSED }), index.search(question, FUSED), HITS);
    },
  };
}

const ours: VectorEngine = {
  name: 'Open Notebook',
  hybridLimit: Infinity,
  start: (dimension) => startOurs(dimension, createKernel()),
};

const withoutSimd: VectorEngine = {
  name: 'without SIMD',
  hybridLimit: Infinity,
  start: (dimension) => {
    const { add, search } = startOurs(dimension, new PlainKernel());
    return { add, search };
  },
};

/** Simplest implementation. It is exact, so the others are compared with it. */
export const plainScan: VectorEngine = {
  name: 'Float32Array scan',
  hybridLimit: Infinity,
  start: (dimension) => {
    let vectors = new Float32Array(0);
    return {
      add: (rows, first) => {
        if ((first - 1) * dimension + rows.length > vectors.length) {
          const larger = new Float32Array(Math.max(2 * vectors.length, rows.length));
          larger.set(vectors);
          vectors = larger;
        }
        vectors.set(rows, (first - 1) * dimension);
      },
      search: (question) => {
        const best = new BestHits(HITS);
        for (let at = 0, number = 1; at < vectors.length; number++) {
          let product = 0;
          for (let i = 0; i < dimension; i++, at++) product += (question[i] ?? 0) * (vectors[at] ?? 0);
          best.offer(number, product);
        }
        return best.sortHits().map(([number]) => number);
      },
    };
  },
};

const orama: VectorEngine = {
  name: 'Orama as it comes',
  hybridLimit: 20_000_000,
  start: (dimension) => {
    const schema = {
      text: 'string',
      vector: `vector[${String(dimension)}]` as `vector[${number}]`,
    } as const;
    const vectors = create({ schema });
    const all: number[][] = [];
    return {
      add: async (rows, first) => {
        for (let at = 0; at < rows.length; at += dimension) {
          const vector = Array.from(rows.subarray(at, at + dimension));
          all.push(vector);
          await insert(vectors, { id: String(first + at / dimension), text: '', vector });
        }
      },
      search: async (question) => {
        const { hits } = await searchVector(vectors, {
          mode: 'vector',
          vector: { value: Array.from(question), property: 'vector' },
          similarity: -1,
          limit: HITS,
        });
        return hits.map(({ id }) => Number(id));
      },
      hybrid: async (texts) => {
        const both = create({ schema });
        for (const [i, text] of texts.entries())
          await insert(both, { id: String(i + 1), text, vector: all[i] ?? [] });
        return (term, question) =>
          search(both, {
            mode: 'hybrid',
            term,
            vector: { value: Array.from(question), property: 'vector' },
            limit: HITS,
          });
      },
    };
  },
};

/** Engines, starting with ours. */
export const vectorEngines: readonly VectorEngine[] = [ours, withoutSimd, plainScan, orama];
