import type { DocumentWords, LanguageRules } from './pack.ts';

export const latvian: LanguageRules = {
  name: 'latvian',
  code: 'lv',
  alphabet: 'āčēģīķļņšūž',
  negations: undefined,
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

export const LATVIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'piem',
    numbered: 'lpp',
  },
};
