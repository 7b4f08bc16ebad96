import type { LanguageRules } from './pack.ts';

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
};
