import type { DocumentWords } from './pack.ts';

export const THAI_DOCUMENT_WORDS: DocumentWords = {
  figures: { uncasedNames: 'รูปที่|ภาพที่' },
};
