import type { LanguageRules } from './pack.ts';

export const ICELANDIC: LanguageRules = {
  name: 'icelandic',
  code: 'is',
  alphabet: 'áðéíóúýþæö',
};
