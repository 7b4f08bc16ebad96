import type { LanguageRules } from './pack.ts';

export const ESTONIAN: LanguageRules = {
  name: 'estonian',
  code: 'et',
  alphabet: 'äöüõšž',
};
