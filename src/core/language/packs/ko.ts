import type { DocumentWords, LanguageRules } from './pack.ts';

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
  dates: undefined,
  definitions: {
    sentences: ['([^\\n,.]{2,30}?)(?:이?란) [^\\n]{4,600}$'],
    references: '이것|그것|그는',
  },
  summaryRequests: undefined,
  noEvidence: {
    statements: [],
    cells: '자료에 없음; 언급 없음',
  },
  choices: undefined,
  codeWords: '코드|함수',
  inexactNumbers: '',
  units: undefined,
};

export const KOREAN_DOCUMENT_WORDS: DocumentWords = {
  figures: { uncasedNames: '그림' },
};
