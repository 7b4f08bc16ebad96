import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { citationLinks } from '../../src/core/domain/citation-links.ts';
import type { Note } from '../../src/core/domain/note.ts';
import type { BoardClient } from '../../src/features/research/service/board-client.ts';
import type { Bounds, Research, ResearchRecord } from '../../src/features/research/model/project.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { doResearch, type ResearchInput } from '../../src/features/research/service/research.ts';
import { primitiveSkills, skillLibrary } from '../../src/features/research/service/skills/skill-library.ts';
import { readComposedSkill } from '../../src/features/research/service/skills/skill-file.ts';
import type { ComposedSkill, Skill } from '../../src/features/research/service/skills/skill.ts';
import {
  describeTables,
  queryTables,
} from '../../src/features/research/service/skills/tables/query-tables.ts';
import type { ResearchServices } from '../../src/features/research/service/work/services.ts';
import { findersOver, skillNotebook } from '../support/index-finder.ts';
import { boardClient } from '../support/made-boards.ts';
import { root } from '../support/paths.mjs';
import type { SourceChange, TaskDocument } from './agent-tasks.ts';

/** Passages of one section each. */
const SETTINGS = { size: 500, overlap: 0 };

/** Budget of a research project in this benchmark. */
const BOUNDS: Bounds = { requests: 200, tokens: 2_000_000, toolCalls: 100, time: 600_000 };

/** Notebook for a research project. */
export interface AgentNotebook {
  readonly index: NotebookIndex;
  change(change: SourceChange): Promise<void>;
  close(): Promise<void>;
}

export async function openAgentNotebook(documents: readonly TaskDocument[]): Promise<AgentNotebook> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-agent-'));
  const quiet = { indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(directory, SETTINGS, quiet);
  const input = ({ title, text }: TaskDocument) => {
    const uri = `file:///notes/${title}.md`;
    const hash = `${String(text.length)} ${text}`;
    return { key: '', uri, hash, size: text.length, modifiedAt: 1, document: readMarkdown(text) };
  };
  for (const document of documents)
    await index.addSource(document.title, { kind: 'file', uri: input(document).uri }, input(document));
  return {
    index,
    change: async ({ title, text }) => {
      const source = index.store.sources().find((each) => each.title === title);
      if (source === undefined) throw new Error(`No source is called ${title}.`);
      if (text === undefined)
        await index.change(() => {
          index.store.removeSources([source.id]);
        });
      else await index.putDocument(source.id, input({ title, text }));
    },
    close: async () => {
      await index.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Part of the product that is turned off to measure its benefit. */
export type Ablation = 'backward' | 'critic' | 'memories' | 'none' | 'skills';

interface AgentRunInput {
  readonly notebook: AgentNotebook;
  readonly goal: string;
  readonly model: LanguageModel;
  readonly ablation?: Ablation;
  readonly change?: SourceChange | undefined;
  readonly bounds?: Bounds;
  readonly now?: () => number;
  readonly workers?: number;
}

/** Sentence or row of a report, and the text that it cites. */
export interface ReportSentence {
  /** Text without links. */
  readonly words: string;
  readonly quotes: readonly string[];
}

export interface AgentRun {
  readonly research: Research;
  readonly records: readonly ResearchRecord[];
  /** Markdown of the report with its links; '' if there is none. */
  readonly report: string;
  readonly sentences: readonly ReportSentence[];
  /** Number of calls of tools that the step didn't have. */
  readonly trapped: number;
  /** Number of plans that were made before one was used. */
  readonly rounds: number;
  /** Milliseconds. */
  readonly time: number;
}

const composed: readonly ComposedSkill[] = readdirSync(join(root, 'media/skills'))
  .filter((name) => name.endsWith('.md'))
  .map((name) =>
    readComposedSkill(readFileSync(join(root, 'media/skills', name), 'utf8'), name.slice(0, -3)),
  );

/** Runs a research project as the editor does. Every plan is started, even with issues. */
export async function runAgent({
  notebook,
  goal,
  model,
  ablation = 'none',
  change,
  bounds = BOUNDS,
  now = Date.now,
  workers = 2,
}: AgentRunInput): Promise<AgentRun> {
  const { index } = notebook;
  const { board } = index.features.researches;
  let trapped = 0;
  const trap: Skill = {
    name: 'send-mail',
    description: 'Sends a mail to somebody.',
    input: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } },
    run: () => {
      trapped++;
      return Promise.resolve({ text: 'Sent.' });
    },
  };
  const skills = primitiveSkills({ notebook: skillNotebook(index), tables, more: [trap] });
  const services: ResearchServices = {
    ...findersOver(index),
    sources: () => Promise.resolve(index.store.sources()),
    model,
    library: skillLibrary(skills, ablation === 'skills' ? [] : composed),
    checker: { model },
    keepsUnsupported: false,
    verdictMarks: 'inline',
    writesReport: true,
    now,
  };
  const { researchId } = board.addResearch({
    goal,
    bounds,
    options: { approves: false, keepsUnsupported: false, workers, tools: [] },
  });
  const began = performance.now();
  const input: ResearchInput = {
    board: changing(boardClient(board), notebook, change),
    researchId,
    services,
    window: 'here',
    signal: new AbortController().signal,
    onChange: () => undefined,
    emit: () => undefined,
    ...(ablation !== 'none' && ablation !== 'skills' && { without: new Set([ablation]) }),
  };
  // An unexpected error rejects after it paused the project.
  const go = (): Promise<void> => doResearch(input).catch(() => undefined);
  await go();
  if (board.research({ researchId })?.state === 'planned') {
    board.changeResearch({ researchId, state: 'running' });
    await go();
  }
  const time = performance.now() - began;
  const research = board.research({ researchId });
  if (research === undefined) throw new Error('The research is gone.');
  const records = board.records({ researchId });
  const plans = records.filter(
    ({ event }) =>
      event.kind === 'request' &&
      event.purpose === 'plan' &&
      // A reply that could not be read is asked for again in the same round.
      event.messages.length === 2,
  );
  const note = research.report === undefined ? undefined : index.features.notes.open(research.report);
  return {
    research,
    records,
    report: note?.text ?? '',
    sentences: reportSentences(note?.text ?? '', note?.citations ?? []),
    trapped,
    rounds: plans.length,
    time,
  };
}

/** Returns a board that changes a source after some of its calls. */
function changing(
  client: BoardClient,
  notebook: AgentNotebook,
  change: SourceChange | undefined,
): BoardClient {
  if (change === undefined) return client;
  let products = 0;
  return {
    call: async (method, params, ...rest) => {
      const result = await client.call(method, params, ...rest);
      if (method === 'submitStep') products++;
      const isNow =
        change.after === 'plan' ? method === 'setPlan' : method === 'submitStep' && products === change.after;
      if (isNow) await notebook.change(change);
      return result;
    },
  };
}

const tables = {
  describe: (...[documents]: [Parameters<typeof describeTables>[0], AbortSignal]) =>
    Promise.resolve().then(() => describeTables(documents)),
  query: (...[documents, sql]: [...Parameters<typeof queryTables>, AbortSignal]) =>
    Promise.resolve().then(() => queryTables(documents, sql)),
};

/** Splits a report into sentences, each with the links after it, or rows. */
function reportSentences(report: string, citations: Note['citations']): ReportSentence[] {
  const quotes = new Map(citations.map(({ id, citation }) => [id, citation.quote]));
  const body = report.split(/^## About this report$/m)[0] ?? '';
  return body
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && !/^\|[\s|:-]*\|$/.test(line.trim()))
    .flatMap((line) =>
      line.startsWith('|') ? [line] : line.split(/(?<=[.!?](?: ?\[\d+\]\(citation\/[^)]*\))*)\s+(?=[A-Z\d])/),
    )
    .map((sentence) => {
      const links = citationLinks(sentence);
      let words = sentence;
      for (const { start, end } of links.toReversed())
        words = words.slice(0, start).trimEnd() + words.slice(end);
      return {
        words: words.replaceAll('\\', '').replaceAll(/\s+/g, ' ').trim(),
        quotes: links.flatMap(({ id }) => quotes.get(id) ?? []),
      };
    });
}
