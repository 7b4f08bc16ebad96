import { stemmer } from '@orama/stemmers/irish';
import { stopwords } from '@orama/stopwords/irish';
import type { LanguagePack } from './pack.ts';

export const irish: LanguagePack = {
  name: 'irish',
  code: 'ga',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: '',
  negations: { ahead: 'ní níl níor nach nár gan', except: 'amháin', or: 'nó' },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
