import { stemmer } from '@orama/stemmers/romanian';
import { stopwords } from '@orama/stopwords/romanian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const ROMANIAN: LanguagePack = {
  name: 'romanian',
  code: 'ro',
  stem: stemmer,
  stopWords: stopwords,
  alphabet: 'ăâîşţșț',
  negations: { ahead: 'nu niciodată fără nici niciun nicio nimic nimeni', except: 'numai doar', or: 'sau' },
  dates: { beforeYear: 'în din anul', onlyBeforeYear: 'anul' },
  definitions: {
    sentences: ['(?:un |o )?{term} este (?:un|o) (?:\\p{L}{1,30} ){1,5}(?:care|prin|de|pentru)\\b{rest}'],
  },
};

export const ROMANIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'jud, Dna, Sf',
    numbered: 'alin, cca',
    // "dl. Popescu", unlike deciliters.
    notAfterNumber: 'dl',
  },
  figures: { names: 'figur(?:a|ilor|ii)', tables: 'tabel(?:ul)?' },
  beforeLast: 'și',
};
