import { stemmer } from '@orama/stemmers/finnish';
import { stopwords } from '@orama/stopwords/finnish';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const FINNISH: LanguagePack = {
  name: 'finnish',
  code: 'fi',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  alphabet: 'äåöé',
  negations: { ahead: 'ei en et emme ette eivät eikä älä ilman', except: 'vain ainoastaan', or: 'tai' },
  dates: { beforeYear: 'vuonna vuodesta' },
  definitions: {
    sentences: ['{term} on \\p{L}{1,40}, jo(?:ka|ssa|lla|nka|ista)\\b{rest}'],
    references: 'tämä',
  },
  choices: { called: 'vastaus' },
  tables: { captions: 'taulukko' },
};

export const FINNISH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'esim, vrt',
    numbered: 'n, nro, puh, taul',
  },
  figures: { names: 'kuv(?:a|an|assa|asta|io|ion|iossa)', tables: 'taulukko' },
  beforeLast: 'ja',
};
