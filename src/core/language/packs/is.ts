import type { LanguageRules } from './pack.ts';

export const icelandic: LanguageRules = {
  name: 'icelandic',
  code: 'is',
  alphabet: 'áðéíóúýþæö',
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
