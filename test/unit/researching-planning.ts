import type { ChatMessage, LanguageModel } from '../../src/answers/models/language-model.ts';
import type { PassageFinder } from '../../src/answers/retrieving/passage-finder.ts';
import type { FoundPassage } from '../../src/core/domain/passage.ts';
import {
  ALL_SOURCES,
  type GoalPart,
  type Plan,
  type PlanStep,
} from '../../src/features/research/model/project.ts';
import type { ComposedSkill, Skill, SkillLibrary } from '../../src/features/research/service/skills/skill.ts';
import { requestPurpose, type RequestPurpose } from '../support/research-requests.ts';

const run: Skill['run'] = () => Promise.resolve({ text: '' });

export function action(name: string, more: Partial<Skill> = {}): Skill {
  return { name, description: `How to ${name}.`, guide: `Do it: ${name}.`, ...more };
}

function tool(name: string): Skill {
  return { name, description: `A ${name} to work with.`, run };
}

/** A small version of the skill library of research projects. */
export const library: SkillLibrary = {
  skills: [
    action('search', { run }),
    action('extract'),
    action('compare'),
    action('write'),
    action('compute', { run }),
    { name: 'ask-user', description: 'Asks the user.', isForUser: true },
    tool('read-on'),
    tool('list-headings'),
  ],
  composed: [],
};

/** A skill library for Co-Voyager's world, with tools to work with and products to work on. */
export const minecraft: SkillLibrary = {
  skills: [
    action('gather'),
    action('smelt'),
    action('craft'),
    action('kill'),
    tool('crafting-table'),
    tool('furnace'),
    tool('stone-pickaxe'),
    tool('wooden-pickaxe'),
    tool('wooden-sword'),
  ],
  composed: [],
};

export function step(id: string, fields: Partial<PlanStep> = {}): PlanStep {
  return {
    id,
    action: 'search',
    target: `What the sources say about subject ${id.slice(1)} of the goal`.replace(
      /\d+/,
      (n) => `number-${n}`,
    ),
    materials: [ALL_SOURCES],
    tools: [],
    produces: `p${id.slice(1)}`,
    quantity: -1,
    ...fields,
  };
}

export function planWith(steps: readonly PlanStep[], ...ends: readonly (GoalPart | string)[]): Plan {
  const last = steps.at(-1)?.produces ?? '';
  const parts = ends.length === 0 ? [last] : ends;
  return {
    steps,
    parts: parts.map((end) => (typeof end === 'string' ? { text: 'The goal', product: end } : end)),
  };
}

export function makePassage(sourceId: string, ...headings: readonly string[]): FoundPassage {
  return {
    passageId: 1,
    documentId: 1,
    sourceId,
    score: 1,
    start: 0,
    end: 4,
    text: 'Text',
    headingSpans: [],
    format: 'markdown',
    languageId: undefined,
    headings,
    sourceTitle: `Report ${sourceId}`,
    documentTitle: '',
    documentKey: '',
  };
}

export function makeFinder(passages: readonly FoundPassage[] = []): PassageFinder {
  return {
    find: () => Promise.resolve(passages),
    gather: () => Promise.resolve({ passages, isAll: true }),
    places: () => Promise.resolve([]),
    overview: () => Promise.resolve(passages),
    at: () => Promise.resolve([]),
    cite: () => Promise.resolve([]),
  };
}

export interface Scripted extends LanguageModel {
  readonly asked: { readonly purpose: RequestPurpose; readonly messages: readonly ChatMessage[] }[];
}

/** Returns a model with scripted replies for each purpose. The last one repeats. */
export function scripted(
  replies: Partial<Record<RequestPurpose, readonly (Error | string)[]>>,
  more: Partial<LanguageModel> = {},
): Scripted {
  const requests: { readonly purpose: RequestPurpose; readonly messages: readonly ChatMessage[] }[] = [];
  return {
    name: 'scripted-1',
    asked: requests,
    ...more,
    async *stream(messages) {
      await Promise.resolve();
      const purpose = requestPurpose(messages)!;
      const count = requests.filter((each) => each.purpose === purpose).length;
      requests.push({ purpose, messages });
      const script =
        replies[purpose] ?? (purpose === 'plan' ? [] : ['{"objections": [], "parts": ["all of it"]}']);
      const reply = script[Math.min(count, script.length - 1)] ?? '';
      if (reply instanceof Error) throw reply;
      yield* reply.match(/[^]{1,40}/g) ?? [];
    },
  };
}

export function composedSkill(name: string, more: Partial<ComposedSkill>): ComposedSkill {
  return { name, description: `Does ${name}.`, inputs: [], steps: [], ...more };
}

export function fenced(value: unknown): string {
  return `Here it is.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`;
}
