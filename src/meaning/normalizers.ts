import { readCharsmap } from './charsmap.ts';
import { readFields } from '../notebook/json-fields.ts';
import { notAModel, readText, unknownStep } from './not-a-model.ts';
import { byteCharacters } from './byte-characters.ts';
import { readPattern } from './patterns.ts';

/** What a text becomes before it is cut. */
type Normalize = (text: string) => string;

/** The `normalizer` of a tokenizer.json. @throws NotebookError `unsupported` for one that is not known here. */
export function makeNormalizer(spec: unknown): Normalize {
  if (spec === null || spec === undefined) return (text) => text;
  const fields = readFields(spec);
  switch (fields['type']) {
    case 'Sequence':
      return makeSequence(fields['normalizers']);
    case 'BertNormalizer':
      return bertNormalizer(fields);
    case 'Replace':
      return replacing(fields);
    case 'Precompiled':
      return precompiled(readText(fields['precompiled_charsmap'], ''));
    case 'Strip':
      return stripping(fields['strip_left'] !== false, fields['strip_right'] !== false);
    case 'Prepend': {
      const prefix = readText(fields['prepend'], '');
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
      const form = fields['type'];
      return (text) => text.normalize(form);
    }
    default:
      throw unknownStep(String(fields['type']));
  }
}

const same: Normalize = (text) => text;

function makeSequence(specs: unknown): Normalize {
  const steps = joined(Array.isArray(specs) ? (specs as unknown[]) : []);
  return (text) => steps.reduce((said, step) => step(said), text);
}

/** Models have a replacement for each sign of punctuation, one after the other; those of single ones are done at once. */
function joined(specs: readonly unknown[]): Normalize[] {
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
    const { type, pattern, content } = readFields(spec);
    const sign = readFields(pattern)['String'];
    const isAlone =
      type === 'Replace' &&
      typeof sign === 'string' &&
      sign.length === 1 &&
      typeof content === 'string' &&
      // A sign that one before it brought in would be replaced, too.
      ![...signs.values()].some((text) => text.includes(sign)) &&
      !signs.has(sign);
    if (isAlone) signs.set(sign, content);
    else {
      close();
      steps.push(makeNormalizer(spec));
    }
  }
  close();
  return steps;
}

function precompiled(charsmap: string): Normalize {
  if (charsmap === '') return same;
  try {
    return readCharsmap(charsmap);
  } catch (error) {
    throw notAModel('tokenizer.json', String(error));
  }
}

function replacing({ pattern, content }: Readonly<Record<string, unknown>>): Normalize {
  const found = readPattern(pattern);
  const said = readText(content, '');
  return (text) => text.replace(found, () => said);
}

function stripping(left: boolean, right: boolean): Normalize {
  return (text) => {
    if (left && right) return text.trim();
    return left ? text.trimStart() : right ? text.trimEnd() : text;
  };
}

/** As BERT does it: no control characters, a space around each Chinese character, accents and capitals taken away. */
function bertNormalizer(fields: Readonly<Record<string, unknown>>): Normalize {
  const lowers = fields['lowercase'] !== false;
  const cleans = fields['clean_text'] !== false;
  const separates = fields['handle_chinese_chars'] !== false;
  const strips = typeof fields['strip_accents'] === 'boolean' ? fields['strip_accents'] : lowers;
  return (text) => {
    if (ASCII.test(text)) {
      const said = cleans ? text.replace(ASCII_SPACE, ' ').replace(ASCII_CONTROL, '') : text;
      return lowers ? said.toLowerCase() : said;
    }
    let said = text;
    if (cleans) said = said.replace(/[\t\n\r]|\p{White_Space}/gu, ' ').replace(/\ufffd|\p{C}/gu, '');
    if (separates) said = said.replace(CHINESE, ' $& ');
    if (strips) said = said.normalize('NFD').replace(/\p{Mn}+/gu, '');
    return lowers ? said.toLowerCase() : said;
  };
}

/* oxlint-disable no-control-regex -- Control characters are what is looked for. */
/** What is ASCII alone is told at once, and needs less. */
const ASCII = /^[\0-\x7f]*$/;
const ASCII_SPACE = /[\t-\r]/g;
const ASCII_CONTROL = /[\0-\x1f\x7f]/g;
/* oxlint-enable no-control-regex */

const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
