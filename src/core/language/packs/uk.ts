import { stemmer } from '@orama/stemmers/ukrainian';
import { stopwords } from '@orama/stopwords/ukrainian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const UKRAINIAN: LanguagePack = {
  name: 'ukrainian',
  code: 'uk',
  stem: stemmer,
  stopWords: stopwords,
  negations: { ahead: 'не немає нема ні ніколи без ніхто ніщо нічого', except: 'тільки лише', or: 'або чи' },
  dates: { beforeYear: 'у від до', afterYear: 'року|рік|рр?\\.' },
  definitions: {
    sentences: ['{term} ?[–—-] це {rest}', '{term} (?:називають|називається) {rest}'],
    references: 'це|він',
  },
};

export const UKRAINIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'вул, див, т. зв, ім',
    numbered: 'бл, мал, розд, стор',
  },
  figures: { names: 'мал(?:юнок|юнк[аеуи])?', pluralEndings: 'и', tables: 'табл(?:иця)?' },
  beforeLast: 'і|та',
};
