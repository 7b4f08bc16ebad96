// Random changes to the structure of files, the same for the same seed. The words of a file stay as they are.
import iconv from 'iconv-lite';
import { wholeBelow } from './durability-random.ts';

type Random = () => number;
type Change = (text: string, random: Random) => string;

/** Returns one of some values; undefined if there are none. */
export function pickOne<T>(values: readonly T[], random: Random): T | undefined {
  return values[wholeBelow(random, values.length)];
}

interface Part {
  readonly start: number;
  readonly end: number;
}

const partsOf = (text: string, pattern: RegExp): Part[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ start: index, end: index + match.length }));

const at = (text: string, { start, end }: Part): string => text.slice(start, end);

const replaced = (text: string, { start, end }: Part, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

/** Swaps two parts of a text; returns the text unchanged if they overlap. */
function swapped(text: string, one: Part, other: Part): string {
  const [a, b] = one.start <= other.start ? [one, other] : [other, one];
  if (a.end > b.start) return text;
  return text.slice(0, a.start) + at(text, b) + text.slice(a.end, b.start) + at(text, a) + text.slice(b.end);
}

/** Returns a change that swaps two random parts that match a pattern. */
function swapParts(pattern: RegExp): Change {
  return (text, random) => {
    const parts = partsOf(text, pattern);
    const [one, other] = [pickOne(parts, random), pickOne(parts, random)];
    return one === undefined || other === undefined ? text : swapped(text, one, other);
  };
}

const TAG = /<[^<>]+>/g;
const ATTRIBUTE = /\s[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*')/g;

/** Returns the element that begins at a tag, up to its end tag or to the end of the text. */
function elementAt(text: string, tag: Part): Part {
  const name = /^<([\w:-]+)/.exec(at(text, tag))?.[1];
  if (name === undefined || at(text, tag).endsWith('/>')) return tag;
  let depth = 0;
  for (const { start, end } of partsOf(text, TAG)) {
    if (start < tag.start) continue;
    const other = text.slice(start, end);
    if (other.startsWith(`</${name}>`)) depth--;
    else if (new RegExp(`^<${name}[\\s>]`).test(other) && !other.endsWith('/>')) depth++;
    if (depth === 0) return { start: tag.start, end };
  }
  return tag;
}

/** Applies a change to a random tag of some markup. */
const ofTag =
  (change: (text: string, tag: Part, random: Random) => string): Change =>
  (text, random) => {
    const tag = pickOne(partsOf(text, TAG), random);
    return tag === undefined ? text : change(text, tag, random);
  };

/** Applies a change to a random element of some markup. */
const ofElement = (change: (text: string, element: Part, random: Random) => string): Change =>
  ofTag((text, tag, random) => change(text, elementAt(text, tag), random));

const nameOf = (tag: string): string => /^<\/?([\w:-]+)/.exec(tag)?.[1] ?? 'a';

const MARKUP_CHANGES: readonly Change[] = [
  ofTag((text, tag) => replaced(text, tag, '')),
  ofTag((text, tag) => replaced(text, tag, at(text, tag).repeat(2))),
  ofElement((text, element) => replaced(text, element, '')),
  ofElement((text, element) => replaced(text, element, at(text, element).repeat(2))),
  ofElement((text, element, random) => {
    const other = pickOne(partsOf(text, TAG), random);
    return other === undefined ? text : swapped(text, element, elementAt(text, other));
  }),
  // Moves an element to another place.
  ofElement((text, element, random) => {
    const rest = replaced(text, element, '');
    const place = pickOne(partsOf(rest, TAG), random)?.end ?? 0;
    return rest.slice(0, place) + at(text, element) + rest.slice(place);
  }),
  // Puts an element into another kind of element, sometimes very often.
  ofElement((text, element, random) => {
    const other = pickOne(partsOf(text, TAG), random);
    const name = nameOf(other === undefined ? '' : at(text, other));
    const times = random() < 0.1 ? 600 : 1 + wholeBelow(random, 3);
    return replaced(
      text,
      element,
      `<${name}>`.repeat(times) + at(text, element) + `</${name}>`.repeat(times),
    );
  }),
  // Renames a tag.
  ofTag((text, tag, random) => {
    const other = pickOne(partsOf(text, TAG), random);
    const name = nameOf(other === undefined ? '' : at(text, other));
    return replaced(text, tag, at(text, tag).replace(/^(<\/?)[\w:-]+/, `$1${name}`));
  }),
  // Reverses the order of the attributes of all tags.
  (text) =>
    text.replace(TAG, (tag) => {
      const attributes = tag.match(ATTRIBUTE) ?? [];
      return attributes.length < 2
        ? tag
        : tag.replace(ATTRIBUTE, '').replace(/(\s*\/?>)$/, `${attributes.reverse().join('')}$1`);
    }),
  (text, random) => {
    const attribute = pickOne(partsOf(text, ATTRIBUTE), random);
    return attribute === undefined ? text : replaced(text, attribute, '');
  },
  swapParts(ATTRIBUTE),
  // Writes attributes in single quotation marks, with spaces and line breaks around them.
  (text) => text.replace(/\s([\w:-]+)="([^"'<>]*)"/g, "\n  $1 = '$2' "),
  ofTag((text, tag) => replaced(text, tag, at(text, tag).toUpperCase())),
  ofTag((text, tag) => replaced(text, tag, at(text, tag).replace(/\/?>$/, '/>'))),
  ofTag((text, tag, random) =>
    replaced(
      text,
      tag,
      at(text, tag) +
        (pickOne(['<!-- a -->', '<?a b?>', '<![CDATA[a]]>', '<!DOCTYPE a>', '\n\n', '&nbsp;'], random) ?? ''),
    ),
  ),
  (text) => text.replace(/&(?!#)/g, '&amp;'),
];

/** Applies a change to a random line of a text. */
const ofLine =
  (change: (text: string, line: Part, other: Part, random: Random) => string): Change =>
  (text, random) => {
    const lines = partsOf(text, /[^\n]*\n|[^\n]+$/g);
    const [line, other] = [pickOne(lines, random), pickOne(lines, random)];
    return line === undefined || other === undefined ? text : change(text, line, other, random);
  };

const LINE_CHANGES: readonly Change[] = [
  ofLine((text, line) => replaced(text, line, '')),
  ofLine((text, line) => replaced(text, line, at(text, line).repeat(2))),
  ofLine((text, line, other) => swapped(text, line, other)),
  ofLine((text, line) => replaced(text, line, `\n${at(text, line)}`)),
  ofLine((text, line, _, random) =>
    replaced(text, line, ' '.repeat(1 + wholeBelow(random, 9)) + at(text, line)),
  ),
  ofLine((text, line, _, random) =>
    replaced(
      text,
      line,
      (pickOne(['> ', '- ', '# ', '\t', '"', ';', ',', '| '], random) ?? '') + at(text, line),
    ),
  ),
  ofLine((text, line, other) => {
    const [start, end] = line.start < other.start ? [line.start, other.end] : [other.start, line.end];
    return text.slice(start, end);
  }),
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n', '\r'),
  (text) => text.replaceAll(/[,;\t]/g, (sign) => ({ ',': ';', ';': '\t', '\t': ',' })[sign] ?? sign),
  (text) => text.replaceAll('"', ''),
];

/** Matches a group without groups in it, or a control word, of a file in the Rich Text Format. */
const RTF_PART = /\{[^{}]*\}|\\[a-z]+-?\d* ?/g;
const RTF_CHANGES: readonly Change[] = [
  (text, random) => {
    const part = pickOne(partsOf(text, RTF_PART), random);
    return part === undefined ? text : replaced(text, part, random() < 0.5 ? '' : at(text, part).repeat(2));
  },
  swapParts(RTF_PART),
  (text, random) => {
    const brace = pickOne(partsOf(text, /[{}]/g), random);
    return brace === undefined
      ? text
      : replaced(text, brace, random() < 0.5 ? '' : at(text, brace).repeat(2));
  },
  (text, random) => {
    const part = pickOne(partsOf(text, RTF_PART), random);
    return part === undefined
      ? text
      : replaced(text, part, `${'{'.repeat(300)}${at(text, part)}${'}'.repeat(300)}`);
  },
];

/** Swaps, removes, and repeats values of JSON, whatever they are part of. */
const JSON_VALUE = /"(?:[^"\\]|\\.)*"(?!\s*:)|\b\d+\b|\[[^[\]{}]*\]|\{[^[\]{}]*\}/g;
const JSON_CHANGES: readonly Change[] = [
  swapParts(JSON_VALUE),
  (text, random) => {
    const value = pickOne(partsOf(text, JSON_VALUE), random);
    const by = pickOne(['null', 'true', '{}', '[]', '""', 'NaN'], random) ?? 'null';
    return value === undefined ? text : replaced(text, value, by);
  },
  (text, random) => {
    const value = pickOne(partsOf(text, JSON_VALUE), random);
    return value === undefined ? text : replaced(text, value, `[${at(text, value)}, ${at(text, value)}]`);
  },
  (text, random) => {
    const key = pickOne(partsOf(text, /"[^"\\]*"(?=\s*:)/g), random);
    const other = pickOne(partsOf(text, /"[^"\\]*"(?=\s*:)/g), random);
    return key === undefined || other === undefined ? text : replaced(text, key, at(text, other));
  },
];

/** Cuts a text off, drops its beginning, or swaps two parts of it, at some places. */
const cutsAt = (places: (text: string) => readonly number[]): readonly Change[] => {
  const pick = (text: string, random: Random): number => pickOne([0, ...places(text)], random) ?? 0;
  return [
    (text, random) => text.slice(0, pick(text, random)),
    (text, random) => text.slice(pick(text, random)),
    (text, random) => {
      const [a = 0, b = 0, c = 0] = [0, 0, 0].map(() => pick(text, random)).sort((one, other) => one - other);
      return swapped(text, { start: a, end: b }, { start: b, end: c });
    },
  ];
};

/** Cuts in markup are between tags: parts of tags would be other tags. */
const CUTS = cutsAt((text) => Array.from(text, (_, index) => index));
const CUTS_OF_MARKUP = cutsAt((text) => partsOf(text, TAG).flatMap(({ start, end }) => [start, end]));
const CUTS_OF_RTF = cutsAt((text) => partsOf(text, /[{}]|\\[a-z]+-?\d* ?/g).map(({ start }) => start));

const CHANGES = {
  markup: MARKUP_CHANGES,
  lines: LINE_CHANGES,
  rtf: RTF_CHANGES,
  json: [...JSON_CHANGES, ...LINE_CHANGES],
} as const;

const CUTS_OF: Readonly<Record<keyof typeof CHANGES, readonly Change[]>> = {
  markup: CUTS_OF_MARKUP,
  lines: CUTS,
  rtf: CUTS_OF_RTF,
  json: CUTS,
};

export type Structure = keyof typeof CHANGES;

/** Returns a text with one to four changes to its structure. */
export function withOtherStructure(text: string, structure: Structure, random: Random): string {
  let changed = text;
  for (let count = 1 + wholeBelow(random, 4); count > 0; count--) {
    const isCut = random() < 0.08;
    const changes = (isCut ? CUTS_OF : CHANGES)[structure];
    // A text must not grow without limit.
    const next = pickOne<Change>(changes, random)?.(changed, random) ?? changed;
    if (next.length < 200_000) changed = next;
  }
  return changed;
}

/** Returns the bytes of a text, in UTF-8 or for one in four in another encoding, with or without a mark for it. */
export function inAnyEncoding(text: string, random: Random): Buffer {
  const utf8 = Buffer.from(text);
  if (random() < 0.75) return utf8;
  let place = wholeBelow(random, utf8.length + 1);
  // A part of a number would be another number.
  while (/\d/.test(String.fromCharCode(utf8[place] ?? 0))) place++;
  const inserted = (byte: number): Buffer =>
    Buffer.concat([utf8.subarray(0, place), Uint8Array.of(byte), utf8.subarray(place)]);
  const encodings: readonly (() => Buffer)[] = [
    () => iconv.encode(text, 'utf8', { addBOM: true }),
    () => iconv.encode(text, 'utf16le', { addBOM: true }),
    () => iconv.encode(text, 'utf16be', { addBOM: true }),
    () => iconv.encode(text, 'windows-1252'),
    () => iconv.encode(text, 'cp850'),
    () => iconv.encode(text, 'shift_jis'),
    () => inserted(0xff),
    () => inserted(0),
    () => utf8.subarray(0, place),
  ];
  return pickOne(encodings, random)?.() ?? utf8;
}
