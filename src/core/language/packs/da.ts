import { stemmer } from '@orama/stemmers/danish';
import { stopwords } from '@orama/stopwords/danish';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const DANISH: LanguagePack = {
  name: 'danish',
  code: 'da',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  alphabet: 'æøåéô',
  negations: {
    ahead: 'ikke ej aldrig ingen intet ingenting uden hverken',
    behindVerb: 'ikke ej aldrig',
    except: 'kun bare blot',
    or: 'eller',
  },
  determiners: 'en et den det de denne dette hver',
  conjunctions: 'og eller men om som',
  dates: { to: 'til og', beforeYear: 'i år siden fra mellem', onlyBeforeYear: 'år' },
  definitions: {
    sentences: [
      '(?:en |et )?{term} er (?:en|et) \\p{L}{1,40},? (?:som|der|hvor|hvori|for)\\b{rest}',
      'med (?:en |et )?{term} (?:menes|forstås) {rest}',
    ],
    references: 'det|den',
    indefinite: 'en|et',
  },
  choices: { called: '', is: 'er' },
  hyphens: { conjunctions: 'og eller' },
  pageNumbers: { names: 'side' },
  pleaseWait: 'vent',
};

export const DANISH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'fx, mht, Sct, Skt',
    numbered: 'pkt, stk, tlf',
    // "hr. Jensen", unlike hours.
    notAfterNumber: 'hr',
  },
  figures: { names: 'figur(?:en|er|ene)?', pluralEndings: 'er', tables: 'tabel' },
  beforeLast: 'og',
};
