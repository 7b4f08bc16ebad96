import { ALL_LANGUAGES } from './words/languages.ts';

const PHRASES: readonly (readonly [part: string, phrase: RegExp])[] = [
  ['spdx', /\bSPDX-License-Identifier\b/],
  ...ALL_LANGUAGES.flatMap(({ boilerplate }) => boilerplate?.phrases ?? []),
];

/** Matches any of the parts, which are words, in a third of the time of a search for each. */
export const BOILERPLATE_PARTS = new RegExp(PHRASES.map(([part]) => part).join('|'));

/** Maximum length of text that is examined, in UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** Words of questions about such text. */
export const BOILERPLATE_WORDS = ALL_LANGUAGES.flatMap(
  ({ boilerplate }) => boilerplate?.questions ?? [],
).join(' ');

/** Reports whether a text contains a phrase of legal boilerplate. */
export function isBoilerplate(text: string): boolean {
  const start = text.slice(0, MAX_LENGTH);
  const lower = start.toLowerCase();
  if (!BOILERPLATE_PARTS.test(lower)) return false;
  const phrases = PHRASES.filter(([part]) => lower.includes(part));
  const words = start.replaceAll(/\s+/g, ' ');
  return phrases.some(([, phrase]) => phrase.test(words));
}
