/** Name of a month, in lower case and without a period, and the month's number, 1 to 12. */
type MonthName = readonly [name: string, month: number];

/**
 * Returns the names of the months in a language, full or abbreviated, alone and next to a day, from Unicode's data.
 * Omits those of fewer than three letters.
 */
export function monthNames(code: string, length: 'long' | 'short'): MonthName[] {
  return [undefined, 'numeric' as const].flatMap((day) => {
    const format = new Intl.DateTimeFormat(code, {
      month: length,
      day,
      timeZone: 'UTC',
      calendar: 'gregory',
    });
    return Array.from({ length: 12 }, (_, at) => format.formatToParts(Date.UTC(2001, at, 3))).flatMap(
      (parts, at): MonthName[] =>
        parts
          .filter(({ type, value }) => type === 'month' && /^\p{L}[\p{L}\p{M}]{2,}\.?$/u.test(value))
          .map(({ value }) => [plainMonth(value), at + 1]),
    );
  });
}

/** Returns a word in the form in which names of months are compared. */
export function plainMonth(word: string): string {
  return word.toLowerCase().normalize('NFC').replace(/\.$/, '');
}
