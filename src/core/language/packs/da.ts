import { stemmer } from '@orama/stemmers/danish';
import { stopwords } from '@orama/stopwords/danish';
import type { LanguagePack } from './pack.ts';

export const danish: LanguagePack = {
  name: 'danish',
  code: 'da',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  hasCapitalNouns: false,
  alphabet: 'æøåéô',
  negations: {
    ahead: 'ikke ej aldrig ingen intet ingenting uden hverken',
    behindVerb: 'ikke ej aldrig',
    except: 'kun bare blot',
    or: 'eller',
  },
  followUps: undefined,
  enumerations: undefined,
  determiners: 'en et den det de denne dette hver',
  conjunctions: 'og eller men om som',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
