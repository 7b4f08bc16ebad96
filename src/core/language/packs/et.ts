import type { LanguageRules } from './pack.ts';

export const estonian: LanguageRules = {
  name: 'estonian',
  code: 'et',
  alphabet: 'äöüõšž',
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
