import type { DocumentWords, LanguageRules } from './pack.ts';

export const SLOVAK: LanguageRules = {
  name: 'slovak',
  code: 'sk',
  alphabet: 'áäčďéíľĺňóôŕšťúýž',
};

export const SLOVAK_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'napr, t. j',
    numbered: 'ods',
  },
  figures: { names: 'obr(?:ázok)?' },
};
