import { stemmer } from '@orama/stemmers/bulgarian';
import { stopwords } from '@orama/stopwords/bulgarian';
import type { LanguagePack } from './pack.ts';

/** Stems a word. Words for which the library's stemmer fails stay unchanged. */
function stem(word: string): string {
  try {
    return stemmer(word);
  } catch {
    // The library fails for some words.
    return word;
  }
}

export const bulgarian: LanguagePack = {
  name: 'bulgarian',
  code: 'bg',
  stem: stem,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: '',
  negations: { ahead: 'не няма нямаше никога без нито никой нищо', except: 'само', or: 'или' },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
