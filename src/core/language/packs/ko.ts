import type { DocumentWords, LanguageRules } from './pack.ts';

export const KOREAN: LanguageRules = {
  name: 'korean',
  code: 'ko',
  sections: {
    summaries: '초록',
    overviews: '',
    keywords: '',
  },
  definitions: {
    sentences: ['([^\\n,.]{2,30}?)(?:이?란) [^\\n]{4,600}$'],
    references: '이것|그것|그는',
  },
  noEvidence: {
    statements: [],
    cells: '자료에 없음; 언급 없음',
  },
  codeWords: '코드|함수',
};

export const KOREAN_DOCUMENT_WORDS: DocumentWords = {
  figures: { uncasedNames: '그림' },
};
