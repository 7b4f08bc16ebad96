import { stemmer } from '@orama/stemmers/armenian';
import { stopwords } from '@orama/stopwords/armenian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const ARMENIAN: LanguagePack = {
  name: 'armenian',
  code: 'hy',
  stem: stemmer,
  stopWords: stopwords,
  negations: {
    ahead: 'ոչ առանց չէ չեն չի չէր չէին չկա չկան',
    within: /^չ(\p{L}{3,})$/u,
    except: 'միայն',
    or: 'կամ',
  },
};

export const ARMENIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'օր',
  },
  figures: { names: 'նկար(?:ը|ում)?|նկ' },
};
