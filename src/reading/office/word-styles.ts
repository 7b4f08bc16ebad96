import { childAt, childElements, elementsIn, type XmlElement } from './xml.ts';

/** Role of a paragraph by its style. */
export interface ParagraphStyle {
  /** Level from 1 to 9; 0 for the title of the document. */
  readonly headingLevel: number | undefined;
  /** `true` for a line of a table of contents, which only repeats headings. */
  readonly isContents: boolean;
  readonly list: ListPlace | undefined;
}

/** List of a paragraph, and its zero-based depth in the list. */
export interface ListPlace {
  readonly id: string;
  readonly level: number;
}

const PLAIN_STYLE: ParagraphStyle = { headingLevel: undefined, isContents: false, list: undefined };

/** Maximum length of a chain of base styles. A longer one is circular. */
const MAX_CHAIN_LENGTH = 20;

/** Returns a function that returns the styles of a Word file by ID. */
export function readStyles(part: Uint8Array | undefined, fileName: string): (id: string) => ParagraphStyle {
  const elements = new Map(
    elementsIn(part, 'style', fileName).map((style) => [style.attributes['w:styleId'] ?? '', style]),
  );
  const known = new Map<string, ParagraphStyle>();
  return (id) => {
    const style = known.get(id) ?? readStyle(id, elements);
    known.set(id, style);
    return style;
  };
}

function readStyle(id: string, elements: ReadonlyMap<string, XmlElement>): ParagraphStyle {
  let { headingLevel, isContents, list } = PLAIN_STYLE;
  let element = elements.get(id);
  for (let i = 0; element !== undefined && i < MAX_CHAIN_LENGTH; i++) {
    const name = childAt(element, 'name')?.attributes['w:val']?.toLowerCase() ?? '';
    const properties = childAt(element, 'pPr');
    const heading = /^heading (\d)$/.exec(name)?.[1];
    headingLevel ??=
      name === 'title' ? 0 : heading === undefined ? outlineLevel(properties) : Number(heading);
    isContents ||= /^toc (?:\d|heading)$/.test(name);
    list ??= listOfParagraph(properties);
    element = elements.get(childAt(element, 'basedOn')?.attributes['w:val'] ?? '');
  }
  return { headingLevel, isContents, list };
}

/** Returns the heading level in a paragraph's own properties, from 1. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const level = Number(childAt(properties, 'outlineLvl')?.attributes['w:val'] ?? 9);
  return level >= 0 && level < 9 ? level + 1 : undefined;
}

/** Returns the list of a paragraph and its depth, from 0 to 8; undefined for a paragraph outside lists. */
export function listOfParagraph(properties: XmlElement | undefined): ListPlace | undefined {
  const numbering = childAt(properties, 'numPr');
  const id = childAt(numbering, 'numId')?.attributes['w:val'];
  if (id === undefined) return undefined;
  const level = Number(childAt(numbering, 'ilvl')?.attributes['w:val'] ?? 0);
  return { id, level: Math.min(8, Math.max(0, level || 0)) };
}

/** Function that returns the marker of a list item in a Word file. Call it once for each item, in order. */
export type ItemMarks = (place: ListPlace) => string;

/** Returns a function that counts the items of numbered lists. Items of other lists get a dash. */
export function readItemMarks(part: Uint8Array | undefined, fileName: string): ItemMarks {
  const abstractIds = new Map<string, string>();
  for (const num of elementsIn(part, 'num', fileName))
    abstractIds.set(
      num.attributes['w:numId'] ?? '',
      childAt(num, 'abstractNumId')?.attributes['w:val'] ?? '',
    );
  const numbered = new Set<string>();
  for (const list of elementsIn(part, 'abstractNum', fileName))
    for (const level of childElements(list, 'lvl')) {
      const format = childAt(level, 'numFmt')?.attributes['w:val'];
      if (format !== 'bullet' && format !== 'none')
        numbered.add(`${list.attributes['w:abstractNumId'] ?? ''} ${level.attributes['w:ilvl'] ?? ''}`);
    }
  const counts = new Map<string, number[]>();
  return ({ id, level }) => {
    const list = abstractIds.get(id) ?? '';
    const count = counts.get(list) ?? [];
    counts.set(list, count);
    count.length = Math.min(count.length, level + 1);
    count[level] = (count[level] ?? 0) + 1;
    const indent = '   '.repeat(level);
    return numbered.has(`${list} ${String(level)}`) ? `${indent}${String(count[level])}. ` : `${indent}- `;
  };
}
