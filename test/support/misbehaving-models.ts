// Models that misbehave at random, in the same way for the same seed.
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { seededRandom, wholeBelow } from './durability-random.ts';

const TOOLS = ['search', 'read', 'list-sources', 'compute', 'query-table', 'send-mail', 'nonsense'] as const;

interface MisbehavingModel extends LanguageModel {
  readonly counts: { requests: number };
}

/**
 * Returns a model whose random replies are garbage, huge texts, endless tool calls, broken JSON, plans of any kind,
 * lines, errors of its endpoint, silence, endless streams, and truncated text. `spend` advances the clock.
 */
export function misbehavingModel(seed: number, spend: (milliseconds: number) => void): MisbehavingModel {
  const random = seededRandom(seed);
  const below = (limit: number): number => wholeBelow(random, limit);
  const pickOne = <T>(all: readonly [T, ...T[]]): T => all[below(all.length)] ?? all[0];
  const counts = { requests: 0 };
  // Each model has its own habits: some fail often, and some call tools all the time.
  const failing = random() < 0.25 ? 0.15 : 0.01;
  const calling = random();
  let calls = 0;
  return {
    name: 'misbehaving',
    windowTokens: pickOne([undefined, 1_000, 4_000, 32_000, 200_000]),
    takesTools: pickOne([undefined, true, false]),
    counts,
    async *stream(messages, { signal, onToolCall, tools = [], onUsage }) {
      await Promise.resolve();
      counts.requests++;
      spend(below(60));
      if (random() < failing)
        throw pickOne([
          () => new NotebookError('unauthorized', 'The key was refused.'),
          () => new NotebookError('rate-limited', 'Too many requests.'),
          () => new NotebookError('server', 'The server failed.'),
          () => new NotebookError('timeout', 'Nothing came.'),
          () => new NotebookError('too-large', 'The prompt is too long.'),
          () => new NotebookError('no-tools', 'It takes no tools.'),
          () => new Error('socket hang up'),
        ])();
      if (random() < 0.004) {
        // The model never answers.
        await new Promise<void>((_, reject) => {
          const stop = (): void => {
            reject(new NotebookError('cancelled', 'Stopped'));
          };
          if (signal.aborted) stop();
          else signal.addEventListener('abort', stop, { once: true });
        });
      }
      if (random() < 0.01) {
        for (;;) {
          // The stream never ends, and ignores the signal.
          yield 'and so on and so forth, '.repeat(100);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      if (random() < 0.1) onUsage?.({ input: below(50_000), output: below(5_000) });
      const call = {
        name: pickOne(TOOLS),
        input: { queries: [`anything ${String(calls++)}`], sql: 'SELECT', expressions: '1/0' },
      };
      if (random() < calling * 0.8) {
        if (tools.length > 0) {
          for (let i = below(4); i >= 0; i--)
            onToolCall?.({
              ...call,
              id: String(calls++),
              ...(random() < 0.2 && { problem: 'It is no JSON.', input: {} }),
            });
          return;
        }
        yield `USE ${call.name} ${JSON.stringify(call.input)}`;
        return;
      }
      const reply = replyBy(random, messages.map(({ content }) => content).join('\n'));
      if (random() < 0.05) {
        yield reply.slice(0, below(reply.length + 1));
        throw new NotebookError('stream-cut', 'The reply was cut off.');
      }
      yield* reply.match(/[^]{1,4000}/g) ?? [];
    },
  };
}

function replyBy(random: () => number, replyText: string): string {
  const below = (limit: number): number => wholeBelow(random, limit);
  const sound = {
    steps: Array.from({ length: 1 + below(4) }, (_, i) => ({
      id: `s${String(i + 1)}`,
      action: ['search', 'write-section', 'compare', 'summarize'][below(4)],
      target: `What is said about subject ${String(below(99))}`,
      materials: i === 0 || random() < 0.5 ? ['sources'] : [`p${String(i)}`],
      tools: ['search', 'list-sources', 'compute'].slice(0, below(4)),
      produces: `p${String(i + 1)}`,
      quantity: random() < 0.2 ? 500 : -1,
    })),
    parts: [{ part: 'G1', product: 'p1' }],
  };
  const plan = `\`\`\`json\n${JSON.stringify(sound)}\n\`\`\``;
  const passage = />\n([^<]{20,2000})\n<\/passage/.exec(replyText)?.[1] ?? 'Nothing is known.';
  const bag: readonly (() => string)[] = [
    () => plan,
    () => plan,
    () => plan,
    () => plan.slice(0, below(plan.length)),
    () => `${passage} [1]`,
    () => `${passage} [1]`,
    () => passage.split(' ').toReversed().join(' '),
    () => '',
    () => '{"steps": [{"id": {"a": [',
    () => '[{'.repeat(below(3_000)),
    () => 'Let me think about that. '.repeat(below(10_000)),
    () => `<think>${'hmm '.repeat(below(2_000))}`,
    () => '| a | b |\n| --- | --- |\n'.repeat(below(300)),
    () => 'PROBLEM: It lacks everything.\nPROBLEM: It is wrong.',
    () => 'OK',
    () => String.fromCharCode(...Array.from({ length: below(500) }, () => below(65_535))),
    () => replyText.slice(-below(4_000)),
    () => 'Ünïcode 费用 \u202e reversed \u0000'.repeat(below(50)),
  ];
  return bag[below(bag.length)]?.() ?? '';
}
