import { languageByTag } from '../language/words/languages.ts';
import { WordTokenizer } from '../language/words/tokenizer.ts';
import { Vocabulary } from '../language/words/vocabulary.ts';
import { ByteWriter } from '../indexing/search/lexical/snapshot-bytes.ts';

/** The parameters of BM25, as the index in memory has them. */
const [K, B] = [1.5, 0.9];

/** Impacts are kept as whole numbers: the greatest, K + 1, times this has 15 bits. */
const SCALE = 10_000;

/** Postings in a block, which so stays below what PostgreSQL puts aside: some 1,500 bytes. */
const BLOCK = 512;

/** Passages whose postings are written at once, at most. */
export const MOST_AT_ONCE = 32_768;

/** A term's postings in some of the passages that were written at once. */
export interface Block {
  readonly term: string;
  /** Which of the term's blocks it is. */
  readonly number: number;
  /** How many passages hold the term. */
  readonly holding: number;
  readonly bytes: Uint8Array;
}

/**
 * The postings of passages, by the terms that the index in memory finds them by: of each term the gaps between the
 * passages that hold it, counted from the first, and what it counts for there by BM25 beside its rarity. `average` is a
 * passage's length in terms, undefined where there are none yet.
 */
export function writePostings(
  passages: readonly { readonly terms: string; readonly language: string | undefined }[],
  average: number | undefined,
): { readonly blocks: Block[]; readonly length: number } {
  const tokenizer = new WordTokenizer();
  const vocabulary = new Vocabulary();
  const counted = passages.map(({ terms, language }) => {
    const { numbers, length } = tokenizer.numbersOfPassage(terms, vocabulary, languageByTag(language));
    const counts = new Map<number, number>();
    for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
    return { counts, length };
  });
  const length = counted.reduce((sum, one) => sum + one.length, 0);
  const usual = Math.max(1, average ?? length / Math.max(1, passages.length));
  const lists: (readonly [at: number, impact: number])[][] = Array.from(
    { length: vocabulary.size },
    () => [],
  );
  for (const [at, { counts, length: own }] of counted.entries())
    for (const [number, count] of counts) {
      const impact = (SCALE * (K + 1) * count) / (count + K * (1 - B + (B * own) / usual));
      lists[number]?.push([at, Math.round(impact)]);
    }
  const terms = [...vocabulary.terms()];
  const blocks = lists.flatMap((list, number) =>
    Array.from({ length: Math.ceil(list.length / BLOCK) }, (_, block) =>
      writeBlock(terms[number] ?? '', block, list.slice(block * BLOCK, (block + 1) * BLOCK)),
    ),
  );
  return { blocks, length };
}

function writeBlock(
  term: string,
  number: number,
  list: readonly (readonly [at: number, impact: number])[],
): Block {
  const writer = new ByteWriter();
  let before = 0;
  for (const [at, impact] of list) {
    writer.varint(at - before);
    writer.varint(impact);
    before = at;
  }
  return { term, number, holding: list.length, bytes: writer.written() };
}

/** Tells each passage of a block, counted from the first that was written with it, and what the term counts for there. */
export function eachPosting(bytes: Uint8Array, use: (at: number, impact: number) => void): void {
  let next = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; next < bytes.length; factor *= 128) {
      const byte = bytes[next++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  for (let at = 0; next < bytes.length;) {
    at += varint();
    const impact = varint();
    // A member can write any bytes.
    if (at >= MOST_AT_ONCE || impact > (K + 1) * SCALE) return;
    use(at, impact / SCALE);
  }
}
