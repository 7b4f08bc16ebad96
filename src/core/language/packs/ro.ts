import { stemmer } from '@orama/stemmers/romanian';
import { stopwords } from '@orama/stopwords/romanian';
import type { LanguagePack } from './pack.ts';

export const romanian: LanguagePack = {
  name: 'romanian',
  code: 'ro',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: 'ăâîşţșț',
  negations: { ahead: 'nu niciodată fără nici niciun nicio nimic nimeni', except: 'numai doar', or: 'sau' },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
