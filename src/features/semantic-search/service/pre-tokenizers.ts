import { byteCharacters } from './byte-characters.ts';
import * as v from 'valibot';
import { anyList, fields } from '../../../core/domain/json-schemas.ts';
import { unknownStep } from './not-a-model.ts';
import { literally, readPattern } from './patterns.ts';

const preTokenizer = fields({
  type: v.unknown(),
  pretokenizers: anyList,
  behavior: v.string(),
  individual_digits: v.boolean(),
  pattern: v.unknown(),
  invert: v.boolean(),
  replacement: v.string(),
  prepend_scheme: v.unknown(),
  add_prefix_space: v.boolean(),
  split: v.boolean(),
  use_regex: v.boolean(),
});

/** Splits the pieces of a text further, in order. */
type Cut = (pieces: readonly string[]) => readonly string[];

/** Reads the `pre_tokenizer` of a tokenizer.json. @throws NotebookError `unsupported` if it's unknown here */
export function makePreTokenizer(spec: unknown): Cut {
  if (spec === null || spec === undefined) return (pieces) => pieces;
  const read = v.parse(preTokenizer, spec);
  switch (read.type) {
    case 'Sequence': {
      const cuts = (read.pretokenizers ?? []).map(makePreTokenizer);
      return (pieces) => cuts.reduce((cut, next) => next(cut), pieces);
    }
    case 'BertPreTokenizer':
      return matching(/[!-/:-@[-`{-~\p{P}]|[^!-/:-@[-`{-~\p{P}\p{White_Space}]+/gu);
    case 'Whitespace':
      return matching(/[\p{L}\p{M}\p{Nd}\p{Pc}]+|[^\p{L}\p{M}\p{Nd}\p{Pc}\p{White_Space}]+/gu);
    case 'WhitespaceSplit':
      return matching(/\P{White_Space}+/gu);
    case 'Punctuation':
      return splitting(new RegExp(PUNCTUATION, 'gu'), read.behavior ?? 'Isolated');
    case 'Digits':
      return splitting(read.individual_digits === true ? /\p{N}/gu : /\p{N}+/gu, 'Isolated');
    case 'Split':
      return read.invert === true
        ? matching(readPattern(read.pattern))
        : splitting(readPattern(read.pattern), read.behavior ?? '');
    case 'Metaspace':
      return metaspace(read);
    case 'ByteLevel':
      return byteLevel(read.add_prefix_space !== false, read.use_regex !== false);
    default:
      throw unknownStep(String(read.type));
  }
}

/** BERT's punctuation, which includes all ASCII characters except letters, digits, and spaces. */
const PUNCTUATION = '[!-/:-@[-`{-~\\p{P}]';

/** GPT-2's words: a space belongs to the next word. */
const BYTE_LEVEL_WORDS = /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** Keeps only the matches. */
function matching(pattern: RegExp): Cut {
  return (pieces) => pieces.flatMap((piece) => piece.match(pattern) ?? []);
}

/** Splits at the matches, and drops them, isolates them, or merges them with a neighbor. */
function splitting(pattern: RegExp, behaviour: string): Cut {
  return (pieces) =>
    pieces.flatMap((piece) => {
      const cut: string[] = [];
      let at = 0;
      let before = '';
      for (const match of piece.matchAll(pattern)) {
        const [sign] = match;
        if (sign === '') continue;
        const between = before + piece.slice(at, match.index);
        before = '';
        at = match.index + sign.length;
        if (behaviour === 'MergedWithPrevious') cut.push(between + sign);
        else if (behaviour === 'MergedWithNext') {
          cut.push(between);
          before = sign;
        } else if (behaviour === 'Contiguous' && between === '' && cut.length > 0)
          cut.push((cut.pop() ?? '') + sign);
        else if (behaviour === 'Removed') cut.push(between);
        else cut.push(between, sign);
      }
      cut.push(before + piece.slice(at));
      return cut.filter((part) => part !== '');
    });
}

/** Splits as SentencePiece does: a visible sign replaces spaces and also precedes the first word. */
function metaspace(read: v.InferOutput<typeof preTokenizer>): Cut {
  const sign = read.replacement ?? '▁';
  const scheme = read.prepend_scheme ?? (read.add_prefix_space === false ? 'never' : 'always');
  const splits = read.split !== false;
  const before = new RegExp(`(?=${literally(sign)})`, 'u');
  return (pieces) =>
    pieces.flatMap((piece, index) => {
      const signed = piece.replaceAll(' ', sign);
      const prepends =
        (scheme === 'always' || (scheme === 'first' && index === 0)) && !signed.startsWith(sign);
      const whole = prepends ? sign + signed : signed;
      return splits ? whole.split(before).filter((part) => part !== '') : [whole];
    });
}

function byteLevel(addsSpace: boolean, cutsWords: boolean): Cut {
  return (pieces) =>
    pieces.flatMap((piece) => {
      const text = addsSpace && !piece.startsWith(' ') ? ` ${piece}` : piece;
      return (cutsWords ? (text.match(BYTE_LEVEL_WORDS) ?? []) : [text]).map(byteCharacters);
    });
}
