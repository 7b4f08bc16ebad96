import { makeBytePairs } from './byte-pairs.ts';
import { makeNormalizer } from './normalizers.ts';
import * as v from 'valibot';
import { anyList, fields } from '../../../core/domain/json-schemas.ts';
import { notAModel, unknownStep } from './not-a-model.ts';
import { literally } from './patterns.ts';
import { makePreTokenizer } from './pre-tokenizers.ts';
import { makeUnigram } from './unigram.ts';
import { readPieces, type Vocabulary } from './vocabulary.ts';

/** Splitter of texts into the tokens of a model. */
interface Tokenizer {
  /** Number of tokens in the vocabulary. */
  readonly size: number;
  /** Returns the IDs of at most `limit` tokens of a text, without unknown ones. */
  readonly tokenize: (text: string, limit: number) => number[];
}

/** Maximum number of words in the cache, and of their length. Longer words rarely repeat. */
const MAX_CACHED_WORDS = 100_000;
const MAX_STORED_LENGTH = 40;

const FILE = 'tokenizer.json';

const tokenizerSpec = fields({
  model: v.unknown(),
  normalizer: v.unknown(),
  pre_tokenizer: v.unknown(),
  added_tokens: anyList,
});
const modelSpec = fields({ type: v.unknown(), vocab: v.unknown(), merges: v.unknown() });
const addedToken = fields({ content: v.string(), id: v.number() });
const wordPiece = fields({
  vocab: v.unknown(),
  continuing_subword_prefix: v.string(),
  max_input_chars_per_word: v.unknown(),
  unk_token: v.string(),
});

/** Parses the text of a tokenizer.json. @throws NotebookError `damaged`, `unsupported` */
export function readTokenizer(json: string): Tokenizer {
  const spec = v.parse(tokenizerSpec, parseTokenizer(json));
  const vocabulary = readVocabulary(spec.model);
  const normalize = makeNormalizer(spec.normalizer);
  const cut = makePreTokenizer(spec.pre_tokenizer);
  const { ids, unknown } = vocabulary;
  const added = addedTokens(spec.added_tokens ?? []);
  const isAdded = patternOfAdded(added);
  const numbers = new Set([...ids.values(), ...added.values()]);
  // A text with this length has more than the maximum number of tokens.
  const usualLength = Math.max(1, medianLength([...ids.keys()]));
  const cache = new Map<string, readonly number[]>();
  const findPieceIds = (word: string): readonly number[] => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const pieceIds = vocabulary.pieceIds(word).filter((id) => id !== unknown);
    if (word.length > MAX_STORED_LENGTH) return pieceIds;
    if (cache.size >= MAX_CACHED_WORDS) cache.clear();
    cache.set(word, pieceIds);
    return pieceIds;
  };
  const take = (text: string, tokens: number[], limit: number): void => {
    for (const piece of cut([normalize(text)]))
      for (const word of vocabulary.cutWords(piece)) {
        for (const id of findPieceIds(word)) tokens.push(id);
        if (tokens.length >= limit) return;
      }
  };
  return {
    size: numbers.size,
    tokenize: (text, limit) => {
      const tokens: number[] = [];
      const start = cutToLength(text, limit * usualLength);
      for (const part of isAdded === undefined ? [start] : start.split(isAdded)) {
        const id = added.get(part);
        if (id !== undefined) {
          if (id !== unknown) tokens.push(id);
        } else if (part !== '') take(part, tokens, limit);
        if (tokens.length >= limit) break;
      }
      return tokens.slice(0, limit);
    },
  };
}

function parseTokenizer(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw notAModel(FILE, String(error));
  }
}

function readVocabulary(spec: unknown): Vocabulary {
  const { type, vocab, merges } = v.parse(modelSpec, spec);
  // Earlier versions of the format don't have a type.
  switch (type ?? (Array.isArray(vocab) ? 'Unigram' : Array.isArray(merges) ? 'BPE' : 'WordPiece')) {
    case 'WordPiece':
      return makeWordPiece(spec, FILE);
    case 'Unigram':
      return makeUnigram(spec, FILE);
    case 'BPE':
      return makeBytePairs(spec, FILE);
    default:
      throw unknownStep(String(type));
  }
}

/** Returns tokens such as `[MASK]`, which match themselves literally in a text. */
function addedTokens(specs: readonly unknown[]): ReadonlyMap<string, number> {
  const added = new Map<string, number>();
  for (const spec of specs) {
    const { content = '', id } = v.parse(addedToken, spec);
    if (content !== '' && id !== undefined) added.set(content, id);
  }
  return added;
}

function patternOfAdded(added: ReadonlyMap<string, number>): RegExp | undefined {
  if (added.size === 0) return undefined;
  const longestFirst = [...added.keys()].sort((a, b) => b.length - a.length);
  return new RegExp(`(${longestFirst.map(literally).join('|')})`, 'u');
}

function medianLength(pieces: readonly string[]): number {
  const lengths = Uint32Array.from(pieces, ({ length }) => length).sort();
  return lengths[lengths.length >> 1] ?? 1;
}

/** Cuts a text to a maximum length, without splitting a surrogate pair. */
function cutToLength(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

/**
 * WordPiece: takes the longest matching piece, from left to right. A word that can't be split into pieces is unknown.
 */
function makeWordPiece(spec: unknown, file: string): Vocabulary {
  const { vocab, continuing_subword_prefix: prefix = '##', ...read } = v.parse(wordPiece, spec);
  const ids = readPieces(vocab, file);
  const mostCharacters = Number(read.max_input_chars_per_word ?? 100);
  const unknown = ids.get(read.unk_token ?? '[UNK]');
  let longest = 0;
  for (const piece of ids.keys()) longest = Math.max(longest, piece.length);

  const pieceIds = (word: string): readonly number[] => {
    // A character outside the basic plane has two code units. The check only needs to be a rough limit.
    if (
      word.length > 2 * mostCharacters ||
      (word.length > mostCharacters && Array.from(word).length > mostCharacters)
    )
      return [];
    const wordIds: number[] = [];
    for (let start = 0; start < word.length;) {
      const before = start === 0 ? '' : prefix;
      let end = Math.min(word.length, start + longest);
      let id: number | undefined;
      for (; end > start; end--) {
        id = ids.get(before + word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return [];
      wordIds.push(id);
      start = end;
    }
    return wordIds;
  };
  return { ids, unknown, pieceIds, cutWords: (text) => [text] };
}
