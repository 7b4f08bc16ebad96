// Researches over a real index of small texts, with models that answer from a script.
import type { ChatMessage, LanguageModel, StreamOptions } from '../../src/answering/models/language-model.ts';
import type { PassageFinder } from '../../src/answering/retrieving/passage-finder.ts';
import type { NotebookIndex } from '../../src/indexing/worker/notebook-index.ts';
import type { PlanStep } from '../../src/notebook/research.ts';
import type { Skill, SkillLibrary } from '../../src/researching/skills/skill.ts';
import { ACT } from '../../src/researching/work/actor.ts';
import { EXPLAIN, SELF_CHECK } from '../../src/researching/work/explain.ts';
import type { ResearchWorld } from '../../src/researching/work/world.ts';
import { readMarkdown } from '../../src/reading/markdown.ts';
import { makeFolder, open } from './opened-notebooks.ts';

/** A notebook with one source a text, by its title. */
export async function notebookOfTexts(texts: Readonly<Record<string, string>>): Promise<NotebookIndex> {
  const index = await open(makeFolder());
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

/** What answering asks of a notebook's index. */
export function finderOver(index: NotebookIndex): PassageFinder {
  return {
    find: (words, limit) => index.search(words, limit),
    gather: (searches, tokens) => index.gather({ searches: searches.map((words) => ({ words })), tokens }),
    places: (words) => index.places({ words }),
    overview: (about, limit) => Promise.resolve(index.passageSearch.overview(about, limit)),
    at: (places) => Promise.resolve(index.passageSearch.passagesAt(places)),
    cite: (requests) =>
      Promise.resolve(
        index.cited.cite(
          requests.map(({ number, passage, span }) => ({
            number,
            documentId: passage.documentId,
            passage: { start: passage.start, end: passage.end },
            span,
            quote: passage.text.slice(span.start - passage.start, span.end - passage.start),
          })),
        ),
      ),
  };
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
    const asked = Array.isArray(queries) ? queries.map(String) : [String(queries)];
    const lists = await Promise.all(asked.map((query) => finder.find(query, 4, signal)));
    const passages = lists.flat();
    return { text: `${String(passages.length)} passages.`, passages };
  },
};

export const write: Skill = {
  name: 'write',
  description: 'Writes a text from its materials.',
  guide: 'Write what the step asks for, from its materials.',
};

export const askUser: Skill = {
  name: 'ask-user',
  description: 'Asks the user.',
  guide: 'Answer.',
  isForUser: true,
};

export const library: SkillLibrary = { skills: [search, write, askUser], composed: [] };

export type Purpose = 'act' | 'explain' | 'other' | 'self-check';

/** What a request is for, by how its first message begins. */
export function purposeOf(messages: readonly ChatMessage[]): Purpose {
  const first = messages[0]?.content ?? '';
  if (first.startsWith(ACT)) return 'act';
  if (first.startsWith(EXPLAIN)) return 'explain';
  return first.startsWith(SELF_CHECK) ? 'self-check' : 'other';
}

export interface ScriptedRequest {
  readonly purpose: Purpose;
  readonly messages: readonly ChatMessage[];
  readonly options: StreamOptions;
  /** How many requests for the same there were before. */
  readonly before: number;
}

export interface ScriptedModel extends LanguageModel {
  readonly requests: ScriptedRequest[];
}

/** A model that answers each request by a function; without an answer it says that all is well. */
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
      const purpose = purposeOf(messages);
      const before = requests.filter((each) => each.purpose === purpose).length;
      const request = { purpose, messages, options, before };
      requests.push(request);
      const reply = (await answer(request)) ?? (purpose === 'self-check' ? 'OK' : '');
      for (const piece of reply.split(/(?<=\s)/)) yield piece;
    },
  };
}

/** The numbers of the passages that a model was shown, by words that they hold. */
export function numberOfPassage(messages: readonly ChatMessage[], words: string): string {
  const shown = messages.map(({ content }) => content).join('\n');
  for (const [, number = '', text = ''] of shown.matchAll(/<passage-\d+ n="(\d+)"[^>]*>\n([^<]*)/g))
    if (text.includes(words)) return `[${number}]`;
  return '';
}

export function worldOf(
  index: NotebookIndex,
  model: LanguageModel,
  more: Partial<ResearchWorld> = {},
): ResearchWorld {
  return {
    finder: finderOver(index),
    sources: () => Promise.resolve(index.store.sources()),
    model,
    library,
    keepsUnsupported: false,
    now: Date.now,
    ...more,
  };
}

export function step(id: string, more: Partial<PlanStep> = {}): PlanStep {
  return {
    ...{ id, action: 'write', target: `Write about ${id}`, materials: ['sources'], tools: ['search'] },
    ...{ produces: `${id}-text`, quantity: -1 },
    ...more,
  };
}
