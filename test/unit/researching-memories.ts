// Sample memories and goals of research projects.
import { readFileSync } from 'node:fs';
import { NOTHING_SPENT, type ResearchMemory } from '../../src/features/research/model/project.ts';
import type { Situation } from '../../src/features/research/service/memory/situation.ts';
import { planWith, step } from './researching-planning.ts';

export interface MemoryCase extends Situation {
  readonly goal: string;
  readonly parts: readonly string[];
  readonly memory: string;
}

interface MemorySet {
  readonly memories: readonly (Situation & {
    readonly id: string;
    readonly goal: string;
    readonly steps: readonly string[];
  })[];
  readonly queries: readonly MemoryCase[];
  readonly strangers: readonly Omit<MemoryCase, 'memory' | 'open' | 'sources'>[];
}

export const generated = JSON.parse(
  readFileSync(new URL('../fixtures/research/memories.json', import.meta.url), 'utf8'),
) as MemorySet;

export function makeMemory(
  id: string,
  goal: string,
  targets: readonly string[],
  situation: Situation,
): ResearchMemory {
  const steps = targets.map((target, i) => step(`s${String(i + 1)}`, { target }));
  return {
    id,
    goal,
    situation,
    plan: planWith(steps),
    products: {},
    spent: NOTHING_SPENT,
    keptAt: 1,
    isShared: false,
  };
}

export const memories = generated.memories.map(({ id, goal, steps, sources, open }) =>
  makeMemory(id, goal, steps, { sources, open }),
);
export const nowhere: Situation = { sources: [], open: [] };
