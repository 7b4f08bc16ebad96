import * as v from 'valibot';
import { anyList, fields } from '../../../core/domain/json-schemas.ts';
import { notAModel } from './not-a-model.ts';
import { bytePieces } from './unigram.ts';
import { readPieces, type Vocabulary } from './vocabulary.ts';

const bytePairs = fields({
  vocab: v.unknown(),
  merges: anyList,
  continuing_subword_prefix: v.string(),
  end_of_word_suffix: v.string(),
  unk_token: v.string(),
  byte_fallback: v.boolean(),
  ignore_merges: v.boolean(),
});

/** Merge of two neighbors, with its rank: lower ranks merge first. */
interface Merge {
  readonly rank: number;
  readonly id: number;
}

/**
 * Byte-pair encoding: merges the neighbors with the lowest rank until none can be merged.
 * @throws NotebookError `damaged`
 */
export function makeBytePairs(spec: unknown, file: string): Vocabulary {
  const read = v.parse(bytePairs, spec);
  const ids = readPieces(read.vocab, file);
  if (read.merges === undefined) throw notAModel(file, 'It has no merges.');
  const { continuing_subword_prefix: prefix = '', end_of_word_suffix: suffix = '' } = read;
  const merges = new Map<number, Merge>();
  for (const [rank, pair] of read.merges.entries()) {
    const [first, second] = Array.isArray(pair) ? (pair as unknown[]) : String(pair).split(' ', 2);
    const [left, right] = [String(first), String(second)];
    const id = ids.get(left + right.slice(right.startsWith(prefix) ? prefix.length : 0));
    const [leftId, rightId] = [ids.get(left), ids.get(right)];
    if (id === undefined || leftId === undefined || rightId === undefined)
      throw notAModel(file, `A merge is not of pieces: ${left} ${right}`);
    const key = pairKey(leftId, rightId);
    if (!merges.has(key)) merges.set(key, { rank, id });
  }
  const unknown = read.unk_token === undefined ? undefined : ids.get(read.unk_token);
  const bytes = read.byte_fallback === true ? bytePieces(ids) : undefined;
  const takesWhole = read.ignore_merges === true;

  const pieceIds = (word: string): readonly number[] => {
    const whole = takesWhole ? ids.get(word) : undefined;
    if (whole !== undefined) return [whole];
    const characters = Array.from(word);
    const symbols = characters.flatMap((character, at): number[] => {
      const isLast = at === characters.length - 1;
      const id = ids.get((at > 0 ? prefix : '') + character + (isLast ? suffix : ''));
      if (id !== undefined) return [id];
      if (bytes !== undefined) return Array.from(encoder.encode(character), (byte) => bytes[byte] ?? -1);
      // An unknown character prevents merges across it.
      return [-1];
    });
    return mergePairs(symbols, merges).filter((id) => id >= 0);
  };
  return { ids, unknown, pieceIds, cutWords: (text) => [text] };
}

const encoder = new TextEncoder();

function pairKey(left: number, right: number): number {
  return left * 2 ** 24 + right;
}

/**
 * Merges neighbors in the order of their ranks, and from left to right for equal ranks. A heap holds the possible
 * merges, so that long words take little more than linear time.
 */
function mergePairs(symbols: readonly number[], merges: ReadonlyMap<number, Merge>): number[] {
  const ids = Int32Array.from(symbols);
  const next = Int32Array.from(symbols, (_, at) => at + 1);
  const before = Int32Array.from(symbols, (_, at) => at - 1);
  const end = symbols.length;
  const heap: QueuedMerge[] = [];
  const offer = (left: number): void => {
    const right = next[left] ?? end;
    if (left < 0 || right >= end) return;
    const key = pairKey(ids[left] ?? -1, ids[right] ?? -1);
    const merge = (ids[left] ?? -1) < 0 || (ids[right] ?? -1) < 0 ? undefined : merges.get(key);
    if (merge !== undefined) push(heap, { ...merge, left, key });
  };
  for (let at = 0; at < end; at++) offer(at);
  for (let first = pop(heap); first !== undefined; first = pop(heap)) {
    const { left, key, id } = first;
    const right = next[left] ?? end;
    // One of the two was already merged with another neighbor.
    if (right >= end || pairKey(ids[left] ?? -1, ids[right] ?? -1) !== key) continue;
    ids[left] = id;
    ids[right] = MERGED;
    const after = next[right] ?? end;
    next[left] = after;
    next[right] = end;
    if (after < end) before[after] = left;
    offer(before[left] ?? -1);
    offer(left);
  }
  return Array.from(ids).filter((id) => id !== MERGED);
}

const MERGED = -2;

interface QueuedMerge extends Merge {
  readonly left: number;
  readonly key: number;
}

function goesFirst(one: QueuedMerge | undefined, other: QueuedMerge | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.rank < other.rank || (one.rank === other.rank && one.left < other.left);
}

function push(heap: QueuedMerge[], added: QueuedMerge): void {
  let at = heap.push(added) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !goesFirst(added, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = added;
}

function pop(heap: QueuedMerge[]): QueuedMerge | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (goesFirst(heap[below + 1], heap[below])) below++;
    const child = heap[below];
    if (child === undefined || !goesFirst(child, last)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
  return first;
}
