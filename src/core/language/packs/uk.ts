import { stemmer } from '@orama/stemmers/ukrainian';
import { stopwords } from '@orama/stopwords/ukrainian';
import type { LanguagePack } from './pack.ts';

export const ukrainian: LanguagePack = {
  name: 'ukrainian',
  code: 'uk',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: '',
  negations: { ahead: 'не немає нема ні ніколи без ніхто ніщо нічого', except: 'тільки лише', or: 'або чи' },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
