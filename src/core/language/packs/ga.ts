import { stemmer } from '@orama/stemmers/irish';
import { stopwords } from '@orama/stopwords/irish';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const IRISH: LanguagePack = {
  name: 'irish',
  code: 'ga',
  stem: stemmer,
  stopWords: stopwords,
  negations: { ahead: 'ní níl níor nach nár gan', except: 'amháin', or: 'nó' },
};

export const IRISH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'm. sh',
    numbered: 'lch, uimh',
  },
  figures: { names: 'fíor' },
};
