import { LANGUAGES } from '../../../core/language/words/languages.ts';
import { languageOfText } from '../../../core/language/words/words.ts';
import type { PassageCount } from '../../store/sources/document-store.ts';

/** Documents that a question names, and the question without their names. */
export interface NamedDocuments {
  readonly documentIds: ReadonlySet<number>;
  readonly rest: string;
}

/** Source of name counts in the notebook. */
interface NameSource {
  /** Counts the passages by document that contain all words of a name, also as a single word. Ignores code. */
  readonly count: (name: readonly string[]) => readonly PassageCount[];
  /** Counts all passages that aren't code. */
  readonly countAll: () => number;
}

/** A name belongs to documents that have it in at least this share and this number of their passages. */
const MIN_HOLDING_RATIO = 0.5;
const MIN_MATCHING_PASSAGES = 3;
/** A word isn't a name if it's in a greater share of all other passages. */
const MAX_ELSEWHERE_RATIO = 0.04;
/** A name of documents that have a greater share of all passages narrows too little. */
const MAX_NAMED_RATIO = 0.5;
/** Maximum number of names looked up per question. */
const MAX_NAMES = 8;

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/**
 * Returns the documents whose names a question has: file names, titles, and words that are frequent in one document and
 * rare in others. Returns `undefined` if there are none, or if as many of its names belong to no document.
 */
export function findNamedDocuments(question: string, source: NameSource): NamedDocuments | undefined {
  const namesByDocument = new Map<number, Set<string>>();
  let rest = question;
  let [known, unknown] = [0, 0];
  const look = (name: readonly string[]): boolean => {
    const counts = source.count(name);
    if (counts.length === 0) return false;
    const documentIds = documentsNamed(counts, source.countAll());
    for (const id of documentIds)
      namesByDocument.set(id, (namesByDocument.get(id) ?? new Set()).add(name.join(' ')));
    if (documentIds.length > 0) for (const word of name) rest = rest.replaceAll(word, ' ');
    else if (isRare(counts, source.countAll())) unknown++;
    return documentIds.length > 0;
  };
  for (const name of namesIn(question)) {
    const isKnown = look(name) || (name.length > 1 && name.map((word) => look([word])).includes(true));
    if (isKnown) known++;
  }
  if (known <= unknown || !/[\p{L}\p{N}]/u.test(rest)) return undefined;
  const sets = [...namesByDocument.values()];
  // "Best Buy" doesn't mention another document with the name "Buy".
  const best = [...namesByDocument].filter(
    ([, names]) =>
      !sets.some((other) => other.size > names.size && [...names].every((name) => other.has(name))),
  );
  return { documentIds: new Set(best.map(([id]) => id)), rest };
}

/**
 * Returns the names in a question, each as its words: runs of words with a capital, or with letters and digits. A capital
 * at the beginning of a sentence shows no name, nor does one in a language that gives it to every noun.
 */
export function namesIn(question: string): string[][] {
  const hasCapitalNouns = LANGUAGES[languageOfText(question)]?.hasCapitalNouns === true;
  const names: string[][] = [];
  let end = -1;
  for (const { 0: word, index } of question.matchAll(WORD)) {
    const before = question.slice(Math.max(0, index - 4), index).trimEnd();
    const isFirst = before === '' || '.!?:"“„«('.includes(before.slice(-1));
    if (!isNameLike(word, isFirst || hasCapitalNouns)) continue;
    if (end >= 0 && [' ', ' & ', '-', '.', '&'].includes(question.slice(end, index)))
      names.at(-1)?.push(word);
    else names.push([word]);
    end = index + word.length;
  }
  return names.slice(0, MAX_NAMES);
}

/**
 * Reports whether a word looks like a name: `MGM`, `3M`, and `iPhone` anywhere, `Adobe` only if the first letter
 * shows it there.
 */
function isNameLike(word: string, hasCapitalAnyway: boolean): boolean {
  if (word.length < 2 || /^(?:FY|Q)?\d+$/i.test(word)) return false;
  if (/\p{L}/u.test(word) && /\p{N}/u.test(word)) return true;
  return hasCapitalAnyway ? /.\p{Lu}/u.test(word) : /\p{Lu}/u.test(word);
}

function documentsNamed(counts: readonly PassageCount[], allPassages: number): number[] {
  const named = counts.filter(
    ({ holding, passages }) =>
      holding >= Math.min(MIN_MATCHING_PASSAGES, passages) && holding >= MIN_HOLDING_RATIO * passages,
  );
  const inNamed = sumOf(named, 'passages');
  const elsewhere = sumOf(counts, 'holding') - sumOf(named, 'holding');
  if (inNamed > MAX_NAMED_RATIO * allPassages) return [];
  if (elsewhere > MAX_ELSEWHERE_RATIO * (allPassages - inNamed)) return [];
  return named.map(({ documentId }) => documentId);
}

function isRare(counts: readonly PassageCount[], allPassages: number): boolean {
  return sumOf(counts, 'holding') <= MAX_ELSEWHERE_RATIO * allPassages;
}

function sumOf(counts: readonly PassageCount[], key: 'holding' | 'passages'): number {
  return counts.reduce((sum, count) => sum + count[key], 0);
}
