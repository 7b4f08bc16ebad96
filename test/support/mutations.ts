// Random changes to other people's data, the same for the same seed.
import { seededRandom, wholeBelow } from './durability-random.ts';

type Random = () => number;

const HOSTILE_WORDS: readonly string[] = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '@',
    '#',
    ',',
    '=',
    '<',
    '>',
    '&',
    '%',
    '$',
    ':',
    '`',
    '\n',
    '\n\n',
    '\r',
  ],
  ...['\0', '\u0007', '\u001f', '\u2028', '\ufeff', '\ud800', '\udc00', '\u202e', '\u200d', '\ufffe', '🙂'],
  ...[
    '<img src=x>',
    '![x](https://evil.example/)',
    '[x](command:y)',
    '{{c1::',
    '}}',
    '__proto__',
    'constructor',
  ],
  ...['../../../etc/passwd', 'file:///etc/passwd', 'javascript:x', '-1', '1e309', '99999999999999999999'],
  ...[
    'data: ',
    '[DONE]',
    'null',
    'true',
    '"'.repeat(100),
    '{'.repeat(500),
    '['.repeat(500),
    'a'.repeat(10_000),
  ],
];

const HOSTILE_VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 2, '', [], {}].map(
    (value) => () => value,
  ),
  ...HOSTILE_WORDS.map((words) => () => words),
  () => ['x', 1, null, {}],
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":1,"length":-1}') as unknown,
  () => JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown,
];

/** Returns the random source of one case, the same for the same seed. */
export function randomOf(seed: number): Random {
  return seededRandom(seed * 2_654_435_761);
}

/** Returns a text with one to four changes: parts that are cut, duplicated, moved, or replaced by hostile text. */
export function mutatedText(text: string, random: Random): string {
  let changed = text;
  for (let count = 1 + wholeBelow(random, 4); count > 0; count--) {
    const start = wholeBelow(random, changed.length + 1);
    const end = start + wholeBelow(random, random() < 0.7 ? 8 : changed.length - start + 1);
    const [before, part, after] = [changed.slice(0, start), changed.slice(start, end), changed.slice(end)];
    const words = pick(HOSTILE_WORDS, random);
    const mutations = [before + after, before + part + part + after, before + words + after];
    mutations.push(before + words + part + after, before, part + before + after);
    changed = pick(mutations, random);
  }
  return changed;
}

/** Returns bytes with the same kind of changes, each byte as a character. */
export function mutatedBytes(bytes: Uint8Array, random: Random): Buffer {
  return Buffer.from(mutatedText(Buffer.from(bytes).toString('latin1'), random), 'latin1');
}

/** Returns a copy of a JSON value in which one to three parts are replaced, removed, or renamed. */
export function mutatedJson(value: unknown, random: Random): unknown {
  const root = { value: structuredClone(value) };
  for (let count = 1 + wholeBelow(random, 3); count > 0; count--) {
    const places = placesIn(root);
    const { parent, key } = pick(places, random);
    const other = pick(places, random);
    const change = random();
    if (change < 0.2 && parent !== root) Reflect.deleteProperty(parent, key);
    else if (change < 0.3) Reflect.set(parent, pick(HOSTILE_WORDS, random), Reflect.get(parent, key));
    else if (change < 0.5) Reflect.set(parent, key, structuredClone(Reflect.get(other.parent, other.key)));
    else if (change < 0.65 && typeof Reflect.get(parent, key) === 'string')
      Reflect.set(parent, key, mutatedText(String(Reflect.get(parent, key)), random));
    else Reflect.set(parent, key, pick(HOSTILE_VALUES, random)());
  }
  // Serializing removes named properties of lists.
  return (JSON.parse(JSON.stringify(root)) as { readonly value: unknown }).value;
}

/** Returns every nested place in a value, as its parent object or array and its key. */
function placesIn(root: object): { readonly parent: object; readonly key: string }[] {
  const places: { readonly parent: object; readonly key: string }[] = [];
  const waiting: object[] = [root];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop())
    for (const [key, value] of Object.entries(parent) as [string, unknown][]) {
      places.push({ parent, key });
      if (typeof value === 'object' && value !== null && places.length < 10_000) waiting.push(value);
    }
  return places;
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[wholeBelow(random, values.length)] as T;
}
