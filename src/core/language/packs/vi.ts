import type { DocumentWords } from './pack.ts';

export const VIETNAMESE_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'PGS, ThS, TP',
  },
  figures: { names: 'hình' },
};
