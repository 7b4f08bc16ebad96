import { stemmer } from '@orama/stemmers/indian';
import { stopwords } from '@orama/stopwords/indian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const HINDI: LanguagePack = {
  name: 'hindi',
  code: 'hi',
  stem: stemmer,
  stopWords: stopwords,
  negations: { ahead: 'नहीं नही न मत बिना', behindVerb: 'नहीं नही', except: 'केवल सिर्फ', or: 'या' },
  dates: { beforeYear: 'सन् वर्ष' },
  definitions: { sentences: ['{term} वह {rest} (?:है|हैं){rest}'] },
};

export const HINDI_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'डा, डॉ, पं, प्रो',
  },
  figures: { uncasedNames: 'चित्र', tables: 'तालिका' },
};
