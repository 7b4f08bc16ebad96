import { readCharsmap } from './charsmap.ts';
import * as v from 'valibot';
import { anyList, fields } from '../../../core/domain/json-schemas.ts';
import { notAModel, unknownStep } from './not-a-model.ts';
import { byteCharacters } from './byte-characters.ts';
import { readPattern } from './patterns.ts';

const normalizer = fields({
  type: v.unknown(),
  normalizers: anyList,
  pattern: v.unknown(),
  content: v.string(),
  precompiled_charsmap: v.string(),
  strip_left: v.boolean(),
  strip_right: v.boolean(),
  prepend: v.string(),
  lowercase: v.boolean(),
  clean_text: v.boolean(),
  handle_chinese_chars: v.boolean(),
  strip_accents: v.boolean(),
});
type Spec = v.InferOutput<typeof normalizer>;
const sign = fields({ String: v.string() });

/** Normalizes a text before it is split into tokens. */
type Normalize = (text: string) => string;

/** Reads the `normalizer` of a tokenizer.json. @throws NotebookError `unsupported` if it's unknown here */
export function makeNormalizer(spec: unknown): Normalize {
  if (spec === null || spec === undefined) return (text) => text;
  const read = v.parse(normalizer, spec);
  switch (read.type) {
    case 'Sequence':
      return makeSequence(read.normalizers ?? []);
    case 'BertNormalizer':
      return bertNormalizer(read);
    case 'Replace':
      return replacing(read);
    case 'Precompiled':
      return precompiledNormalizer(read.precompiled_charsmap ?? '');
    case 'Strip':
      return stripping(read.strip_left !== false, read.strip_right !== false);
    case 'Prepend': {
      const prefix = read.prepend ?? '';
      return (text) => (text === '' ? '' : prefix + text);
    }
    case 'ByteLevel':
      return byteCharacters;
    case 'Lowercase':
      return (text) => text.toLowerCase();
    case 'StripAccents':
      return (text) => text.replace(/\p{Mn}+/gu, '');
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD': {
      const form = read.type;
      return (text) => text.normalize(form);
    }
    default:
      throw unknownStep(String(read.type));
  }
}

const same: Normalize = (text) => text;

function makeSequence(specs: readonly unknown[]): Normalize {
  const steps = joinNormalizers(specs);
  return (text) => steps.reduce((normalized, step) => step(normalized), text);
}

/** Combines replacements of single characters into one step. Some models list each punctuation character. */
function joinNormalizers(specs: readonly unknown[]): Normalize[] {
  const steps: Normalize[] = [];
  let signs = new Map<string, string>();
  const close = (): void => {
    if (signs.size === 0) return;
    const contents = signs;
    const any = new RegExp(
      `[${[...signs.keys()].map((sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`).join('')}]`,
      'gu',
    );
    steps.push((text) => text.replace(any, (sign) => contents.get(sign) ?? sign));
    signs = new Map();
  };
  for (const spec of specs) {
    const { type, pattern, content } = v.parse(normalizer, spec);
    const { String: literal } = v.parse(sign, pattern);
    const isAlone =
      type === 'Replace' &&
      literal?.length === 1 &&
      content !== undefined &&
      // A character inserted by an earlier replacement must be replaced, too.
      ![...signs.values()].some((text) => text.includes(literal)) &&
      !signs.has(literal);
    if (isAlone) signs.set(literal, content);
    else {
      close();
      steps.push(makeNormalizer(spec));
    }
  }
  close();
  return steps;
}

function precompiledNormalizer(charsmap: string): Normalize {
  if (charsmap === '') return same;
  try {
    return readCharsmap(charsmap);
  } catch (error) {
    throw notAModel('tokenizer.json', String(error));
  }
}

function replacing({ pattern, content = '' }: Spec): Normalize {
  const expression = readPattern(pattern);
  return (text) => text.replace(expression, () => content);
}

function stripping(atStart: boolean, atEnd: boolean): Normalize {
  return (text) => {
    if (atStart && atEnd) return text.trim();
    return atStart ? text.trimStart() : atEnd ? text.trimEnd() : text;
  };
}

/**
 * Normalizes as BERT does: removes control characters, accents, and capitals, and puts spaces around each Chinese
 * character.
 */
function bertNormalizer(read: Spec): Normalize {
  const lowers = read.lowercase !== false;
  const cleans = read.clean_text !== false;
  const separates = read.handle_chinese_chars !== false;
  const strips = read.strip_accents ?? lowers;
  return (text) => {
    if (ASCII.test(text)) {
      const normalized = cleans ? text.replace(ASCII_SPACE, ' ').replace(ASCII_CONTROL, '') : text;
      return lowers ? normalized.toLowerCase() : normalized;
    }
    let normalized = text;
    if (cleans)
      normalized = normalized.replace(/[\t\n\r]|\p{White_Space}/gu, ' ').replace(/\ufffd|\p{C}/gu, '');
    if (separates) normalized = normalized.replace(CHINESE, ' $& ');
    if (strips) normalized = normalized.normalize('NFD').replace(/\p{Mn}+/gu, '');
    return lowers ? normalized.toLowerCase() : normalized;
  };
}

/* oxlint-disable no-control-regex -- The pattern matches control characters. */
/** ASCII text needs less work, and the test for it is fast. */
const ASCII = /^[\0-\x7f]*$/;
const ASCII_SPACE = /[\t-\r]/g;
const ASCII_CONTROL = /[\0-\x1f\x7f]/g;
/* oxlint-enable no-control-regex */

const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
