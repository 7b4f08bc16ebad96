import { stemmer } from '@orama/stemmers/english';
import { withoutIrregularForm } from './irregular-english.ts';

/**
 * The stem of a lower-cased English word; irregular forms have that of their word. Orama's stemmer takes "connection" to "connec": the letter before "ion"
 * that Porter keeps is put back.
 */
export function stemEnglish(form: string): string {
  const word = withoutIrregularForm(form);
  const stem = stemmer(word);
  const letter = /([st])ions?$/.exec(word)?.[1];
  return letter !== undefined && word.startsWith(`${stem}${letter}ion`) ? stem + letter : stem;
}
