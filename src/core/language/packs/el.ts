import { stemmer } from '@orama/stemmers/greek';
import { stopwords } from '@orama/stopwords/greek';
import type { LanguagePack } from './pack.ts';

export const greek: LanguagePack = {
  name: 'greek',
  code: 'el',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: '',
  negations: { ahead: 'δεν δε μην μη όχι χωρίς ούτε', except: 'μόνο μόνον', or: 'ή' },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
