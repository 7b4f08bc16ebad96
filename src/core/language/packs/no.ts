import { stemmer } from '@orama/stemmers/norwegian';
import { stopwords } from '@orama/stopwords/norwegian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const NORWEGIAN: LanguagePack = {
  name: 'norwegian',
  code: 'no',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  alphabet: 'æøåéô',
  negations: {
    ahead: 'ikke ikkje aldri ingen intet ingenting uten verken hverken',
    behindVerb: 'ikke ikkje aldri',
    except: 'bare kun',
    or: 'eller',
  },
  determiners: 'en et ei den det de denne dette hver',
  conjunctions: 'og eller men om som',
  dates: { to: 'til og', beforeYear: 'i år siden fra mellom', onlyBeforeYear: 'år' },
  definitions: {
    sentences: [
      '(?:en |et )?{term} er (?:en|et) \\p{L}{1,40},? (?:som|der|hvor|hvori|for)\\b{rest}',
      'med (?:en |et )?{term} (?:menes|forstås) {rest}',
    ],
    references: 'det|den',
    indefinite: 'en|et',
  },
  choices: { called: '', is: 'er' },
  tables: { captions: 'tabell' },
  hyphens: { conjunctions: 'og eller' },
  pageNumbers: { names: 'side', of: 'av' },
  pleaseWait: 'vent',
};

export const NORWEGIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'ekskl, f. eks, iflg, jf, pga, vedr',
  },
  figures: { names: 'figur(?:en|er|ene)?', pluralEndings: 'er', tables: 'tabell' },
  beforeLast: 'og',
};
