import type { LanguageRules } from './pack.ts';

export const korean: LanguageRules = {
  name: 'korean',
  code: 'ko',
  alphabet: '',
  negations: undefined,
  followUps: undefined,
  enumerations: undefined,
  determiners: '',
  conjunctions: '',
  backReferences: '',
  words: undefined,
  sections: {
    summaries: '초록',
    overviews: '',
    keywords: '',
  },
};
