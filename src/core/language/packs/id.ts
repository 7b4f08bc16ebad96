import { stemmer } from '@orama/stemmers/indonesian';
import { stopwords } from '@orama/stopwords/indonesian';
import type { LanguagePack } from './pack.ts';

export const indonesian: LanguagePack = {
  name: 'indonesian',
  code: 'id',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: '',
  negations: {
    ahead: 'tidak bukan tanpa belum jangan tak tiada',
    except: 'hanya cuma sekadar saja',
    or: 'atau',
  },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
