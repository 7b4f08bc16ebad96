import type { LanguageRules } from './pack.ts';

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
};
