import { stemmer } from '@orama/stemmers/tamil';
import { stopwords } from '@orama/stopwords/tamil';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const TAMIL: LanguagePack = {
  name: 'tamil',
  code: 'ta',
  stem: stemmer,
  stopWords: stopwords,
  negations: { behind: 'இல்லை அல்ல இன்றி இல்லாமல்', behindForm: /^[\p{L}\p{M}]+(?:வில்லை|தில்லை)$/u },
};

export const TAMIL_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'திரு',
  },
  figures: { uncasedNames: 'படம்' },
};
