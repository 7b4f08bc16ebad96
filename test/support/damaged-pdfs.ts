import { seededRandom, wholeBelow } from './durability-random.ts';

type Random = () => number;
type Damage = (bytes: Buffer, random: Random) => Buffer;

/** Kinds of damage to a PDF. */
const damages: Readonly<Record<string, Damage>> = {
  flippedBytes: (bytes, random) => {
    const count = 1 + wholeBelow(random, 40);
    for (let i = 0; i < count; i++) bytes[wholeBelow(random, bytes.length)] = wholeBelow(random, 256);
    return bytes;
  },
  cutEnd: (bytes, random) => bytes.subarray(0, wholeBelow(random, bytes.length)),
  cutStart: (bytes, random) =>
    Buffer.concat([Buffer.from('%PDF-1.4\n'), bytes.subarray(wholeBelow(random, bytes.length))]),
  hole: (bytes, random) => {
    const from = wholeBelow(random, bytes.length);
    const to = from + wholeBelow(random, bytes.length >> 2);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  zeroes: (bytes, random) => {
    const from = wholeBelow(random, bytes.length);
    return bytes.fill(0, from, Math.min(bytes.length, from + wholeBelow(random, bytes.length >> 3)));
  },
  doubled: (bytes, random) => {
    const from = wholeBelow(random, bytes.length);
    const part = bytes.subarray(from, from + wholeBelow(random, bytes.length >> 2));
    return Buffer.concat([bytes.subarray(0, from), part, bytes.subarray(from)]);
  },
  swappedObjects: (bytes, random) => {
    const objects = findMatches(bytes, /\d+ \d+ obj\b[^]*?endobj/g);
    const place = pick(objects, random);
    const other = pick(objects, random);
    if (place === undefined || other === undefined || place === other) return bytes;
    const [a, b] = place.start < other.start ? [place, other] : [other, place];
    const text = bytes.toString('latin1');
    const body = (object: Place): string => text.slice(object.start, object.end).replace(/^\d+ \d+ obj/, '');
    const numbered = (object: Place, other: Place): string =>
      `${/^\d+ \d+ obj/.exec(text.slice(object.start))?.[0] ?? ''}${body(other)}`;
    return Buffer.from(
      text.slice(0, a.start) +
        numbered(a, b) +
        text.slice(a.end, b.start) +
        numbered(b, a) +
        text.slice(b.end),
      'latin1',
    );
  },
  wrongReferences: (bytes, random) => {
    const references = findMatches(bytes, /\b\d+ 0 R\b/g);
    const highest = Math.max(1, references.length);
    return withReplaced(bytes, references, random, () => `${String(wholeBelow(random, highest))} 0 R`);
  },
  wrongNumbers: (bytes, random) =>
    withReplaced(bytes, findMatches(bytes, /(?<=[\s[])-?\d+(?:\.\d+)?(?=[\s\]])/g), random, () =>
      String(pick(['0', '-1', '1e9', '4294967296', '99999999999', '0.0000001', '65536', 'nan'], random)),
    ),
  wrongNames: (bytes, random) => {
    const names = findMatches(bytes, /\/[A-Za-z][A-Za-z0-9]*/g);
    return withReplaced(bytes, names, random, () => {
      const other = pick(names, random);
      return bytes.toString('latin1', other?.start ?? 0, other?.end ?? 0);
    });
  },
};

/** Returns a PDF with one or two kinds of damage, the same for the same seed. `how` names them. */
export function damaged(pdf: Uint8Array, seed: number): { readonly bytes: Uint8Array; readonly how: string } {
  const random = seededRandom(seed);
  const kinds = Object.keys(damages);
  const chosen = [pick(kinds, random), ...(random() < 0.4 ? [pick(kinds, random)] : [])];
  let bytes = Buffer.from(pdf);
  for (const kind of chosen) bytes = Buffer.from(damages[kind ?? '']?.(bytes, random) ?? bytes);
  return { bytes: new Uint8Array(bytes), how: chosen.join(', ') };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function findMatches(bytes: Buffer, pattern: RegExp): Place[] {
  return Array.from(bytes.toString('latin1').matchAll(pattern), ({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
  }));
}

/** Replaces up to ten of some places with other words. */
function withReplaced(bytes: Buffer, places: readonly Place[], random: Random, words: () => string): Buffer {
  let text = bytes.toString('latin1');
  const chosen = new Set(Array.from({ length: 1 + wholeBelow(random, 10) }, () => pick(places, random)));
  for (const place of [...chosen].sort((a, b) => (b?.start ?? 0) - (a?.start ?? 0)))
    if (place !== undefined) text = text.slice(0, place.start) + words() + text.slice(place.end);
  return Buffer.from(text, 'latin1');
}

function pick<T>(values: readonly T[], random: Random): T | undefined {
  return values[wholeBelow(random, values.length)];
}
