import type { RoleWords } from '../packs/pack.ts';
import { ALL_LANGUAGES } from './languages.ts';

/** Returns the words of all languages in a role. */
export function wordsInRole(role: keyof RoleWords): string[] {
  return ALL_LANGUAGES.flatMap(({ words }) => words?.[role].split(' ') ?? []).filter((word) => word !== '');
}
