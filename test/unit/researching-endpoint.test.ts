// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { ModelTool } from '../../src/answers/models/language-model.ts';
import { openAiModel } from '../../src/answers/models/openai.ts';
import { openAgentNotebook, runAgent } from '../bench/agent-run.ts';
import { agentTasks } from '../bench/agent-tasks.ts';
import { startOpenAIServer, type ChatRequest, type Script } from '../support/openai-server.ts';
import { scriptedResearcher } from '../support/scripted-models.ts';

/** Returns the reply of a person who answers by hand, which is that of the sound model to the same messages. */
async function typed({ messages, tools }: ChatRequest): Promise<Script> {
  const reply: (string | { call: string; input: object })[] = [];
  const pieces = scriptedResearcher('good').stream(
    messages.map(({ role, content, calls, resultOf }) => ({
      role: role as 'assistant' | 'system' | 'user',
      content,
      ...(calls && {
        calls: calls.map(({ id, name, input }) => ({
          id,
          name,
          input: JSON.parse(input) as Readonly<Record<string, unknown>>,
        })),
      }),
      ...(resultOf !== undefined && { resultOf }),
    })),
    {
      signal: new AbortController().signal,
      tools: tools.map((name): ModelTool => ({ name, description: '', input: {} })),
      onToolCall: ({ name, input }) => reply.push({ call: name, input }),
    },
  );
  for await (const piece of pieces) reply.push(piece);
  return reply.length === 0 ? '' : reply;
}

for (const takesTools of [true, false])
  test(`runs a research project on an endpoint that someone answers by hand minutes later, by ${takesTools ? 'tools' : 'lines'}`, async () => {
    const task = agentTasks().find(({ name }) => name === 'chain of three facts');
    assert.ok(task);
    const notebook = await openAgentNotebook(task.documents);
    const MINUTES = 4;
    let answered = 0;
    const server = await startOpenAIServer({
      reply: async (request) => {
        // The claim on the step is renewed meanwhile.
        for (let passed = 0; passed < MINUTES * 60; passed += 20) {
          mock.timers.tick(20_000);
          await new Promise((resolve) => setImmediate(resolve));
        }
        answered++;
        if (!takesTools && request.tools.length > 0)
          return { status: 400, message: 'This model does not support tools.', param: 'tools' };
        return await typed(request);
      },
    });
    mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() });
    try {
      const { baseUrl } = server;
      const model = openAiModel({ baseUrl, name: 'by-hand', temperature: 0, takesTools: true });
      const bounds = { requests: 100, tokens: 1_000_000, toolCalls: 50, time: 24 * 3_600_000 };
      const run = await runAgent({ notebook, goal: task.goal, model, bounds, workers: 1 });
      const { state, reason, spent, steps } = run.research;
      assert.equal(state, 'done', reason);
      assert.deepEqual(
        steps.map(({ attempts }) => attempts),
        steps.map(() => 0),
        'nothing was lost while it was waited for',
      );
      assert.ok(spent.time >= answered * MINUTES * 60_000 * 0.8, String(spent.time));
      for (const { says } of task.facts)
        assert.ok(
          run.sentences.some(({ words }) => says.every((said) => words.includes(said))),
          run.report,
        );
      const used = server.chats.some(({ messages }) => messages.some(({ calls }) => calls !== undefined));
      assert.equal(used, takesTools);
      assert.ok(spent.toolCalls > 0);
    } finally {
      mock.timers.reset();
      await server.close();
      await notebook.close();
    }
  });
