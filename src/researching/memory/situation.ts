import type { ResearchMemory } from '../../notebook/research.ts';
import { termSet } from './likeness.ts';

/** What a notebook holds and what is open in the editor: titles. */
export type Situation = ResearchMemory['situation'];

/** Titles that are kept of a situation, and how long they may be, in UTF-16 code units. */
const MOST_TITLES = 60;
const LONGEST_TITLE = 120;

/** The situation as it is kept with a memory: each title once, the first of many. */
export function toSituation(
  sources: readonly { readonly title: string }[],
  open: readonly string[] = [],
): Situation {
  return { sources: titles(sources.map(({ title }) => title)), open: titles(open) };
}

function titles(all: readonly string[]): readonly string[] {
  const plain = all.map((title) => title.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE));
  return [...new Set(plain)].filter((title) => title !== '').slice(0, MOST_TITLES);
}

/** A situation's words, as they are compared: what is open stands among the sources. */
export function situationTerms({ sources, open }: Situation, language: number): ReadonlySet<string> {
  return new Set([...sources, ...open].flatMap((title) => [...termSet(title, language)]));
}
