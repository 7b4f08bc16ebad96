import type { DocumentWords, LanguageRules } from './pack.ts';

export const CZECH: LanguageRules = {
  name: 'czech',
  code: 'cs',
  alphabet: 'áčďéěíňóřšťúůýž',
};

export const CZECH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'mj, např, popř, srov, tzv, Bc, Doc, JUDr, MUDr, MVDr, PaedDr, PhDr, RNDr',
    numbered: 'obr, odst, pozn, r, vyd, č, čl',
  },
  figures: { names: 'obr(?:ázek|ázku)?' },
};
