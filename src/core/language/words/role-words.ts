import type { RoleWords } from '../packs/pack.ts';
import { allLanguages } from './languages.ts';

/** Returns the words of all languages in a role. */
export function wordsInRole(role: keyof RoleWords): string[] {
  return allLanguages.flatMap(({ words }) => words?.[role].split(' ') ?? []).filter((word) => word !== '');
}
