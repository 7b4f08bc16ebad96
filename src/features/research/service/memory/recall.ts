import { setImmediate } from 'node:timers/promises';
import type { ResearchMemory } from '../../model/project.ts';
import { comparedLanguage } from '../../../../core/language/words/words.ts';
import { likenessTo, termSet } from './likeness.ts';
import { RECALL_WEIGHTS } from './recall-weights.ts';
import { situationTerms, type Situation } from './situation.ts';

/** Maximum number of searched memories, most recent first, of their terms, and of searched parts. */
const MAX_MEMORIES = 100;
const MAX_KEYS = 16;
const MAX_PARTS = 24;
/** Number of memories to process before yielding, because splitting words takes a while. */
const AT_ONCE = 8;

/** Useful memory, and the part of the goal that it matches. */
interface Recalled {
  readonly memory: ResearchMemory;
  readonly part: string;
  readonly score: number;
}

/**
 * Returns the memories that help with parts of a goal, best first, without duplicates. A memory matches a part if its
 * goal, parts, or steps are similar. Among these, memories from the most similar situation come first.
 */
export async function recallMemories(
  parts: readonly string[],
  situation: Situation,
  memories: readonly ResearchMemory[],
  limit = 3,
): Promise<readonly Recalled[]> {
  const known = memories.slice(0, MAX_MEMORIES);
  const goalParts = parts.slice(0, MAX_PARTS);
  const language = comparedLanguage(goalParts.join('\n'), known.map(({ goal }) => goal).join('\n'));
  const keys: ReadonlySet<string>[][] = [];
  for (const { goal, plan } of known) {
    if (keys.length % AT_ONCE === 0) await setImmediate();
    const words = [goal, ...plan.parts.map(({ text }) => text), ...plan.steps.map(({ target }) => target)];
    keys.push(words.slice(0, MAX_KEYS).map((each) => termSet(each, language)));
  }
  const owners = keys.flatMap((own, i) => own.map(() => i));
  const like = likenessTo(keys.flat(), keys.map(union));
  const situationTermSet = situationTerms(situation, language);
  const memoryTerms = known.map((memory) => situationTerms(memory.situation, language));
  const situations = likenessTo(memoryTerms, [situationTermSet, ...memoryTerms])(situationTermSet);
  const best = new Map<string, Recalled>();
  for (const part of new Set(goalParts))
    for (const [at, words] of like(termSet(part, language))) {
      const owner = owners[at] ?? -1;
      const memory = known[owner];
      if (memory === undefined || words < RECALL_WEIGHTS.leastAlike) continue;
      const score = words + RECALL_WEIGHTS.situation * (situations.get(owner) ?? 0);
      if (score > (best.get(memory.id)?.score ?? 0)) best.set(memory.id, { memory, part, score });
    }
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, limit);
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
