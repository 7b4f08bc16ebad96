import type { SectionHeadings } from './packs/pack.ts';
import { allLanguages } from './words/languages.ts';
import { bareHeading } from './words/word-lists.ts';

const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HEADINGS_OF_THE_WHOLE = [...headings('summaries'), ...headings('overviews')];
const BEGINNINGS = [...headings('summaries'), ...headings('keywords')];
/** Maximum length of a line's beginning that shows its section, in UTF-16 code units. */
const MAX_OPENING_LENGTH = 60;

/**
 * Reports whether a heading starts a section that summarizes the document: "1. Introduction", "Conclusion and outlook".
 */
export function isOfTheWhole(heading: string): boolean {
  return beginsWithAny(bareHeading(heading), HEADINGS_OF_THE_WHOLE);
}

/** Reports whether a line starts the text of a paper after its front matter: "Abstract. We show", "I. Introduction". */
export function beginsWork(line: string): boolean {
  const bare = bareHeading(line.slice(0, MAX_OPENING_LENGTH)).replace(/^i (?=\p{L})/u, '');
  return beginsWithAny(bare, BEGINNINGS);
}

function beginsWithAny(bare: string, sections: readonly string[]): boolean {
  return sections.some(
    (section) => bare === section || bare.startsWith(WITHOUT_SPACES.test(section) ? section : `${section} `),
  );
}

function headings(kind: keyof SectionHeadings): string[] {
  return allLanguages
    .flatMap(({ sections }) => sections?.[kind].split(', ') ?? [])
    .filter((part) => part !== '');
}
