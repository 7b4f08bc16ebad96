import type { DocumentWords, LanguageRules } from './pack.ts';

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
  dates: undefined,
  definitions: undefined,
  summaryRequests: undefined,
  noEvidence: undefined,
  choices: undefined,
  codeWords: '',
  inexactNumbers: '',
  units: undefined,
};

export const CZECH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'mj, např, popř, srov, tzv, Bc, Doc, JUDr, MUDr, MVDr, PaedDr, PhDr, RNDr',
    numbered: 'obr, odst, pozn, r, vyd, č, čl',
  },
  figures: { names: 'obr(?:ázek|ázku)?' },
};
