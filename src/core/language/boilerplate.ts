import { ALL_LANGUAGES } from './words/languages.ts';

const PHRASES: readonly (readonly [part: string, phrase: RegExp])[] = [
  ['spdx', /\bSPDX-License-Identifier\b/],
  ...ALL_LANGUAGES.flatMap(({ boilerplate }) => boilerplate?.phrases ?? []),
];

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
  const phrases = PHRASES.filter(([part]) => lower.includes(part));
  if (phrases.length === 0) return false;
  const words = start.replaceAll(/\s+/g, ' ');
  return phrases.some(([, phrase]) => phrase.test(words));
}
