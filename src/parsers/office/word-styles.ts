import type { Raise } from '../raised-text.ts';
import { childAt, elementsIn, type XmlElement } from './xml.ts';

/** Role of a paragraph by its style, and the format of the letters in a style. */
export interface ParagraphStyle {
  /** Level from 1 to 9; 0 for the title of the document. */
  readonly headingLevel: number | undefined;
  /** `true` for a line of a table of contents, which only repeats headings. */
  readonly isContents: boolean;
  readonly list: ListPlace | undefined;
  readonly format: RunFormat;
}

/** List of a paragraph, and its zero-based depth in the list. */
export interface ListPlace {
  readonly id: string;
  /** Undefined if the list assigns a level to the paragraph's style. */
  readonly level: number | undefined;
  readonly styleId?: string;
}

/** Format of letters that changes their meaning. Fields without a value come from the format around it. */
export interface RunFormat {
  readonly raise?: Raise | 'baseline';
  readonly isStruck?: boolean;
  readonly isHidden?: boolean;
  readonly font?: string;
}

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
  let headingLevel: number | undefined;
  let isContents = false;
  let format: RunFormat = {};
  let listId: string | undefined;
  let listLevel: number | undefined;
  let element = elements.get(id);
  for (let i = 0; element !== undefined && i < MAX_CHAIN_LENGTH; i++) {
    const name = childAt(element, 'name')?.attributes['w:val']?.toLowerCase() ?? '';
    const properties = childAt(element, 'pPr');
    const heading = /^heading (\d)$/.exec(name)?.[1];
    headingLevel ??=
      name === 'title' ? 0 : heading === undefined ? outlineLevel(properties) : Number(heading);
    isContents ||= /^toc (?:\d|heading)$/.test(name);
    format = { ...runFormat(childAt(element, 'rPr')), ...format };
    if (listId === undefined) {
      const numbering = listProperties(properties);
      listLevel ??= numbering.level;
      listId = numbering.id;
    }
    element = elements.get(childAt(element, 'basedOn')?.attributes['w:val'] ?? '');
  }
  const list = listId === undefined ? undefined : { id: listId, level: listLevel, styleId: id };
  return { headingLevel, isContents, list, format };
}

/** Returns the heading level in a paragraph's own properties, from 1. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const level = Number(childAt(properties, 'outlineLvl')?.attributes['w:val'] ?? 9);
  return level >= 0 && level < 9 ? level + 1 : undefined;
}

/** Returns the list of a paragraph from its own properties and its style; undefined for a paragraph outside lists. */
export function listOfParagraph(
  properties: XmlElement | undefined,
  style: ParagraphStyle,
): ListPlace | undefined {
  const { id, level } = listProperties(properties);
  if (id !== undefined) return id === '0' ? undefined : { id, level: level ?? 0 };
  if (style.list === undefined || style.list.id === '0') return undefined;
  return level === undefined ? style.list : { ...style.list, level };
}

function listProperties(properties: XmlElement | undefined): { id?: string; level?: number } {
  const numbering = childAt(properties, 'numPr');
  const id = childAt(numbering, 'numId')?.attributes['w:val'];
  const level = childAt(numbering, 'ilvl')?.attributes['w:val'];
  return {
    ...(id !== undefined && { id }),
    ...(level !== undefined && { level: Math.min(8, Math.max(0, Math.floor(Number(level)) || 0)) }),
  };
}

/** Minimum distance from the baseline, in half-points, of letters that a position makes superscript or subscript. */
const MIN_POSITION = 4;

/** Returns the format in the properties of a run or style. */
export function runFormat(properties: XmlElement | undefined): RunFormat {
  const value = (name: string): string | undefined => childAt(properties, name)?.attributes['w:val'];
  const align = value('vertAlign');
  const position = Number(value('position') ?? 0);
  const raise =
    align === undefined
      ? Math.abs(position) < MIN_POSITION
        ? undefined
        : position > 0
          ? 'super'
          : 'sub'
      : (({ superscript: 'super', subscript: 'sub' } as const)[align] ?? 'baseline');
  const isStruck = isOn(properties, 'strike') ?? isOn(properties, 'dstrike');
  const isHidden = isOn(properties, 'specVanish') === true || isOn(properties, 'vanish');
  const fonts = childAt(properties, 'rFonts')?.attributes;
  const font = fonts?.['w:ascii'] ?? fonts?.['w:hAnsi'];
  return {
    ...(raise !== undefined && { raise }),
    ...(isStruck !== undefined && { isStruck }),
    ...(isHidden !== undefined && { isHidden }),
    ...(font !== undefined && { font }),
  };
}

/** Returns the value of a property that is on or off; undefined if it isn't there. */
export function isOn(properties: XmlElement | undefined, name: string): boolean | undefined {
  const property = childAt(properties, name);
  return property && !/^(?:0|false|off|none)$/.test(property.attributes['w:val'] ?? '1');
}
