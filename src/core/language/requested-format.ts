import { allLanguages } from './words/languages.ts';
import { NUMBER_WORDS } from './words/word-lists.ts';

/*
 * Detects the format that a task requests, such as a table, a list, or a number, in several languages.
 */

/**
 * Matches a request for a table, but not a reference to one: neither "the table on page 3" nor "aus der Tabelle" nor
 * "Table 2".
 */
const TABLE =
  /(?<!(?<!\p{L})(?:the|this|that|these|those|its|their|die|der|den|diese[rn]?|deze|les?|ces?|cette|las?|los|estas?|esas?|das?|nas?|esta|essa|lo|gli|della|dalla|nella|quest[ae]|из|в|этой|этих)\s)(?<!(?<!\p{L})de\s(?=tabel(?:len)?(?!\p{L})))(?<!\p{L})(?:tables?|tabell[aen]n?|tabel(?:len)?|tableaux?|tablas?|tabelas?|таблиц(?:а|ы|у|ей|ами)?)(?!\p{L})(?!\s\d)|表格|一覧表|表形式|(?:用|以|成|个|張|张)表(?!\p{L}{0,2}[示明达達])|表(?:に(?!\p{L}{0,4}(?:示|ある|よる))|として)/iu;

const LIST =
  /(?<!\p{L})(?:lists?|bullet points?|enumerate|listen?|aufzählung|lijst(?:en)?|opsomming|listes?|énumér\p{L}{1,4}|listas?|list(?:ar|e)|enumer[ae]r?|elenc(?:o|hi|are)|спис(?:ок|ка|ком|ки)|перечисл\p{L}{1,6})(?!\p{L})|列表|清单|清單|列出|列举|リスト|箇条書き|一覧(?!表)/iu;

/** Reports whether a task asks for a table. */
export function wantsTable(task: string): boolean {
  return TABLE.test(task);
}

/** Reports whether a task asks for a list. */
export function wantsList(task: string): boolean {
  return LIST.test(task);
}

/**
 * Returns the number at the beginning of words, in digits or words: `3 rows`, `fünf`, `三`. NaN for an ambiguous one
 * such as `1,000`; undefined if there is none.
 */
export function numberIn(words: string): number | undefined {
  const [, digits, word] = /^\s{0,9}(?:([+-]?\d{1,15}(?:[.,]\d{1,9})?)|(\p{L}{1,20}))/u.exec(words) ?? [];
  if (digits !== undefined) return Number(digits);
  if (word === undefined) return undefined;
  const written = NUMBER_WORDS.get(word.toLowerCase()) ?? OTHER_NUMBERS.get(word.toLowerCase());
  return written === undefined ? undefined : Number(written);
}

/** One to ten in languages other than English. */
const OTHER_NUMBERS: ReadonlyMap<string, string> = new Map(
  allLanguages.flatMap(({ words }) =>
    (words?.numbers ?? '')
      .split(' ')
      .filter((word) => word !== '')
      .map((word, index): [string, string] => [word, String(index + 1)]),
  ),
);
