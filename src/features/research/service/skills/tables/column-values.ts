/** Value of a cell. */
export type Value = number | string | null;

/** Values of a column: numbers of one unit, or texts. */
interface ColumnValues {
  readonly type: 'INTEGER' | 'REAL' | 'TEXT';
  /** Unit of its numbers, such as `%`, `€`, or `kg`; '' without one. */
  readonly unit: string;
  readonly values: readonly Value[];
}

/** Matches cells without a value: "n/a", "–", "…". */
const MISSING = /^(?:|n\/?a|n\.a\.|nil|none|null|nan|\?|\.{1,3}|…|[-‐-―−]{1,3})$/i;
/** Matches a number with its surroundings: "(1 234,5)", "-12 %", "US$ 1.2 bn", "1’234". */
const AMOUNT =
  /^(?<open>\()?\s?(?<sign>[-+−–±]|)\s?(?<before>[\p{Sc}\p{L}]{0,4}\p{Sc}|\p{Lu}{3}|)\s?(?<sign2>[-+−–]|)(?<digits>\d[\d.,'’\u00a0\u202f\u2009 ]{0,30}|[.,]\d{1,20})(?<exponent>[eE][-+]?\d{1,3})?\s?(?<after>%|‰|°[CF]?|\p{Sc}|[\p{L}µ][\p{L}µ\d²³/·^-]{0,11}|)\s?(?<close>\))?$/u;
/** Matches footnote marks after a number: "12.5*", "12.5 [a]". */
const FOOTNOTE = /(?<=[\d%)])\s?(?:[*†‡§]{1,3}|\[[a-z\d]{1,2}\])$/u;
/** Matches codes such as "007" and "0301", which aren't quantities. */
const CODE = /^0\d/;

interface Amount {
  /** Digits with their separators, without surrounding blanks. */
  readonly digits: string;
  readonly exponent: string;
  readonly isNegative: boolean;
  readonly unit: string;
}

/**
 * Parses the values of a column. They are numbers if each nonempty cell is one and all share a unit. All cells together
 * determine the thousands and decimal separators: "1.234" is 1234 next to "1.234.567".
 */
export function columnValues(cells: readonly string[]): ColumnValues {
  const words = cells.map((cell) => cell.trim());
  const texts = (): ColumnValues => ({
    type: 'TEXT',
    unit: '',
    values: words.map((cell) => (cell === '' ? null : cell)),
  });
  const amounts = words.map((cell) => (MISSING.test(cell) ? null : parseAmount(cell)));
  const presentAmounts = amounts.filter((amount) => amount !== null);
  if (presentAmounts.length === 0 || presentAmounts.includes(undefined)) return texts();
  const known = presentAmounts.filter((amount) => amount !== undefined);
  const units = new Set(known.map(({ unit }) => unit));
  units.delete('');
  // Some numbers may lack the unit of the others, but different units can't be added.
  if (units.size > 1) return texts();
  const decimal = decimalMark(known.map(({ digits }) => digits));
  if (decimal === undefined) return texts();
  const values = amounts.map((amount) => (amount ? toNumber(amount, decimal) : null));
  if (values.some((value) => value !== null && (!Number.isFinite(value) || isTooLong(value)))) return texts();
  const isWhole = values.every((value) => value === null || Number.isInteger(value));
  return { type: isWhole ? 'INTEGER' : 'REAL', unit: [...units][0] ?? '', values };
}

function isTooLong(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function parseAmount(cell: string): Amount | undefined {
  if (cell.length > 60) return undefined;
  const parts = AMOUNT.exec(cell.replace(FOOTNOTE, ''))?.groups;
  if (parts === undefined) return undefined;
  const { open, sign = '', before = '', sign2 = '', digits = '', exponent = '', after = '', close } = parts;
  const plain = digits.trim().replace(/(?<=\d)[.,]$/, '');
  if ((open === undefined) !== (close === undefined) || CODE.test(plain.replace(/[.,].*$/s, '')))
    return undefined;
  const isNegative = open !== undefined || /[-−–]/.test(sign + sign2);
  if (sign === '±' || (before !== '' && after !== '' && before !== after)) return undefined;
  return { digits: plain, exponent, isNegative, unit: before === '' ? after : before };
}

/** Returns the decimal separator that fits all numbers of a column; undefined if there is none. */
function decimalMark(numbers: readonly string[]): ',' | '.' | undefined {
  const fits = (decimal: string, thousands: string): boolean =>
    numbers.every((digits) => {
      const [whole = '', part, more] = digits.split(decimal);
      return more === undefined && (part === undefined || /^\d+$/.test(part)) && isGrouped(whole, thousands);
    });
  const [english, other] = [fits('.', ','), fits(',', '.')];
  if (!english || !other) return english ? '.' : other ? ',' : undefined;
  // Both fit: "1.234" and "1,234", or no separator at all. A comma before three digits separates thousands.
  return '.';
}

/** Reports whether digits have no separators, or thousands separators in the right positions. */
function isGrouped(whole: string, mark: string): boolean {
  if (/^\d*$/.test(whole)) return true;
  const parts = whole.split(/[.,'’\u00a0\u202f\u2009 ]/);
  const marks = new Set(whole.replaceAll(/\d/g, ''));
  const [first = '', ...groups] = parts;
  const [only] = marks;
  const isMark = marks.size === 1 && only !== undefined && (only === mark || !/[.,]/.test(only));
  return isMark && /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
}

function toNumber({ digits, exponent, isNegative }: Amount, decimal: ',' | '.'): number {
  const [whole = '', part = ''] = digits.split(decimal);
  const value = Number(`${whole.replaceAll(/\D/g, '') || '0'}.${part || '0'}${exponent}`);
  return isNegative ? -value : value;
}
