import type { ResearchMemory } from '../../notebook/research.ts';
import { likenessAmong, termSet } from './likeness.ts';
import { situationTerms, type Situation } from './situation.ts';

/** Memories that are looked through, the last kept first, and parts that are looked for. */
const MOST_MEMORIES = 500;
const MOST_PARTS = 24;
/** Less likeness than this is none: of goals without a like one among the memories, one in six finds any. */
const LEAST_ALIKE = 0.3;
/**
 * How much the situation counts beside the words. Chosen on half of the made goals of test/fixtures/research: of the
 * others, the right memory comes first for 9 of 9, for 25 of 27 without it where parts are left out, for none by the goal.
 */
const SHARE_OF_SITUATION = 1;

/** A memory that is of use, and the part of the goal that it was found by. */
export interface Recalled {
  readonly memory: ResearchMemory;
  readonly part: string;
  readonly score: number;
}

/**
 * The memories that help with parts of a goal, the best first, each once: for each part those whose goal, parts or steps
 * are like it, and of these the ones that were kept in the situation that is most like this one.
 */
export function recallMemories(
  parts: readonly string[],
  situation: Situation,
  memories: readonly ResearchMemory[],
  most = 3,
): readonly Recalled[] {
  const known = memories.slice(0, MOST_MEMORIES).map((memory) => ({
    memory,
    keys: [
      memory.goal,
      ...memory.plan.parts.map(({ text }) => text),
      ...memory.plan.steps.map(({ target }) => target),
    ].map(termSet),
    situation: situationTerms(memory.situation),
  }));
  const here = situationTerms(situation);
  const alike = likenessAmong(known.map(({ keys }) => union(keys)));
  const alikeThere = likenessAmong([here, ...known.map((each) => each.situation)]);
  const best = new Map<string, Recalled>();
  for (const part of parts.slice(0, MOST_PARTS)) {
    const terms = termSet(part);
    for (const { memory, keys, situation: there } of known) {
      const words = Math.max(...keys.map((key) => alike(terms, key)));
      if (words < LEAST_ALIKE) continue;
      const score = words + SHARE_OF_SITUATION * alikeThere(here, there);
      if (score > (best.get(memory.id)?.score ?? 0)) best.set(memory.id, { memory, part, score });
    }
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, most);
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
