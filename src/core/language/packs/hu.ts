import { stemmer } from '@orama/stemmers/hungarian';
import { stopwords } from '@orama/stopwords/hungarian';
import type { LanguagePack } from './pack.ts';

export const hungarian: LanguagePack = {
  name: 'hungarian',
  code: 'hu',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  hasCapitalNouns: false,
  alphabet: 'áéíóöőúüű',
  negations: {
    ahead: 'nem ne sem soha sosem nincs nincsen nincsenek sincs sincsenek semmi senki',
    behind: 'nélkül',
    except: 'csak csupán',
    or: 'vagy',
  },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
