import { stemmer } from '@orama/stemmers/finnish';
import { stopwords } from '@orama/stopwords/finnish';
import type { LanguagePack } from './pack.ts';

export const finnish: LanguagePack = {
  name: 'finnish',
  code: 'fi',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  hasCapitalNouns: false,
  alphabet: 'äåöé',
  negations: { ahead: 'ei en et emme ette eivät eikä älä ilman', except: 'vain ainoastaan', or: 'tai' },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
