import type { DocumentWords, LanguageRules } from './pack.ts';

export const POLISH: LanguageRules = {
  name: 'polish',
  code: 'pl',
  alphabet: 'ąćęłńóśźż',
  choices: { called: 'odpowiedź' },
};

export const POLISH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'bł, ew, hab, inż, kpt, ks, m. in, mjr, np, pow, por, płk, św, tj, tzn, tzw, ul, woj, zob',
    numbered: 'godz, ok, pkt, poz, rozdz, rys, ust, wyd, zał',
    // "film pt. „Potop”", unlike points.
    notAfterNumber: 'pt',
  },
  figures: { names: 'rys(?:unek|unku)?' },
  beforeLast: 'oraz',
};
