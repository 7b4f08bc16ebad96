import type { Research } from '../../src/features/research/model/project.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { misbehavingModel } from '../support/misbehaving-models.ts';
import { openAgentNotebook, runAgent, type AgentNotebook } from './agent-run.ts';
import { agentTasks } from './agent-tasks.ts';
import { printTable, quantile } from './table.ts';

/** Result of a research project with a misbehaving model. */
interface Runaway {
  readonly seed: number;
  readonly research: Research;
  /** Number of requests according to the model itself. */
  readonly requests: number;
  /** Problems with the result; empty if there are none. */
  readonly problems: readonly string[];
  /** Milliseconds. */
  readonly time: number;
}

/**
 * Runs a research project with a randomly misbehaving model, and checks that it stays within its budget and explains
 * its end.
 */
export async function runMisbehaving(notebook: AgentNotebook, seed: number): Promise<Runaway> {
  const random = seededRandom(seed * 7 + 3);
  const bounds = {
    requests: 5 + wholeBelow(random, 60),
    tokens: 20_000 + wholeBelow(random, 400_000),
    toolCalls: 1 + wholeBelow(random, 30),
    time: 200 + wholeBelow(random, 800),
  };
  let passed = 0;
  const now = (): number => Date.now() + passed;
  const model = misbehavingModel(seed, (milliseconds) => {
    passed += milliseconds;
  });
  const [task] = agentTasks();
  const run = await runAgent({ notebook, goal: task?.goal ?? '', model, bounds, now });
  const { research, time } = run;
  const { spent, state, reason, objections, steps } = research;
  const problems: string[] = [];
  if (state !== 'done' && state !== 'failed' && state !== 'paused') problems.push(`It ended as ${state}.`);
  if (state !== 'done' && !/[.!?]$/.test(reason?.trim() ?? '') && objections.length === 0)
    problems.push('Nothing says how it ended.');
  if (spent.requests > bounds.requests || model.counts.requests > bounds.requests)
    problems.push(`${String(model.counts.requests)} of ${String(bounds.requests)} requests.`);
  // The number of requests can't depend on the usage that the endpoint reports.
  if (spent.toolCalls > bounds.toolCalls)
    problems.push(`${String(spent.toolCalls)} of ${String(bounds.toolCalls)} tool calls.`);
  if (steps.some((step) => step.state === 'in-progress')) problems.push('A step is still held.');
  if (run.trapped > 0 && steps.every(({ tools }) => !tools.includes('send-mail')))
    problems.push('A tool was used that no step has.');
  return { seed, research, requests: model.counts.requests, problems, time };
}

/** Prints the results of `count` research projects with misbehaving models. */
export async function measureRunaways(count: number): Promise<void> {
  const [task] = agentTasks();
  const ends: Runaway[] = [];
  const began = performance.now();
  // A board with too many researches on it would be another measurement.
  for (let from = 1; from <= count; from += 50) {
    const notebook = await openAgentNotebook(task?.documents ?? []);
    try {
      for (let seed = from; seed < Math.min(count + 1, from + 50); seed++)
        ends.push(await runMisbehaving(notebook, seed));
    } finally {
      await notebook.close();
    }
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${String(count)} researches with models that misbehave by chance, in ${seconds.toFixed(0)} s; each has bounds of its own.`,
  );
  const byState = Map.groupBy(ends, ({ research }) => research.state);
  printTable(
    ['ended', 'researches', 'requests', 'at most', 'tool calls at most', 'ms, median', 'at most'],
    [...byState].map(([state, of]) => [
      state,
      String(of.length),
      String(
        quantile(
          of.map(({ requests }) => requests),
          0.5,
        ),
      ),
      String(Math.max(...of.map(({ requests }) => requests))),
      String(Math.max(...of.map(({ research }) => research.spent.toolCalls))),
      quantile(
        of.map(({ time }) => time),
        0.5,
      ).toFixed(0),
      Math.max(...of.map(({ time }) => time)).toFixed(0),
    ]),
  );
  const wrong = ends.filter(({ problems }) => problems.length > 0);
  console.log(
    `Beyond their bounds, or without a sentence that says why they ended: ${String(wrong.length)}.\n`,
  );
  for (const { seed, problems } of wrong.slice(0, 10)) console.log(`${String(seed)}: ${problems.join(' ')}`);
  if (wrong.length > 0) process.exitCode = 1;
}
