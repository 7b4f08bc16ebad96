import { stemmer } from '@orama/stemmers/lithuanian';
import { stopwords } from '@orama/stopwords/lithuanian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const LITHUANIAN: LanguagePack = {
  name: 'lithuanian',
  code: 'lt',
  stem: stemmer,
  stopWords: stopwords,
  alphabet: 'ąčęėįšųūž',
  negations: {
    ahead: 'ne nėra nebuvo niekada niekas be nei',
    within: /^ne(\p{L}{3,})$/u,
    except: 'tik vien',
    or: 'ar arba',
  },
};

export const LITHUANIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'plg, pvz, t. y, šv, žr',
    numbered: 'g, lent, pav, psl',
  },
  figures: { afterNumber: 'pav', tables: 'lentelė' },
};
