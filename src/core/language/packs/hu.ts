import { stemmer } from '@orama/stemmers/hungarian';
import { stopwords } from '@orama/stopwords/hungarian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const HUNGARIAN: LanguagePack = {
  name: 'hungarian',
  code: 'hu',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  alphabet: 'áéíóöőúüű',
  negations: {
    ahead: 'nem ne sem soha sosem nincs nincsen nincsenek sincs sincsenek semmi senki',
    behind: 'nélkül',
    except: 'csak csupán',
    or: 'vagy',
  },
  definitions: {
    sentences: ['az? {term} (?:olyan|egy) (?:\\p{L}{1,30} ?){1,3}, am(?:ely|i)\\p{L}{0,10}{rest}'],
    references: 'ez',
  },
};

export const HUNGARIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'ifj, ld, pl, vö, özv, ún, Szt',
    numbered: 'kb, sz, u',
  },
  figures: { afterNumber: 'ábr(?:a|án|ák)', pluralEndings: 'ák', tables: 'táblázat' },
  beforeLast: 'és',
};
