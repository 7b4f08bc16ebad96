import { constants, inflateSync } from 'node:zlib';

/** An object of a PDF, as it is written between `obj` and `endobj`. */
interface FoundObject {
  readonly number: number;
  readonly generation: number;
  /** Where it begins in the file, or undefined for one that was packed in a stream. */
  readonly offset: number | undefined;
  /** Its text without the bytes of a stream. */
  readonly words: string;
}

/** More than this is not unpacked of one stream of objects. */
const largestStream = 32 * 1024 * 1024;
/** Files with more are taken for hostile. */
const mostObjects = 2_000_000;

/**
 * A PDF whose table of contents or page tree is lost, with new ones that lead to the pages which can be found in it, or
 * undefined where there are none. Pages stand in the order of what is left of the page tree, else as in the file.
 */
export function salvage(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  // Without its key nothing of an encrypted file can be read.
  if (/\/Encrypt\s*(?:\d|<<)/.test(file)) return undefined;
  const objects = objectsOf(file);
  const pages = pagesOf(objects);
  if (pages.length === 0) return undefined;
  return Buffer.from(rebuilt(file, objects, pages), 'latin1');
}

function objectsOf(file: string): ReadonlyMap<number, FoundObject> {
  const objects = new Map<number, FoundObject>();
  const starts = /\b(\d{1,9})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b/g;
  const streams: { words: string; data: number }[] = [];
  for (const match of file.matchAll(starts)) {
    if (objects.size > mostObjects) break;
    const from = match.index + match[0].length;
    const words = wordsFrom(file, from);
    const number = Number(match[1]);
    objects.set(number, { number, generation: Number(match[2]), offset: match.index, words });
    if (/\/Type\s*\/ObjStm\b/.test(words)) streams.push({ words, data: from + words.length });
  }
  for (const { words, data } of streams)
    for (const object of packedObjects(file, words, data))
      if (!objects.has(object.number)) objects.set(object.number, object);
  return objects;
}

/** What an object says before its stream or its end. */
function wordsFrom(file: string, from: number): string {
  const window = file.slice(from, from + 100_000);
  const end = window.search(/\bstream\r?\n|\bendobj\b|\b\d{1,9}\s\d{1,5}\sobj\b/);
  return end < 0 ? window : window.slice(0, end);
}

/** The objects that are packed in a stream, as far as it can be unpacked. */
function packedObjects(file: string, dictionary: string, data: number): FoundObject[] {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1]);
  const begin = /^stream\r?\n/.exec(file.slice(data, data + 10))?.[0].length;
  if (!Number.isInteger(first) || begin === undefined) return [];
  const end = file.indexOf('endstream', data);
  const packed = Buffer.from(file.slice(data + begin, end < 0 ? undefined : end), 'latin1');
  const text = dictionary.includes('/Filter') ? inflated(packed) : packed.toString('latin1');
  if (text === undefined) return [];
  const numbers = (text.slice(0, first).match(/\d+/g) ?? []).map(Number);
  const found: FoundObject[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const words = text.slice(first + (numbers[i + 1] ?? 0), first + (numbers[i + 3] ?? text.length));
    if (words !== '') found.push({ number: numbers[i] ?? 0, generation: 0, offset: undefined, words });
  }
  return found;
}

function inflated(packed: Buffer): string | undefined {
  try {
    // A stream that is cut off gives what it has.
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: largestStream };
    return inflateSync(packed, options).toString('latin1');
  } catch {
    return undefined;
  }
}

function pagesOf(objects: ReadonlyMap<number, FoundObject>): FoundObject[] {
  const place = new Map<number, number>();
  for (const { words } of objects.values()) {
    if (!/\/Type\s*\/Pages\b/.test(words)) continue;
    const kids = /\/Kids\s*\[([^\]]*)/.exec(words)?.[1] ?? '';
    for (const [, kid] of kids.matchAll(/(\d+)\s+\d+\s+R/g)) place.set(Number(kid), place.size);
  }
  const at = ({ number }: FoundObject): number => place.get(number) ?? Infinity;
  return [...objects.values()]
    .filter(({ words }) => /\/Type\s*\/Page\b/.test(words) && hasItsFonts(words, objects))
    .sort((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}

/** Without a font its text would be read as other letters. */
function hasItsFonts(page: string, objects: ReadonlyMap<number, FoundObject>): boolean {
  const of = (words: string, key: string): string => {
    const reference = new RegExp(`/${key}\\s*\\[?\\s*(\\d+)\\s+\\d+\\s+R`).exec(words)?.[1];
    return reference === undefined ? words : (objects.get(Number(reference))?.words ?? '');
  };
  const resources = of(page, 'Resources');
  const inline = /\/Font\s*<<([^>]*)>>/.exec(resources)?.[1];
  const fonts = inline ?? (/\/Font\b/.test(resources) ? of(resources, 'Font') : '');
  return [...fonts.matchAll(/\/\S+\s+(\d+)\s+\d+\s+R/g)].every(([, number]) => {
    const font = objects.get(Number(number))?.words ?? '';
    return font !== '' && of(font, 'ToUnicode') !== '' && of(font, 'DescendantFonts') !== '';
  });
}

/** The file with a catalog, a page tree and a table of all objects behind it. */
function rebuilt(
  file: string,
  objects: ReadonlyMap<number, FoundObject>,
  pages: readonly FoundObject[],
): string {
  const next = [...objects.keys()].reduce((highest, number) => Math.max(highest, number), 0) + 1;
  const kids = pages.map(({ number, generation }) => `${String(number)} ${String(generation)} R`).join(' ');
  const added: FoundObject[] = [
    ...[...objects.values()].filter(({ offset }) => offset === undefined),
    {
      number: next,
      generation: 0,
      offset: undefined,
      words: `<< /Type /Catalog /Pages ${String(next + 1)} 0 R >>`,
    },
    {
      number: next + 1,
      generation: 0,
      offset: undefined,
      words: `<< /Type /Pages /Count ${String(pages.length)} /Kids [${kids}] >>`,
    },
  ];
  const offsets = new Map([...objects.values()].map((object) => [object.number, object]));
  const parts = [file, '\n'];
  let length = file.length + 1;
  for (const object of added) {
    const written = `${String(object.number)} 0 obj\n${object.words}\nendobj\n`;
    offsets.set(object.number, { ...object, offset: length });
    parts.push(written);
    length += written.length;
  }
  const table = [...offsets.values()].map(({ number, generation, offset = 0 }) => {
    const entry = `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
    return `${String(number)} 1\n${entry}`;
  });
  parts.push(
    `xref\n0 1\n0000000000 65535 f \n${table.join('')}`,
    `trailer\n<< /Size ${String(next + 2)} /Root ${String(next)} 0 R >>\nstartxref\n${String(length)}\n%%EOF\n`,
  );
  return parts.join('');
}
