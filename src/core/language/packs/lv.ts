import type { DocumentWords, LanguageRules } from './pack.ts';

export const LATVIAN: LanguageRules = {
  name: 'latvian',
  code: 'lv',
  alphabet: 'āčēģīķļņšūž',
};

export const LATVIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'piem',
    numbered: 'lpp',
  },
};
