import { DOCUMENT_WORDS } from './packs/document-words.ts';

/** Abbreviations that need a certain word, or no number, before them. */
export const TIED = new RegExp(
  String.raw`(?:${[
    ...DOCUMENT_WORDS.flatMap(({ abbreviations }) => abbreviations?.tied ?? []),
    ...DOCUMENT_WORDS.flatMap(({ abbreviations }) => abbreviations?.notAfterNumber ?? []).map(
      (word) => String.raw`(?<![\p{L}\p{N}.]|\d\s)${word}`,
    ),
  ].join('|')})\.\s*$`,
  'u',
);

/** The words before a period, each of them except the last with a period of its own: "p. ej", "d.h", "Vgl. Abb". */
const BEFORE_STOP = /(?:^|[\s([{"'’“‘„«/-])((?:[\p{L}\p{M}]{1,12}\.\s?){0,3}[\p{L}\p{M}]{1,12})\.\s*$/u;
/** "3", "A3", "IV". A single letter is usually a word: "The answer is no. I went." */
const NUMBER = /^(?:\p{Lu}?\d|[IVXLC]{2,}(?!\p{L}))/u;

/** An abbreviation that is a unit after a number: "It takes 5 s. 3 runs were made." */
const QUANTITY = /\d\s?(?:[cdgstu]|kb|max|min|pt|secs?|[гдст])\.\s*$/u;

const always = toForms('always');
const numbered = toForms('numbered');
/** Possible next parts of an abbreviation, by the part before the period. */
const inParts = new Map<string, string[]>();
for (const form of toForms('inParts')) {
  const at = form.lastIndexOf('.');
  const first = form.slice(0, at);
  inParts.set(first, [...(inParts.get(first) ?? []), form.slice(at + 1)]);
}

/**
 * Reports whether the last period belongs to an abbreviation and doesn't end the sentence. `following` is the text
 * after it.
 */
export function endsInAbbreviation(words: string, following: string): boolean {
  if (TIED.test(words)) return true;
  const [next = ''] = /^[\p{L}\p{M}]+/u.exec(following) ?? [];
  return lastForms(words).some(
    (form) =>
      isIn(always, form) ||
      (isIn(numbered, form) && NUMBER.test(following) && !QUANTITY.test(words)) ||
      inParts.get(form)?.includes(next) === true,
  );
}

/** Reports whether the word after the period decides if it belongs to an abbreviation. */
export function isAbbreviationUntold(words: string): boolean {
  return lastForms(words).some((form) => isIn(numbered, form) || inParts.has(form));
}

/** Returns the candidates before the last period, without spaces: for "Vgl. z. B." "B", "z.B", and "Vgl.z.B". */
function lastForms(words: string): string[] {
  const parts = BEFORE_STOP.exec(words)?.[1]?.split(/\.\s?/) ?? [];
  return parts.map((_, at) => parts.slice(at).join('.'));
}

function isIn(forms: ReadonlySet<string>, form: string): boolean {
  return forms.has(form) || forms.has(form.charAt(0).toLowerCase() + form.slice(1));
}

function toForms(kind: 'always' | 'numbered' | 'inParts'): ReadonlySet<string> {
  return new Set(
    DOCUMENT_WORDS.flatMap(
      ({ abbreviations }) => abbreviations?.[kind]?.replaceAll('. ', '.').split(', ') ?? [],
    ),
  );
}
