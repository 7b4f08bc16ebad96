/** Superscript and subscript digits and signs, by their Markdown notation between tags. */
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻';
const LOWERED = '₀₁₂₃₄₅₆₇₈₉₊₋';
const PLAIN = '0123456789+-';

const CURRENCY = /^[$€£¥₹]$/;
const AMOUNT = /^[(–—-]?\s?\d[\d.,\s]{0,30}\)?%?$/;
const LEADERS = /(?:\.\s?){4}/;
const MAX_COLUMN_NAME_LENGTH = 60;

/** Returns the words of a cell without marks of Markdown and HTML; `10<sup>6</sup>` stays `10⁶`. */
export function cleanCell(cell: string): string {
  return cell
    .replaceAll(/<br\s?\/?>/gi, '; ')
    .replaceAll(/<sup>([^<]{0,40})<\/sup>/gi, (_, words: string) => shiftCharacters(words, RAISED, '^'))
    .replaceAll(/<sub>([^<]{0,40})<\/sub>/gi, (_, words: string) => shiftCharacters(words, LOWERED, ''))
    .replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replaceAll(/!?\[([^\][]{0,300})\]\([^()\s]{0,1000}\)/g, '$1')
    .replaceAll(/\*\*|__(?=\S)|(?<=\S)__|`/g, '')
    .replaceAll(/(?<![\p{L}\p{N}*])([*_])([^*_\s][^*_]{0,300})\1(?![\p{L}\p{N}*])/gu, '$2')
    .replaceAll(/\\([\\`*_{}[\]()#+.!|~-])/g, '$1')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Characters that can't be raised or lowered one by one keep a sign that says so. */
function shiftCharacters(words: string, characters: string, mark: string): string {
  const plainCharacters = Array.from(words.trim().replaceAll('−', '-'), (character) =>
    PLAIN.includes(character) ? characters.charAt(PLAIN.indexOf(character)) : undefined,
  );
  return plainCharacters.includes(undefined) ? mark + words.trim() : plainCharacters.join('');
}

/** Returns the cells of a row with currency signs, percent signs, and brackets beside the number that they belong to. */
export function joinSigns(cells: readonly string[]): string[] {
  const joined = [...cells];
  for (const [index, cell] of joined.entries()) {
    const next = joined.findIndex((other, at) => at > index && other !== '');
    const sign = cell.slice(-1);
    if (CURRENCY.test(sign) && next > 0 && AMOUNT.test(joined[next] ?? '')) {
      const before = cell.slice(0, -1).trim();
      if (before === '' || /\d\)?$/.test(before)) {
        joined[index] = before;
        joined[next] = `${sign} ${joined[next] ?? ''}`;
      }
    }
    const last = joined.slice(0, index).findLastIndex((other) => other !== '');
    if (/^(?:\)|%|\)\s?%)$/.test(cell) && /\d$/.test(joined[last] ?? '')) {
      joined[last] = (joined[last] ?? '') + cell;
      joined[index] = '';
    }
  }
  return joined;
}

/**
 * Returns one name per column from the header rows. A name above several columns becomes a prefix of each, so that
 * "2015" over "High" and "Low" makes "2015 High" and "2015 Low".
 */
export function nameColumns(header: readonly (readonly string[])[]): string[] {
  const width = Math.max(0, ...header.map(({ length }) => length));
  const spread = header.map((row, index) => {
    if (index === header.length - 1) return row;
    let name = '';
    // The first column contains the names of the rows, so no name spans it.
    return row.map((cell, column) => {
      if (cell !== '' || column === 0) name = column === 0 ? '' : cell;
      const hasOwn = header.slice(index + 1).some((below) => (below[column] ?? '') !== '');
      return column === 0 ? cell : cell !== '' || hasOwn ? name : '';
    });
  });
  return Array.from({ length: width }, (_, column) =>
    [...new Set(spread.map((row) => row[column] ?? ''))].filter((name) => name !== '').join(' '),
  );
}

/** Reports whether words can name a column: they are short, no sentence, and no list of values. */
export function isColumnName(words: string): boolean {
  if (words === '') return true;
  return (
    words.length <= MAX_COLUMN_NAME_LENGTH &&
    /^[\p{L}\p{N}*#%$€£(&≤≥<>Δ±°µ]/u.test(words) &&
    /[\p{L}%#]|\b(?:19|20)\d\d\b/u.test(words) &&
    !/[,;:]$|[^.]{12}\.$|\(\)/.test(words) &&
    (words.match(/,/g)?.length ?? 0) < 2 &&
    !/^#\s?\p{Ll}/u.test(words) &&
    !LEADERS.test(words)
  );
}

/** Reports whether a row leads to a page, as those of a table of contents do. */
export function isContentsRow(cells: readonly string[]): boolean {
  return cells.some((cell) => LEADERS.test(cell));
}
