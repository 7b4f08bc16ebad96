import { stemmer } from '@orama/stemmers/bulgarian';
import { stopwords } from '@orama/stopwords/bulgarian';
import type { DocumentWords, LanguagePack } from './pack.ts';

/** Stems a word. Words for which the library's stemmer fails stay unchanged. */
function stem(word: string): string {
  try {
    return stemmer(word);
  } catch {
    // The library fails for some words.
    return word;
  }
}

export const BULGARIAN: LanguagePack = {
  name: 'bulgarian',
  code: 'bg',
  stem,
  stopWords: stopwords,
  negations: { ahead: 'не няма нямаше никога без нито никой нищо', except: 'само', or: 'или' },
  dates: { beforeYear: 'през от година', afterYear: 'година|г' },
  definitions: { sentences: ['{term} ?[–—-] това е {rest}'] },
};

export const BULGARIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'бул, вж, т. нар',
    numbered: 'ал, фиг, чл',
    // "гр. София", unlike grams.
    notAfterNumber: 'гр',
  },
  figures: { names: 'фиг(?:ура|ури)?', pluralEndings: 'и', tables: 'таблица' },
  beforeLast: 'и',
};
