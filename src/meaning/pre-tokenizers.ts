import { byteCharacters } from './byte-characters.ts';
import { readFields } from '../notebook/json-fields.ts';
import { readText, unknownStep } from './not-a-model.ts';
import { literally, readPattern } from './patterns.ts';

/** Cuts the pieces of a text further, in their order. */
type Cut = (pieces: readonly string[]) => readonly string[];

/** The `pre_tokenizer` of a tokenizer.json. @throws NotebookError `unsupported` for one that is not known here. */
export function makePreTokenizer(spec: unknown): Cut {
  if (spec === null || spec === undefined) return (pieces) => pieces;
  const fields = readFields(spec);
  switch (fields['type']) {
    case 'Sequence': {
      const specs = fields['pretokenizers'];
      const cuts = (Array.isArray(specs) ? (specs as unknown[]) : []).map(makePreTokenizer);
      return (pieces) => cuts.reduce((cut, next) => next(cut), pieces);
    }
    case 'BertPreTokenizer':
      return matching(/[!-/:-@[-`{-~\p{P}]|[^!-/:-@[-`{-~\p{P}\p{White_Space}]+/gu);
    case 'Whitespace':
      return matching(/[\p{L}\p{M}\p{Nd}\p{Pc}]+|[^\p{L}\p{M}\p{Nd}\p{Pc}\p{White_Space}]+/gu);
    case 'WhitespaceSplit':
      return matching(/\P{White_Space}+/gu);
    case 'Punctuation':
      return splitting(new RegExp(PUNCTUATION, 'gu'), readText(fields['behavior'], 'Isolated'));
    case 'Digits':
      return splitting(fields['individual_digits'] === true ? /\p{N}/gu : /\p{N}+/gu, 'Isolated');
    case 'Split':
      return fields['invert'] === true
        ? matching(readPattern(fields['pattern']))
        : splitting(readPattern(fields['pattern']), readText(fields['behavior'], ''));
    case 'Metaspace':
      return metaspace(fields);
    case 'ByteLevel':
      return byteLevel(fields['add_prefix_space'] !== false, fields['use_regex'] !== false);
    default:
      throw unknownStep(String(fields['type']));
  }
}

/** Signs that BERT takes for punctuation: all of ASCII that are neither letters, digits nor spaces, too. */
const PUNCTUATION = '[!-/:-@[-`{-~\\p{P}]';

/** GPT-2's words: a space belongs to what follows it. */
const BYTE_LEVEL_WORDS = /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** What matches is kept, what stands between is dropped. */
function matching(pattern: RegExp): Cut {
  return (pieces) => pieces.flatMap((piece) => piece.match(pattern) ?? []);
}

/** What matches is dropped, kept alone, or kept with its neighbour. */
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

/** As SentencePiece does it: spaces are written as a visible sign, which also stands before the first word. */
function metaspace(fields: Readonly<Record<string, unknown>>): Cut {
  const sign = readText(fields['replacement'], '▁');
  const scheme = fields['prepend_scheme'] ?? (fields['add_prefix_space'] === false ? 'never' : 'always');
  const splits = fields['split'] !== false;
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
