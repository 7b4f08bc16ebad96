import type { LanguageRules } from './pack.ts';

export const czech: LanguageRules = {
  name: 'czech',
  code: 'cs',
  alphabet: 'áčďéěíňóřšťúůýž',
  negations: undefined,
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: undefined,
};
