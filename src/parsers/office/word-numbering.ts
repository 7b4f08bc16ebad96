import type { ListPlace } from './word-styles.ts';
import { childAt, childElements, elementsIn, type XmlElement } from './xml.ts';

/** Number of a paragraph in a list. */
export interface ItemNumber {
  /** Zero-based depth in the list. */
  readonly level: number;
  /** Number as Word shows it, such as `2.1` or `(a)`; undefined for a bullet. */
  readonly label: string | undefined;
}

/** Function that numbers the paragraphs of a Word file. Call it once for each paragraph in a list, in order. */
export type Numbering = (place: ListPlace) => ItemNumber;

interface Level {
  readonly start: number;
  readonly format: string;
  /** Label with `%1` to `%9` for the numbers of the levels. */
  readonly text: string;
  /** `true` if the label shows all numbers in digits. */
  readonly isLegal: boolean;
  /** Number of the level, from 1, after which this one starts again; 0 if it never does. */
  readonly restart: number;
  readonly styleId: string | undefined;
}

interface NumberedList {
  readonly abstractId: string;
  readonly levels: readonly (Level | undefined)[];
  readonly starts: ReadonlyMap<number, number>;
}

const MAX_LEVELS = 9;

/** Returns a function that counts the paragraphs in the lists of a Word file. */
export function readNumbering(part: Uint8Array | undefined, fileName: string): Numbering {
  const lists = readLists(part, fileName);
  const counts = new Map<string, (number | undefined)[]>();
  const begun = new Set<string>();
  return (place) => {
    const list = lists.get(place.id);
    const ofStyle = list?.levels.findIndex(
      (level) => level?.styleId !== undefined && level.styleId === place.styleId,
    );
    const at = Math.min(MAX_LEVELS - 1, place.level ?? Math.max(0, ofStyle ?? 0));
    const level = list?.levels[at];
    if (list === undefined || level === undefined) return { level: at, label: undefined };
    const count = counts.get(list.abstractId) ?? [];
    counts.set(list.abstractId, count);
    const first = list.starts.get(at);
    const begins = first !== undefined && !begun.has(`${place.id} ${String(at)}`);
    begun.add(`${place.id} ${String(at)}`);
    const previous = count[at];
    count[at] = begins ? first : previous === undefined ? level.start : previous + 1;
    for (let below = at + 1; below < count.length; below++)
      if (at < (list.levels[below]?.restart ?? below)) count[below] = undefined;
    const label = level.text
      .replace(/%([1-9])/g, (_, digit: string) => {
        const upper = list.levels[Number(digit) - 1];
        const number = count[Number(digit) - 1] ?? upper?.start ?? 1;
        return formatNumber(number, level.isLegal ? 'decimal' : (upper?.format ?? 'decimal'));
      })
      .trim();
    return { level: at, label: level.format === 'bullet' || label === '' ? undefined : label };
  };
}

function readLists(part: Uint8Array | undefined, fileName: string): Map<string, NumberedList> {
  const abstractLists = elementsIn(part, 'abstractNum', fileName);
  const byId = new Map(abstractLists.map((list) => [list.attributes['w:abstractNumId'] ?? '', list]));
  const byStyle = new Map(
    abstractLists.map((list) => [childAt(list, 'styleLink')?.attributes['w:val'], list]),
  );
  const lists = new Map<string, NumberedList>();
  for (const num of elementsIn(part, 'num', fileName)) {
    const id = childAt(num, 'abstractNumId')?.attributes['w:val'] ?? '';
    const named = childAt(byId.get(id), 'numStyleLink')?.attributes['w:val'];
    const abstract = (named === undefined ? undefined : byStyle.get(named)) ?? byId.get(id);
    const levels: (Level | undefined)[] = [];
    for (const level of childElements(abstract, 'lvl')) addLevels(levels, level);
    const starts = new Map<number, number>();
    for (const override of childElements(num, 'lvlOverride')) {
      for (const level of childElements(override, 'lvl')) addLevels(levels, level);
      const start = Number(childAt(override, 'startOverride')?.attributes['w:val']);
      if (Number.isInteger(start)) starts.set(Number(override.attributes['w:ilvl'] ?? 0), start);
    }
    lists.set(num.attributes['w:numId'] ?? '', {
      abstractId: abstract?.attributes['w:abstractNumId'] ?? id,
      levels,
      starts,
    });
  }
  return lists;
}

function addLevels(levels: (Level | undefined)[], element: XmlElement): void {
  const at = Number(element.attributes['w:ilvl'] ?? 0);
  if (!(at >= 0 && at < MAX_LEVELS)) return;
  const value = (name: string): string | undefined => childAt(element, name)?.attributes['w:val'];
  const format = value('numFmt') ?? 'decimal';
  const legal = childAt(element, 'isLgl');
  levels[at] = {
    start: Math.floor(Number(value('start') ?? 1)) || 0,
    format,
    text: value('lvlText') ?? (format === 'none' ? '' : `%${String(at + 1)}.`),
    isLegal: legal !== undefined && !/^(?:0|false|off)$/.test(legal.attributes['w:val'] ?? '1'),
    restart: Number(value('lvlRestart') ?? at) || 0,
    styleId: value('pStyle'),
  };
}

const ROMAN: readonly (readonly [sign: string, value: number])[] = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
];
const CHINESE = '〇一二三四五六七八九';
const RUSSIAN = 'абвгдежзиклмнопрстуфхцчшщэюя';

/** Formats a number in one of Word's number formats. Unknown formats yield digits. */
function formatNumber(number: number, format: string): string {
  switch (format) {
    case 'none':
    case 'bullet':
      return '';
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'lowerLetter':
    case 'upperLetter':
      return inCaseOf(format, repeatLetters('abcdefghijklmnopqrstuvwxyz', number));
    case 'russianLower':
    case 'russianUpper':
      return inCaseOf(format, repeatLetters(RUSSIAN, number));
    case 'lowerRoman':
    case 'upperRoman':
      return inCaseOf(format, roman(number));
    case 'ordinal':
      return `${String(number)}${/1\d$/.test(String(number)) ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return number >= 1 && number <= 20 ? String.fromCharCode(0x245f + number) : String(number);
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'taiwaneseCountingThousand':
    case 'japaneseCounting':
      return chinese(number);
    default:
      return String(number);
  }
}

function inCaseOf(format: string, text: string): string {
  return /Upper|^upper/.test(format) ? text.toUpperCase() : text;
}

/** Returns the letter of a number. After the last letter, letters are doubled: `z`, `aa`, `bb`. */
function repeatLetters(letters: string, number: number): string {
  if (number < 1 || number > 20 * letters.length) return String(number);
  return (letters[(number - 1) % letters.length] ?? '').repeat(Math.ceil(number / letters.length));
}

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let rest = number;
  let text = '';
  for (const [sign, value] of ROMAN) for (; rest >= value; rest -= value) text += sign;
  return text;
}

function chinese(number: number): string {
  if (number < 0 || number > 99) return String(number);
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  if (tens === 0) return CHINESE[ones] ?? '';
  return `${tens === 1 ? '' : (CHINESE[tens] ?? '')}十${ones === 0 ? '' : (CHINESE[ones] ?? '')}`;
}
