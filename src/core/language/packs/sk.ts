import type { DocumentWords, LanguageRules } from './pack.ts';

export const slovak: LanguageRules = {
  name: 'slovak',
  code: 'sk',
  alphabet: 'áäčďéíľĺňóôŕšťúýž',
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

export const SLOVAK_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'napr, t. j',
    numbered: 'ods',
  },
  figures: { names: 'obr(?:ázok)?' },
};
