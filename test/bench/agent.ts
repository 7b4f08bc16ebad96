import { writeFileSync } from 'node:fs';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { nextToLookAt } from '../../src/features/research/service/memory/curriculum.ts';
import { plainWords, SCRIPTS, scriptedResearcher, type Script } from '../support/scripted-models.ts';
import {
  openAgentNotebook,
  runAgent,
  type Ablation,
  type AgentNotebook,
  type AgentRun,
  type ReportSentence,
} from './agent-run.ts';
import {
  agentTasks,
  ORDERED_SENTENCE,
  type AgentTask,
  type KnownFact,
  type TaskKind,
} from './agent-tasks.ts';
import { measureRunaways } from './agent-runaway.ts';
import { endpointModel } from './endpoint-model.ts';
import { printTable } from './table.ts';
import { Coverage } from '../../src/features/research/store/coverage.ts';

/*
 * Whole researches, from the goal to the report, over made notebooks whose facts are known: by the engine that the editor
 * runs, with its index, board and skills. The models follow rules, so that the figures tell what the engine makes of a
 * sound, an erring or a lying model, and not how good a model is; with `--model endpoint` a real one is asked.
 */

/** Number of proposed goals that are researched one after the other in one notebook. */
const LOOKS = 6;
const KINDS: readonly TaskKind[] = ['long-term', 'dynamic', 'exploration'];
const ABLATIONS: readonly Ablation[] = ['none', 'critic', 'memories', 'skills', 'backward'];
const ABLATED: readonly Script[] = ['errs', 'good'];

/** Number of research projects with randomly misbehaving models. */
const RUNAWAYS = 1_000;

/** Model for one task, and its known false statements. */
interface Candidate {
  readonly name: string;
  readonly make: () => { readonly model: LanguageModel; readonly lies: ReadonlySet<string> };
}

interface Outcome {
  readonly task: string;
  readonly kind: TaskKind;
  readonly isDone: boolean;
  /**
   * Number of sentences and rows of the reports that cite something or are known to be false, and the number of false
   * ones.
   */
  readonly told: number;
  readonly falseTold: number;
  /** Number of false sentences that the model submitted. */
  readonly lies: number;
  readonly citations: number;
  readonly rounds: number;
  readonly requests: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** Milliseconds. */
  readonly time: number;
  readonly trapped: number;
  /** Share of the passages that products cite. */
  readonly coverage: number;
  /** Reasons of the research projects that ended without a report. */
  readonly reasons: readonly string[];
}

/** Measures research projects, and checks that none exceeds its limits. */
export async function measureAgent(modelName: string | undefined, out: string | undefined): Promise<void> {
  const candidates = candidatesFor(modelName);
  if (candidates === undefined) return;
  const tasks = agentTasks();
  console.log(
    `${String(tasks.length)} tasks over made notebooks, each in a notebook of its own; explorations of ${String(LOOKS)} goals each, proposed by what was not looked at yet.`,
  );
  const all: { readonly model: string; readonly outcomes: readonly Outcome[] }[] = [];
  for (const candidate of candidates) {
    const outcomes: Outcome[] = [];
    for (const task of tasks) outcomes.push(await doTask(task, candidate, 'none'));
    all.push({ model: candidate.name, outcomes });
  }
  printTable(
    ['kind', 'model', ...HEADS, 'coverage'],
    KINDS.flatMap((kind) =>
      all.map(({ model, outcomes }) => {
        const own = outcomes.filter((outcome) => outcome.kind === kind);
        return [kind, model, ...makeRow(own), percent(mean(own.map(({ coverage }) => coverage)))];
      }),
    ),
  );
  for (const { model, outcomes } of all) {
    const left = outcomes.filter(({ isDone }) => !isDone);
    if (left.length === 0) continue;
    const names = Map.groupBy(left, ({ task }) => task);
    const nameCounts = [...names].map(
      ([name, of]) => `${name}${of.length > 1 ? ` (${String(of.length)})` : ''}`,
    );
    console.log(`${model}: not done: ${nameCounts.join(', ')}.`);
  }
  console.log('');

  const ablations: { model: string; ablation: Ablation; outcomes: Outcome[] }[] = [];
  const ablated =
    modelName === 'endpoint'
      ? []
      : candidates.filter(({ name }) => ABLATED.some((script) => script === name));
  if (ablated.length > 0) {
    console.log(
      'Without one part each, long-term tasks one after the other in one notebook a kind of goal, so that memories are there; somebody starts each plan, whatever is said against it.',
    );
    for (const candidate of ablated)
      for (const ablation of ABLATIONS) {
        const outcomes: Outcome[] = [];
        for (const task of tasks.filter(({ kind }) => kind === 'long-term'))
          outcomes.push(await doTask(task, candidate, ablation, findMemories(task)));
        ablations.push({ model: candidate.name, ablation, outcomes });
      }
    printTable(
      ['model', 'without', ...HEADS],
      ablations.map(({ model, ablation, outcomes }) => [
        model,
        ablation === 'none' ? 'nothing' : ablation,
        ...makeRow(outcomes),
      ]),
    );
  }
  if (modelName === undefined) await measureRunaways(RUNAWAYS);
  console.log(
    'No other tool that can be run here does the same offline over sources of one’s own with a model that follows rules. As published: GPT Researcher, in its own benchmark, 62.9 citations a report, 35.2 of them supported; open_deep_research, 58 to 207 million tokens for 100 tasks.',
  );
  if (out !== undefined) writeFileSync(out, `${JSON.stringify({ all, ablations }, null, 2)}\n`);
}

/** Runs a research project with a similar goal first, so that its plan is remembered. */
function findMemories(task: AgentTask): AgentTask | undefined {
  return (
    agentTasks().find(
      ({ name, kind, goal }) => kind === task.kind && name === task.name && goal !== task.goal,
    ) ??
    agentTasks().find(
      ({ name, goal }) => name.split(' ')[0] === task.name.split(' ')[0] && goal !== task.goal,
    )
  );
}

function candidatesFor(modelName: string | undefined): readonly Candidate[] | undefined {
  if (modelName === 'endpoint') {
    const model = endpointModel();
    if (model === undefined) return undefined;
    const { name } = model;
    return [{ name, make: () => ({ model, lies: new Set() }) }];
  }
  const scripts = SCRIPTS.filter((script) => modelName === undefined || script === modelName);
  if (scripts.length === 0) {
    console.error(
      `There is no scripted model "${modelName ?? ''}". There are: ${SCRIPTS.join(', ')}, endpoint.`,
    );
    process.exitCode = 1;
    return undefined;
  }
  return scripts.map((script) => ({
    name: script,
    make: () => {
      const model = scriptedResearcher(script);
      return { model, lies: model.lies };
    },
  }));
}

async function doTask(
  task: AgentTask,
  candidate: Candidate,
  ablation: Ablation,
  before?: AgentTask,
): Promise<Outcome> {
  const notebook = await openAgentNotebook([
    ...task.documents,
    ...(before?.documents.filter(({ title }) => task.documents.every((own) => own.title !== title)) ?? []),
  ]);
  try {
    if (before !== undefined)
      await runAgent({ notebook, goal: before.goal, model: candidate.make().model, ablation });
    const { model, lies } = candidate.make();
    const { runs, isDone } =
      task.kind === 'exploration'
        ? await explore(notebook, model)
        : await research(task, notebook, model, ablation);
    const texts = joinTexts(notebook);
    const sentences = runs.flatMap((run) => run.sentences);
    const sum = (of: (run: AgentRun) => number): number => runs.reduce((all, run) => all + of(run), 0);
    return {
      task: task.name,
      kind: task.kind,
      isDone,
      told: sentences.filter((one) => one.quotes.length > 0 || isFalse(one, task, lies, texts)).length,
      falseTold: sentences.filter((one) => isFalse(one, task, lies, texts)).length,
      lies: lies.size,
      citations: sum(({ sentences }) => sentences.reduce((all, { quotes }) => all + quotes.length, 0)),
      rounds: sum(({ rounds }) => rounds),
      requests: sum(({ research: { spent } }) => spent.requests),
      toolCalls: sum(({ research: { spent } }) => spent.toolCalls),
      tokens: sum(({ research: { spent } }) => spent.tokens),
      time: sum(({ time }) => time),
      trapped: sum(({ trapped }) => trapped),
      coverage: await measureCoverage(notebook),
      reasons: runs.flatMap(({ research: { reason } }) => reason ?? []),
    };
  } finally {
    await notebook.close();
  }
}

async function research(
  task: AgentTask,
  notebook: AgentNotebook,
  model: LanguageModel,
  ablation: Ablation,
): Promise<{ runs: readonly AgentRun[]; isDone: boolean }> {
  const { goal, change, facts, stale = [], mayBeGone } = task;
  const run = await runAgent({ notebook, goal, model, ablation, change });
  const tellsStale = stale.some((fact) => run.sentences.some(({ words }) => saysAll(words, fact.says)));
  const isGone =
    `${run.report}\n${run.research.reason ?? ''}`.includes('no longer in the notebook') ||
    run.report.includes('No longer in the notebook');
  const isDone =
    mayBeGone === true
      ? isGone && (!tellsStale || run.report !== '')
      : facts.every((fact) => holds(run, fact)) && !tellsStale;
  return { runs: [run], isDone };
}

/** Researches proposed goals one after the other, until each section with a statement was cited. */
async function explore(
  notebook: AgentNotebook,
  model: LanguageModel,
): Promise<{ runs: readonly AgentRun[]; isDone: boolean }> {
  const { index } = notebook;
  const runs: AgentRun[] = [];
  let isDone = true;
  for (let look = 0; look < LOOKS; look++) {
    const counts = await new Coverage(index.sql).counts(undefined);
    const researches = index.features.researches.board.researches();
    const [next] = nextToLookAt({ counts, questions: new Coverage(index.sql).pastQuestions(50), researches });
    if (next === undefined) break;
    const before = await measureCoverage(notebook);
    runs.push(await runAgent({ notebook, goal: next.goal, model }));
    const saysNothing = /\bnotice\b/.test(next.goal);
    if (!saysNothing && (await measureCoverage(notebook)) <= before) isDone = false;
  }
  return { runs, isDone: isDone && runs.length > 0 };
}

async function measureCoverage({ index }: AgentNotebook): Promise<number> {
  const { documents } = await new Coverage(index.sql).counts(undefined);
  const count = (of: 'cited' | 'passages'): number => documents.reduce((sum, one) => sum + one[of], 0);
  return count('passages') === 0 ? 0 : count('cited') / count('passages');
}

function joinTexts({ index }: AgentNotebook): string {
  return index.store
    .sources()
    .flatMap(({ id }) => index.store.documents.ofSource(id))
    .map(({ id }) => index.cited.document(id).text)
    .join('\n');
}

/** Reports whether a text contains each of these texts, numbers only as whole numbers. */
function saysAll(words: string, says: readonly string[]): boolean {
  return says.every((statement) =>
    /^\d/.test(statement)
      ? new RegExp(`(?<![\\d,.])${statement}(?![\\d]|,\\d)`).test(words.replace(/\.0\b/g, ''))
      : words.includes(statement),
  );
}

function holds({ sentences, report }: AgentRun, { says, held }: KnownFact): boolean {
  return sentences.some(
    ({ words, quotes }) =>
      saysAll(words, says) &&
      (held === undefined
        ? quotes.length > 0 || report.includes('Computed from figures of the sources:')
        : quotes.some((quote) => saysAll(quote, [held]))),
  );
}

/**
 * Reports whether a sentence is known to be false: the model invented it, a source instructed it, or it has a number
 * that no source has and that doesn't follow from the sources.
 */
function isFalse(
  { words }: ReportSentence,
  { facts }: AgentTask,
  lies: ReadonlySet<string>,
  texts: string,
): boolean {
  const plain = plainWords(words);
  if (plain.includes(ORDERED_SENTENCE)) return true;
  for (const lie of lies) if (plain.includes(lie) || lie === plain) return true;
  const computed = facts.flatMap(({ says, held }) => (held === undefined ? says : []));
  return (plain.match(/\d[\d,]*/g) ?? []).some(
    (figure) => !saysAll(texts, [figure.replace(/,$/, '')]) && !computed.includes(figure),
  );
}

const HEADS = [
  ...['done', 'sentences', 'true', 'lies', 'false told', 'citations', 'rounds', 'requests', 'tools'],
  ...['trapped', 'k tokens', 'ms a task'],
];

function makeRow(outcomes: readonly Outcome[]): string[] {
  const total = (of: (outcome: Outcome) => number): number => outcomes.reduce((sum, one) => sum + of(one), 0);
  const each = (of: (outcome: Outcome) => number): string => (total(of) / outcomes.length).toFixed(1);
  return [
    `${String(total(({ isDone }) => (isDone ? 1 : 0)))} of ${String(outcomes.length)}`,
    String(total(({ told }) => told)),
    percent(1 - total(({ falseTold }) => falseTold) / total(({ told }) => told)),
    String(total(({ lies }) => lies)),
    String(total(({ falseTold }) => falseTold)),
    String(total(({ citations }) => citations)),
    each(({ rounds }) => rounds),
    each(({ requests }) => requests),
    each(({ toolCalls }) => toolCalls),
    String(total(({ trapped }) => trapped)),
    each(({ tokens }) => tokens / 1000),
    each(({ time }) => time),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function percent(share: number): string {
  return Number.isNaN(share) ? '' : `${(share * 100).toFixed(1)} %`;
}
