import type { SectionHeadings } from './packs/pack.ts';
import { ALL_LANGUAGES } from './words/languages.ts';
import { bareHeading } from './words/word-lists.ts';

const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HEADINGS_OF_THE_WHOLE = sectionNames('summaries', 'overviews');
const BEGINNINGS = sectionNames('summaries', 'keywords');
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

interface SectionName {
  readonly name: string;
  /** Name as the beginning of a longer heading. */
  readonly beginning: string;
}

function beginsWithAny(bare: string, sections: readonly SectionName[]): boolean {
  return sections.some(({ name, beginning }) => bare === name || bare.startsWith(beginning));
}

/** Returns the headings of a kind in all languages, in lower case. */
export function sectionHeadings(kind: keyof SectionHeadings): string[] {
  return ALL_LANGUAGES.flatMap(({ sections }) => sections?.[kind]?.split(', ') ?? []).filter(
    (heading) => heading !== '',
  );
}

function sectionNames(...kinds: readonly (keyof SectionHeadings)[]): SectionName[] {
  return kinds
    .flatMap(sectionHeadings)
    .map((name) => ({ name, beginning: WITHOUT_SPACES.test(name) ? name : `${name} ` }));
}
