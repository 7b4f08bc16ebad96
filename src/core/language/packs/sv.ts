import { stemmer } from '@orama/stemmers/swedish';
import { stopwords } from '@orama/stopwords/swedish';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const SWEDISH: LanguagePack = {
  name: 'swedish',
  code: 'sv',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  alphabet: 'äåöé',
  negations: {
    ahead: 'inte ej icke aldrig ingen inget inga ingenting utan varken',
    behindVerb: 'inte ej icke aldrig',
    except: 'bara endast enbart',
    or: 'eller',
  },
  determiners: 'en ett den det de denna detta varje',
  conjunctions: 'och eller men om som',
  dates: { to: 'till och', beforeYear: 'i år sedan från mellan omkring', onlyBeforeYear: 'år' },
  definitions: {
    sentences: [
      '(?:en |ett )?{term} är (?:en|ett) \\p{L}{1,40},? (?:som|där|i vilken|för)\\b{rest}',
      'med (?:en |ett )?{term} (?:menas|avses) {rest}',
    ],
    references: 'det|den',
    indefinite: 'en|ett',
  },
  choices: { called: 'svaret', is: 'är' },
  formats: { tables: 'tabellan' },
  tables: { captions: 'tabell' },
  hyphens: { conjunctions: 'och eller' },
  pageNumbers: { names: 'sida', of: 'av' },
  pleaseWait: 'vänta',
};

export const SWEDISH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'bl. a, d. v. s, f. d, jfr, s. k, t. ex',
    numbered: 'fr. o. m, sid, t. o. m',
  },
  figures: { names: 'figur(?:en|er|erna)?|bild(?:er)?', pluralEndings: 'er|en', tables: 'tabell' },
  beforeLast: 'och',
};
