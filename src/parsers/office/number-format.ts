/** Meaning of a cell's number. */
export type NumberKind = 'date' | 'number' | 'percent' | 'time' | Duration | DigitPattern;

/** Time that can exceed a day, such as `36:00`, with its parts: the largest unit first. */
interface Duration {
  readonly units: readonly ('h' | 'm' | 's')[];
}

/** Fixed number of digits with characters between them, such as `00000` or `000-00-0000`. */
interface DigitPattern {
  /** Characters as shown, with `0` for each digit. */
  readonly pattern: readonly ({ readonly literal: string } | 'digit')[];
}

/** Returns the meaning of a number by its format code, or by the ID of one of Excel's built-in formats. */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code !== undefined) return kindOfCode(code);
  if (id === 9 || id === 10) return 'percent';
  if (id === 45) return { units: ['m', 's'] };
  if (id === 46) return { units: ['h', 'm', 's'] };
  if (id === 18 || id === 19 || id === 20 || id === 21 || id === 47) return 'time';
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number';
}

/** Maximum length of a format code, in UTF-16 code units. The rest of a longer one is ignored. */
const MAX_CODE_LENGTH = 300;

function kindOfCode(code: string): NumberKind {
  const pattern = digitPattern(code);
  if (pattern !== undefined) return pattern;
  // Remove quoted words, escaped letters, colors, and currencies, which don't determine the kind.
  const bare = code
    .slice(0, MAX_CODE_LENGTH)
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, '')
    .split(';', 1)[0];
  if (bare === undefined || /general/i.test(bare)) return 'number';
  const elapsed = /\[(h+|m+|s+)\]/i.exec(bare)?.[1]?.[0]?.toLowerCase();
  if (elapsed === 'h' || elapsed === 'm' || elapsed === 's') return durationOf(bare, elapsed);
  if (/[yd]/i.test(bare) || /^m+$/i.test(bare.trim())) return 'date';
  if (/[hs]/i.test(bare)) return 'time';
  return bare.includes('%') ? 'percent' : 'number';
}

function durationOf(code: string, largest: 'h' | 'm' | 's'): Duration {
  const rest = code.slice(code.indexOf(']') + 1);
  const units: ('h' | 'm' | 's')[] = [largest];
  if (largest === 'h' && /m/i.test(rest)) units.push('m');
  if (largest !== 's' && /s/i.test(rest)) units.push('s');
  return { units };
}

/** Returns the pattern of a format for positive numbers with only zeros and literal characters; else undefined. */
function digitPattern(code: string): DigitPattern | undefined {
  const pattern: DigitPattern['pattern'][number][] = [];
  for (let at = 0; at < Math.min(code.length, MAX_CODE_LENGTH); at++) {
    const sign = code.charAt(at);
    if (sign === ';') break;
    if (sign === '0') pattern.push('digit');
    else if (sign === '"') {
      const end = code.indexOf('"', at + 1);
      if (end < 0) return undefined;
      pattern.push({ literal: code.slice(at + 1, end) });
      at = end;
    } else if (sign === '\\') pattern.push({ literal: code.charAt(++at) });
    else if (/[-/ ()+:]/.test(sign)) pattern.push({ literal: sign });
    else return undefined;
  }
  return pattern.filter((part) => part === 'digit').length > 1 ? { pattern } : undefined;
}

const DAY_LENGTH = 86_400_000;

/**
 * Formats a cell's number: dates as 2024-03-01, with the time unless it is midnight, and times over a day as 36:00.
 */
export function numberText(value: number, kind: NumberKind, is1904: boolean): string {
  if (typeof kind === 'object') return 'units' in kind ? durationText(value, kind) : digitsText(value, kind);
  switch (kind) {
    case 'number':
      return String(Number(value.toPrecision(15)));
    case 'percent':
      return `${String(Number((value * 100).toPrecision(12)))}%`;
    case 'time':
    case 'date': {
      if (kind === 'time' && value >= 0 && value < 1) return isoAt(value, 0).slice(11);
      // Excel counts days from the end of 1899 and treats 1900 as a leap year.
      const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30);
      const iso = isoAt(value, start);
      return iso.endsWith(' 00:00') ? iso.slice(0, 10) : iso;
    }
  }
}

function durationText(days: number, { units }: Duration): string {
  const seconds = Math.round((Math.abs(days) * DAY_LENGTH) / 1000);
  if (!Number.isSafeInteger(seconds)) return String(days);
  const lengths = { h: 3600, m: 60, s: 1 };
  let rest = seconds;
  const parts = units.map((unit, index) => {
    const count = Math.floor(rest / lengths[unit]);
    rest -= count * lengths[unit];
    return index === 0 ? String(count) : String(count).padStart(2, '0');
  });
  return `${days < 0 ? '-' : ''}${parts.join(':')}`;
}

/** Writes a number into a pattern from its end. The first place takes all digits that are left. */
function digitsText(value: number, { pattern }: DigitPattern): string {
  if (!Number.isSafeInteger(value)) return String(Number(value.toPrecision(15)));
  let digits = String(Math.abs(value));
  let text = '';
  let places = pattern.filter((part) => part === 'digit').length;
  for (const part of pattern.toReversed()) {
    if (part !== 'digit') {
      text = part.literal + text;
      continue;
    }
    text = (places === 1 ? digits || '0' : (digits.at(-1) ?? '0')) + text;
    digits = digits.slice(0, -1);
    places--;
  }
  return `${value < 0 ? '-' : ''}${text}`;
}

function isoAt(days: number, start: number): string {
  const seconds = Math.round((days * DAY_LENGTH) / 1000);
  const date = new Date(start + seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(days);
  const text = date.toISOString().slice(0, 19).replace('T', ' ');
  return text.endsWith(':00') ? text.slice(0, -3) : text;
}
