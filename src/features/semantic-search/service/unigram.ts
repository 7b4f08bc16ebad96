import * as v from 'valibot';
import { anyList, fields } from '../../../core/domain/json-schemas.ts';
import { notAModel } from './not-a-model.ts';
import type { Vocabulary } from './vocabulary.ts';

const unigram = fields({ vocab: anyList, unk_id: v.number(), byte_fallback: v.boolean() });

/** Penalty for a character without a piece, below the score of the least likely piece. */
const UNKNOWN_PENALTY = 10;

/** SentencePiece's sign for a space. */
const SPACE = '▁';

/**
 * Unigram: returns the most probable of all ways to split a word into pieces.
 * @throws NotebookError `damaged`
 */
export function makeUnigram(spec: unknown, file: string): Vocabulary {
  const { vocab: pairs = [], unk_id: unknown, byte_fallback: hasBytes } = v.parse(unigram, spec);
  if (pairs.length === 0) throw notAModel(file, 'It has no vocabulary.');
  const ids = new Map<string, number>();
  const scores = new Float64Array(pairs.length);
  // Maps the first two code units of pieces to the longest length. Most positions start no piece longer than one
  // unit.
  const longest = new Map<number, number>();
  const across = new Set<string>();
  let least = 0;
  for (const [id, pair] of pairs.entries()) {
    const [piece, score] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof piece !== 'string' || typeof score !== 'number')
      throw notAModel(file, 'A piece has no score.');
    ids.set(piece, id);
    scores[id] = score;
    least = Math.min(least, score);
    if (piece.length > 1) {
      const key = pairAt(piece, 0);
      longest.set(key, Math.max(longest.get(key) ?? 0, piece.length));
    }
    for (let at = piece.indexOf(SPACE, 1); at >= 0; at = piece.indexOf(SPACE, at + 1))
      across.add(piece.slice(at - 1, at + 2));
  }
  const unknownScore = least - UNKNOWN_PENALTY;
  const bytes = hasBytes === true ? bytePieces(ids) : undefined;

  const pieceIds = (word: string): readonly number[] => {
    const { length } = word;
    const best = new Float64Array(length + 1).fill(-Infinity);
    const from = new Int32Array(length + 1);
    const bestPieces = new Int32Array(length + 1).fill(-1);
    best[0] = 0;
    for (let start = 0; start < length; start++) {
      const before = best[start] ?? 0;
      if (before === -Infinity) continue;
      const isPair = isHighSurrogate(word.charCodeAt(start)) && start + 1 < length;
      const characterLength = isPair ? 2 : 1;
      const most = start + 1 < length ? (longest.get(pairAt(word, start)) ?? 1) : 1;
      let hasOne = false;
      for (let end = start + 1; end <= Math.min(length, start + most); end++) {
        const id = ids.get(word.slice(start, end));
        if (id === undefined) continue;
        if (end - start === characterLength) hasOne = true;
        const score = before + (scores[id] ?? 0);
        if (score > (best[end] ?? 0)) {
          best[end] = score;
          from[end] = start;
          bestPieces[end] = id;
        }
      }
      const end = start + characterLength;
      if (!hasOne && before + unknownScore > (best[end] ?? 0)) {
        best[end] = before + unknownScore;
        from[end] = start;
        bestPieces[end] = -1;
      }
    }
    const reversedIds: number[] = [];
    for (let end = length; end > 0; end = from[end] ?? 0) {
      const id = bestPieces[end] ?? -1;
      if (id >= 0) reversedIds.push(id);
      else if (bytes !== undefined)
        for (const byte of encoder.encode(word.slice(from[end], end)).reverse())
          reversedIds.push(bytes[byte] ?? -1);
    }
    return reversedIds.reverse().filter((id) => id >= 0);
  };

  const cutWords = (text: string): readonly string[] => {
    const words: string[] = [];
    let start = 0;
    for (let at = text.indexOf(SPACE, 1); at >= 0; at = text.indexOf(SPACE, at + 1)) {
      if (
        across.size > 0 &&
        (across.has(text.slice(at - 1, at + 2)) || across.has(text.slice(at - 1, at + 1)))
      )
        continue;
      words.push(text.slice(start, at));
      start = at;
    }
    if (start < text.length) words.push(text.slice(start));
    return words;
  };
  return { ids, unknown, pieceIds, cutWords };
}

const encoder = new TextEncoder();

/** Returns the pieces for single bytes; undefined if any is missing. */
export function bytePieces(ids: ReadonlyMap<string, number>): readonly number[] | undefined {
  const pieces = Array.from({ length: 256 }, (_, byte) =>
    ids.get(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
  );
  return pieces.every((id) => id !== undefined) ? pieces : undefined;
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
