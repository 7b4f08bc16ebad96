import type { ResearchMemory } from '../../model/project.ts';
import { termSet } from './likeness.ts';

/** Titles of the notebook's sources and of the open editors. */
export type Situation = ResearchMemory['situation'];

/** Maximum number of stored titles, and their maximum length in UTF-16 code units. */
const MAX_TITLES = 60;
const MAX_TITLE_LENGTH = 120;

/** Converts titles to the situation stored with a memory. Removes duplicates and keeps the first ones. */
export function toSituation(
  sources: readonly { readonly title: string }[],
  open: readonly string[] = [],
): Situation {
  return { sources: titles(sources.map(({ title }) => title)), open: titles(open) };
}

function titles(texts: readonly string[]): readonly string[] {
  const plain = texts.map((title) => title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH));
  return [...new Set(plain)].filter((title) => title !== '').slice(0, MAX_TITLES);
}

/** Returns the terms of a situation for comparison. Open titles count like sources. */
export function situationTerms({ sources, open }: Situation, language: number): ReadonlySet<string> {
  return new Set([...sources, ...open].flatMap((title) => [...termSet(title, language)]));
}
