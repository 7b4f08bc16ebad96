import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runMisbehaving } from '../bench/agent-runaway.ts';
import { openAgentNotebook } from '../bench/agent-run.ts';
import { agentTasks } from '../bench/agent-tasks.ts';
import { rounds } from '../support/test-size.mjs';

test('ends research projects with randomly misbehaving models within their limits, with a reason', async () => {
  const notebook = await openAgentNotebook(agentTasks()[0]?.documents ?? []);
  const states = new Set<string>();
  try {
    for (let seed = 1; seed <= rounds(12, 60); seed++) {
      const { research, problems } = await runMisbehaving(notebook, seed);
      assert.deepEqual(problems, [], `seed ${String(seed)}`);
      states.add(research.state);
    }
  } finally {
    await notebook.close();
  }
  // Otherwise they end before anything can go wrong.
  assert.ok(states.size > 1, [...states].join());
});
