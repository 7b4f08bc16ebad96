import { asText, scanObjects, type FoundObject } from './file-objects.ts';

/**
 * Rebuilds the table of contents and the page tree of a PDF that lost them, for the pages that can be found in it;
 * undefined if there are none. Pages are in the order of the remaining page tree, else of the file.
 */
export function salvage(bytes: Uint8Array): Uint8Array | undefined {
  const file = asText(bytes);
  const objects = scanObjects(file);
  const pages = findPages(objects);
  const encryption = findEncryption(file, objects);
  if (pages.length === 0 || encryption === 'lost') return undefined;
  return Buffer.from(rebuilt(file, objects, pages, encryption), 'latin1');
}

/** Returns the encryption entries for the trailer. A file that lost its encryption settings can't be read. */
function findEncryption(file: string, objects: ReadonlyMap<number, FoundObject>): string {
  const named = Number(/\/Encrypt\s+(\d+)\s+\d+\s+R/.exec(file)?.[1]);
  const isOne = ({ words }: FoundObject): boolean => /\/Filter\s*\/Standard\b/.test(words);
  const candidates = [...objects.values()].filter(isOne);
  const dictionary = candidates.find(({ number }) => number === named) ?? candidates.at(-1);
  if (dictionary === undefined) return /\/Encrypt\s*(?:\d|<<)/.test(file) ? 'lost' : '';
  const id = /\/ID\s*\[\s*<[0-9a-f]*>\s*<[0-9a-f]*>\s*\]/i.exec(file)?.[0] ?? '';
  return `/Encrypt ${String(dictionary.number)} ${String(dictionary.generation)} R ${id}`;
}

function findPages(objects: ReadonlyMap<number, FoundObject>): FoundObject[] {
  const place = new Map<number, number>();
  for (const { words } of objects.values()) {
    if (!/\/Type\s*\/Pages\b/.test(words)) continue;
    const kids = /\/Kids\s*\[([^\]]*)/.exec(words)?.[1] ?? '';
    for (const [, kid] of kids.matchAll(/(?<!\d)(\d+)\s+\d+\s+R/g)) place.set(Number(kid), place.size);
  }
  const at = ({ number }: FoundObject): number => place.get(number) ?? Infinity;
  return [...objects.values()]
    .filter(({ words }) => /\/Type\s*\/Page\b/.test(words) && hasItsFonts(words, objects))
    .sort((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}

/** Reports whether a page has its fonts. Without them, its text would be read as other letters. */
function hasItsFonts(page: string, objects: ReadonlyMap<number, FoundObject>): boolean {
  const of = (words: string, key: string): string => {
    const reference = new RegExp(`/${key}\\s*(?:\\[\\s*)?(\\d+)\\s+\\d+\\s+R`).exec(words)?.[1];
    return reference === undefined ? words : (objects.get(Number(reference))?.words ?? '');
  };
  const resources = of(page, 'Resources');
  const inline = /\/Font\s*<<((?:[^>/]|\/(?!Font\s*<<))*)>>/.exec(resources)?.[1];
  const fonts = inline ?? (/\/Font\b/.test(resources) ? of(resources, 'Font') : '');
  return [...fonts.matchAll(/\/[^\s/]+\s+(\d+)\s+\d+\s+R/g)].every(([, number]) => {
    const font = objects.get(Number(number))?.words ?? '';
    return font !== '' && of(font, 'ToUnicode') !== '' && of(font, 'DescendantFonts') !== '';
  });
}

/** Returns the file with a new catalog, page tree, and object table appended. */
function rebuilt(
  file: string,
  objects: ReadonlyMap<number, FoundObject>,
  pages: readonly FoundObject[],
  encryption: string,
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
    `trailer\n<< /Size ${String(next + 2)} /Root ${String(next)} 0 R ${encryption} >>\nstartxref\n${String(length)}\n%%EOF\n`,
  );
  return parts.join('');
}
