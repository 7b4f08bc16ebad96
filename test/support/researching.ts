// Researches over a real index of small texts, with models that answer from a script.
import type { ChatMessage, LanguageModel, StreamOptions } from '../../src/answers/models/language-model.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type {
  Bounds,
  Plan,
  PlanStep,
  Product,
  Research,
  ResearchOptions,
  ResearchRecord,
} from '../../src/features/research/model/project.ts';
import type { BoardClient } from '../../src/features/research/service/board-client.ts';
import type { Skill, SkillLibrary } from '../../src/features/research/service/skills/skill.ts';
import { workOn } from '../../src/features/research/service/work/worker.ts';
import type { ResearchServices } from '../../src/features/research/service/work/services.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { findersOver } from './index-finder.ts';
import { boardClient } from './made-boards.ts';
import { makeFolder, open, silent } from './opened-notebooks.ts';
import { requestPurpose, type RequestPurpose } from './research-requests.ts';

/** Texts about the weather, with and without figures. */
export const weatherTexts = {
  'rain.md': '# Rain\n\nRain falls in spring. The record of rain is 305 mm in one hour, at Holt in 1947.',
  'snow.md':
    '# Snow\n\nSnow falls in winter. It melts above 0 degrees. The deepest snow lay 11.82 m deep at Mount Ibuki.',
  'fog.md': '# Fog\n\nFog is a cloud that touches the ground. Advection fog forms over cold water.',
};

/** A notebook with one source a text, by its title. */
export async function openWithTexts(texts: Readonly<Record<string, string>>): Promise<NotebookIndex> {
  const index = await open(makeFolder(), silent, { size: 1_500, overlap: 200 });
  for (const [title, text] of Object.entries(texts)) await addText(index, title, text);
  return index;
}

export async function addText(index: NotebookIndex, title: string, text: string): Promise<string> {
  const uri = `file:///notes/${title}`;
  const { id } = await index.addSource(
    title,
    { kind: 'file', uri },
    { key: '', uri, hash: `hash of ${text}`, size: text.length, modifiedAt: 1, document: readMarkdown(text) },
  );
  return id;
}

export async function removeSource(index: NotebookIndex, id: string): Promise<void> {
  await index.change(() => {
    index.store.removeSources([id]);
  });
}

export const search: Skill = {
  name: 'search',
  description: 'Finds passages of the sources.',
  input: {
    type: 'object',
    properties: { queries: { type: 'array', items: { type: 'string' } } },
    required: ['queries'],
  },
  run: async ({ queries }, { finder, signal }) => {
    const queryList = Array.isArray(queries) ? queries.map(String) : [String(queries)];
    const lists = await Promise.all(queryList.map((query) => finder.find(query, 4, signal)));
    const passages = lists.flat();
    return { text: `${String(passages.length)} passages.`, passages };
  },
};

const write: Skill = {
  name: 'write-section',
  description: 'Writes a text from its materials.',
  guide: 'Write what the step asks for, from its materials.',
};

const askUser: Skill = {
  name: 'ask-user',
  description: 'Asks the user.',
  guide: 'Answer.',
  isForUser: true,
};

export const library: SkillLibrary = { skills: [search, write, askUser], composed: [] };

export interface ScriptedRequest {
  readonly purpose: RequestPurpose | undefined;
  readonly messages: readonly ChatMessage[];
  readonly options: StreamOptions;
  /** Number of earlier requests with the same purpose. */
  readonly before: number;
}

export interface ScriptedModel extends LanguageModel {
  readonly requests: ScriptedRequest[];
}

/** Returns a model that answers each request with a function. Without an answer, it approves. */
export function scriptedModel(
  answer: (request: ScriptedRequest) => Promise<string | undefined> | string | undefined,
  more: Partial<LanguageModel> = {},
): ScriptedModel {
  const requests: ScriptedRequest[] = [];
  return {
    name: 'scripted-1',
    ...more,
    requests,
    async *stream(messages, options) {
      const purpose = requestPurpose(messages);
      const before = requests.filter((each) => each.purpose === purpose).length;
      const request = { purpose, messages, options, before };
      requests.push(request);
      const reply = (await answer(request)) ?? (purpose === 'self-check' ? 'OK' : '');
      for (const piece of reply.split(/(?<=\s)/)) yield piece;
    },
  };
}

/** Returns a model that answers each request for a step with a function, and approves otherwise. */
export function actingModel(
  answer: Parameters<typeof scriptedModel>[0],
  more: Partial<LanguageModel> = {},
): ScriptedModel {
  return scriptedModel((request) => (request.purpose === 'act' ? answer(request) : undefined), more);
}

/** The numbers of the passages that a model was shown, by words that they hold. */
export function numberOfPassage(messages: readonly ChatMessage[], words: string): string {
  const shown = messages.map(({ content }) => content).join('\n');
  for (const [, number = '', text = ''] of shown.matchAll(/<passage-\d+ n="(\d+)"[^>]*>\n([^<]*)/g))
    if (text.includes(words)) return `[${number}]`;
  return '';
}

export function makeServices(
  index: NotebookIndex,
  model: LanguageModel,
  more: Partial<ResearchServices> = {},
): ResearchServices {
  return {
    ...findersOver(index),
    sources: () => Promise.resolve(index.store.sources()),
    model,
    library,
    keepsUnsupported: false,
    verdictMarks: 'inline',
    now: Date.now,
    ...more,
  };
}

export function step(id: string, more: Partial<PlanStep> = {}): PlanStep {
  return {
    ...{
      id,
      action: 'write-section',
      target: `Write about ${id}`,
      materials: ['sources'],
      tools: ['search'],
    },
    ...{ produces: `${id}-text`, quantity: -1 },
    ...more,
  };
}

/** A research project on the board of a notebook, with accessors for tests. */
export interface TestResearch {
  readonly board: BoardClient;
  readonly researchId: string;
  now(): Research;
  product(id: string): Product | undefined;
  records(stepId?: string): readonly ResearchRecord[];
}

interface ResearchSettings {
  readonly goal?: string;
  readonly bounds?: Bounds;
  readonly options?: Partial<ResearchOptions>;
}

/** Adds a research, with a plan one that runs. */
export function addResearch(
  index: NotebookIndex,
  plan?: Plan,
  { goal = 'Find out', bounds = {}, options }: ResearchSettings = {},
): TestResearch {
  const { board } = index.features.researches;
  const { researchId } = board.addResearch({
    goal,
    bounds,
    options: { approves: false, keepsUnsupported: false, workers: 2, tools: [], ...options },
  });
  if (plan !== undefined) {
    board.setPlan({ researchId, plan, basedOn: 0 });
    board.changeResearch({ researchId, state: 'running' });
  }
  return {
    board: boardClient(board),
    researchId,
    now() {
      const research = board.research({ researchId });
      if (research === undefined) throw new Error('The research is gone.');
      return research;
    },
    product: (productId) => board.product({ researchId, productId }),
    records: (stepId) => board.records({ researchId, stepId }),
  };
}

/** Lets workers do the pending steps. */
export async function work(
  { board, researchId }: TestResearch,
  services: ResearchServices,
  signal = new AbortController().signal,
): Promise<void> {
  await workOn({ board, researchId, services, window: 'here', signal, onChange: () => undefined });
}

/** Returns a plan whose last step produces the goal. */
export function planWith(...steps: readonly PlanStep[]): Plan {
  return { steps, parts: [{ text: 'All of it', product: steps.at(-1)?.produces ?? '' }] };
}
