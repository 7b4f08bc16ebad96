import { stemmer } from '@orama/stemmers/english';

/**
 * The stem of a lower-cased English word. Orama's stemmer takes "connection" to "connec": the letter before "ion"
 * that Porter keeps is put back.
 */
export function stemEnglish(word: string): string {
  const stem = stemmer(word);
  const letter = /([st])ions?$/.exec(word)?.[1];
  return letter !== undefined && word.startsWith(`${stem}${letter}ion`) ? stem + letter : stem;
}
