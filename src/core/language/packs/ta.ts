import { stemmer } from '@orama/stemmers/tamil';
import { stopwords } from '@orama/stopwords/tamil';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const tamil: LanguagePack = {
  name: 'tamil',
  code: 'ta',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: '',
  negations: { behind: 'இல்லை அல்ல இன்றி இல்லாமல்', behindForm: /^[\p{L}\p{M}]+(?:வில்லை|தில்லை)$/u },
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
  dates: undefined,
  definitions: undefined,
  summaryRequests: undefined,
  noEvidence: undefined,
  choices: undefined,
  codeWords: '',
  inexactNumbers: '',
  units: undefined,
};

export const TAMIL_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'திரு',
  },
  figures: { uncasedNames: 'படம்' },
};
