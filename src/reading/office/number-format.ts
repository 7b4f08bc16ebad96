/** Meaning of a cell's number. */
export type NumberKind = 'date' | 'number' | 'percent' | 'time';

/** Returns the meaning of a number by its format code, or by the ID of one of Excel's built-in formats. */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code !== undefined) return kindOfCode(code);
  if (id === 9 || id === 10) return 'percent';
  if (id === 18 || id === 19 || id === 20 || id === 21 || (id >= 45 && id <= 47)) return 'time';
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number';
}

function kindOfCode(code: string): NumberKind {
  // Remove quoted words, escaped letters, colors, and currencies, which don't determine the kind.
  const bare = code
    .slice(0, 300)
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, '')
    .split(';', 1)[0];
  if (bare === undefined || /general/i.test(bare)) return 'number';
  if (/[yd]/i.test(bare) || /^m+$/i.test(bare.trim())) return 'date';
  if (/[hs]/i.test(bare)) return 'time';
  return bare.includes('%') ? 'percent' : 'number';
}

const DAY_LENGTH = 86_400_000;

/** Formats a cell's number: dates as 2024-03-01, with the time unless it is midnight. */
export function numberText(value: number, kind: NumberKind, is1904: boolean): string {
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

function isoAt(days: number, start: number): string {
  const seconds = Math.round((days * DAY_LENGTH) / 1000);
  const date = new Date(start + seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(days);
  const text = date.toISOString().slice(0, 19).replace('T', ' ');
  return text.endsWith(':00') ? text.slice(0, -3) : text;
}
