import { stemmer } from '@orama/stemmers/nepali';
import { stopwords } from '@orama/stopwords/nepali';
import type { LanguagePack } from './pack.ts';

export const NEPALI: LanguagePack = {
  name: 'nepali',
  code: 'ne',
  stem: stemmer,
  stopWords: stopwords,
  negations: {
    ahead: 'बिना',
    behind: 'छैन छैनन् होइन होइनन् थिएन थिएनन् हुन्न',
    behindForm: /^[\p{L}\p{M}]+दैन(?:न्)?$/u,
  },
};
