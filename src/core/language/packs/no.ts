import { stemmer } from '@orama/stemmers/norwegian';
import { stopwords } from '@orama/stopwords/norwegian';
import type { LanguagePack } from './pack.ts';

export const norwegian: LanguagePack = {
  name: 'norwegian',
  code: 'no',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  hasCapitalNouns: false,
  alphabet: 'æøåéô',
  negations: {
    ahead: 'ikke ikkje aldri ingen intet ingenting uten verken hverken',
    behindVerb: 'ikke ikkje aldri',
    except: 'bare kun',
    or: 'eller',
  },
  followUps: undefined,
  enumerations: undefined,
  determiners: 'en et ei den det de denne dette hver',
  conjunctions: 'og eller men om som',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
