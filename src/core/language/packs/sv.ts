import { stemmer } from '@orama/stemmers/swedish';
import { stopwords } from '@orama/stopwords/swedish';
import type { LanguagePack } from './pack.ts';

export const swedish: LanguagePack = {
  name: 'swedish',
  code: 'sv',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  hasCapitalNouns: false,
  alphabet: 'äåöé',
  negations: {
    ahead: 'inte ej icke aldrig ingen inget inga ingenting utan varken',
    behindVerb: 'inte ej icke aldrig',
    except: 'bara endast enbart',
    or: 'eller',
  },
  followUps: undefined,
  enumerations: undefined,
  determiners: 'en ett den det de denna detta varje',
  conjunctions: 'och eller men om som',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
