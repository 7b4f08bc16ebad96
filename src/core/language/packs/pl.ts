import type { LanguageRules } from './pack.ts';

export const polish: LanguageRules = {
  name: 'polish',
  code: 'pl',
  alphabet: 'ąćęłńóśźż',
  negations: undefined,
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
