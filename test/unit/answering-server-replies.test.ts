// Tests that replies of many servers, as they send them, result in the same answers, calls, errors, and lists.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { listModels } from '../../src/answers/models/list-models.ts';
import type { ToolCall } from '../../src/answers/models/language-model.ts';
import { embedTexts } from '../../src/answers/models/openai-embeddings.ts';
import { openAiModel } from '../../src/answers/models/openai.ts';
import { readServerEvents } from '../../src/answers/models/server-events.ts';
import { readErrorBody } from '../../src/answers/models/server-replies.ts';
import { withoutThinking } from '../../src/answers/models/without-thinking.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { TIMEOUT_MS } from '../support/until.ts';

const { signal } = new AbortController();

/** Response of a server: a stream of text, or JSON. */
interface Response {
  readonly status?: number;
  readonly stream?: readonly (string | Uint8Array)[];
  readonly json?: unknown;
}

type Body = Readonly<Record<string, unknown>> & {
  readonly messages: readonly { readonly role: string }[];
  readonly input: readonly string[];
};

async function serve(context: TestContext, reply: (body: Body) => Response): Promise<string> {
  const server = await startLoopbackServer(({ body }, response) => {
    const { status = 200, stream, json } = reply((body === '' ? {} : JSON.parse(body)) as Body);
    response.writeHead(status, {
      'content-type': stream === undefined ? 'application/json' : 'text/event-stream',
      'retry-after-ms': '1',
    });
    for (const piece of stream ?? []) response.write(piece);
    response.end(stream === undefined ? JSON.stringify(json) : '');
    return Promise.resolve();
  });
  context.after(() => server.close());
  return `${server.url}/v1`;
}

interface AnswerParts {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: unknown;
  readonly error: string | undefined;
}

async function ask(context: TestContext, reply: (body: Body) => Response): Promise<AnswerParts> {
  const model = openAiModel({ baseUrl: await serve(context, reply), name: 'm', temperature: 0.2 });
  const calls: ToolCall[] = [];
  let usage: unknown;
  let text = '';
  try {
    const pieces = model.stream(
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'When?' },
      ],
      {
        signal,
        tools: [{ name: 'look', description: 'Looks.', input: { type: 'object', properties: {} } }],
        onToolCall: (call) => {
          calls.push(call);
        },
        onUsage: (told) => {
          usage = told;
        },
      },
    );
    for await (const piece of withoutThinking(pieces)) text += piece;
  } catch (error) {
    assert.ok(error instanceof NotebookError, String(error));
    assert.match(error.message, /^[A-Z\w:/.]+ .*[.]$/s);
    return { text, calls, usage, error: error.code };
  }
  return { text, calls, usage, error: undefined };
}

const event = (value: unknown): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, finish_reason: unknown = null, more: object = {}): string =>
  event({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more });
const DONE = event('[DONE]');
const END = [chunk({}, 'stop'), DONE];
const ANSWER = [chunk({ role: 'assistant', content: 'It leaves ' }), chunk({ content: 'at nine.' })];

describe('an answer', () => {
  const cases: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
    'OpenAI: roles and content apart': [chunk({ role: 'assistant', content: null }), ...ANSWER, ...END],
    'Azure: the filter’s results before and between the words': [
      event({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }),
      chunk({ content: 'It leaves ' }),
      event({ id: '', choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] }),
      chunk({ content: 'at nine.' }),
      ...END,
    ],
    'vLLM: usage without choices': [...ANSWER, chunk({}, 'stop'), event({ choices: null, usage: {} }), DONE],
    'llama.cpp: no delta at the end': [...ANSWER, chunk(null, 'stop'), DONE],
    'LM Studio: no reason at the end': [...ANSWER, DONE],
    'Groq: an empty reason until the end': [
      chunk({ content: 'It leaves ' }, ''),
      chunk({ content: 'at nine.' }, ''),
      DONE,
    ],
    'Ollama: no blank line at the end': [...ANSWER, chunk({}, 'stop').trimEnd()],
    'Ollama: one value in each line': [
      '{"message":{"role":"assistant","content":"It leaves "},"done":false}\n',
      '{"message":{"role":"assistant","content":"at nine."},"done":true,"done_reason":"stop"}\n',
    ],
    'OpenRouter: comments and line ends of Windows': [
      ': OPENROUTER PROCESSING\r\n\r\n',
      ...[...ANSWER, ...END].map((text) => text.replaceAll('\n', '\r\n')),
    ],
    'Anthropic: pings': ['event: ping\ndata: {"type": "ping"}\n\n', event({}), ...ANSWER, ...END],
    'together.ai: no blank lines': [[...ANSWER, ...END].join('').replaceAll('\n\n', '\n')],
    'Mistral: content in parts, of which one is reasoning': [
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Nine, I think.' }] }] }),
      chunk({ content: [{ type: 'text', text: 'It leaves ' }] }),
      chunk({ content: 'at nine.' }),
      ...END,
    ],
    'Gemini: a whole message in a stream': [
      event({ choices: [{ index: 0, message: { content: 'It leaves at nine.' }, finish_reason: 'stop' }] }),
      DONE,
    ],
    'a server that sends a whole reply though a stream was requested': [
      JSON.stringify(
        { choices: [{ message: { content: 'It leaves at nine.' } }], usage: null },
        undefined,
        2,
      ),
    ],
    'a server whose text is a completion': [
      event({ choices: [{ text: 'It leaves at nine.', finish_reason: 'stop' }] }),
    ],
    'a server with a byte order mark and no space': [
      `\ufeff${[...ANSWER, ...END].join('').replaceAll('data: ', 'data:')}`,
    ],
    'a server that refuses in a field of its own': [chunk({ refusal: 'It leaves at nine.' }), ...END],
    'reasoning in a field of its own': [
      chunk({ reasoning_content: 'Nine?' }),
      chunk({ reasoning: 'Nine.' }),
      ...ANSWER,
      ...END,
    ],
  };
  for (const [name, stream] of Object.entries(cases))
    test(name, async (context) => {
      const { text, error } = await ask(context, () => ({ stream }));
      assert.deepEqual([text, error], ['It leaves at nine.', undefined]);
    });

  test('has the usage in the form of every server', async (context) => {
    for (const more of [
      { usage: { prompt_tokens: 3, completion_tokens: 2 } },
      { x_groq: { usage: { prompt_tokens: 3, completion_tokens: 2 } } },
      { usage: { input_tokens: 3, output_tokens: 2 } },
    ]) {
      const { usage } = await ask(context, () => ({ stream: [...ANSWER, chunk({}, 'stop', more), DONE] }));
      assert.deepEqual(usage, { input: 3, output: 2 });
    }
  });

  test('keeps letters whose bytes arrive apart', async () => {
    const bytes = Buffer.from(chunk({ content: 'Größe 港 😀' }));
    const values: unknown[] = [];
    const each = (async function* () {
      for (const byte of bytes) {
        await Promise.resolve();
        yield Uint8Array.of(byte);
      }
    })();
    for await (const value of readServerEvents(each)) values.push(value);
    assert.match(JSON.stringify(values), /Größe 港 😀/);
  });
});

describe('an answer that isn’t complete', () => {
  for (const [name, stream, code] of [
    ['reports the maximum length', [...ANSWER, chunk({}, 'length'), DONE], 'stream-cut'],
    ['reports Gemini’s maximum length', [...ANSWER, chunk({}, 'MAX_TOKENS'), DONE], 'stream-cut'],
    ['reports a content filter', [...ANSWER, chunk({}, 'content_filter'), DONE], 'stream-cut'],
    [
      'reports an error between the words',
      [...ANSWER, event({ error: { message: 'No.', code: 429 } })],
      'stream-cut',
    ],
    [
      'reports OpenRouter’s error as a reason',
      [...ANSWER, chunk({ content: '' }, 'error'), DONE],
      'stream-cut',
    ],
    ['reports a connection that ends early', ANSWER, 'stream-cut'],
  ] as const)
    test(name, async (context) => {
      const { text, error } = await ask(context, () => ({ stream }));
      assert.deepEqual([text, error], ['It leaves at nine.', code]);
    });

  test('says that the maximum length was reached', async (context) => {
    const baseUrl = await serve(context, () => ({ stream: [...ANSWER, chunk({}, 'length'), DONE] }));
    const model = openAiModel({ baseUrl, name: 'm', temperature: 0 });
    const read = async (acceptsPartial: boolean): Promise<string> => {
      let text = '';
      for await (const piece of model.stream([{ role: 'user', content: 'When?' }], {
        signal,
        acceptsPartial,
      }))
        text += piece;
      return text;
    };
    await assert.rejects(read(false), {
      message:
        'm reached its maximum output length, so the answer is incomplete. Ask for a shorter answer, or pick another model.',
      action: 'pickModel',
    });
    assert.equal(await read(true), 'It leaves at nine.');
  });
});

describe('tool calls', () => {
  const call = (more: object, name: string | undefined, input: unknown): object => ({
    ...more,
    function: { ...(name !== undefined && { name }), arguments: input },
  });
  const both = ['{"q":"x"}', '{"q":"y"}'];
  const cases: Readonly<Record<string, readonly object[][]>> = {
    'OpenAI: in parts': [
      [call({ index: 0, id: 'a' }, 'look', ''), call({ index: 1, id: 'b' }, 'look', '{"q"')],
      [call({ index: 0 }, undefined, '{"q":"x"}'), call({ index: 1 }, undefined, ':"y"}')],
    ],
    'Gemini: the same index, different IDs': both.map((input, i) => [
      call({ index: 0, id: String(i) }, 'look', input),
    ]),
    'llama.cpp: the same index, no IDs': both.map((input) => [call({ index: 0, id: '' }, 'look', input)]),
    'Ollama: no index, no IDs': [both.map((input) => call({}, 'look', input))],
    'Mistral: objects instead of text': [
      both.map((input, i) => call({ id: String(i) }, 'look', JSON.parse(input))),
    ],
    'vLLM: the name in every part': [
      [call({ index: 0, id: 'a' }, 'look', '{"q"')],
      [call({ index: 0, id: 'a' }, 'look', ':"x"}')],
      [call({ index: 1, id: 'b' }, 'look', '{"q":"y"}')],
    ],
    'a server with a new ID in every part': [
      [call({ index: 0, id: 'a' }, 'look', '{"q"'), call({ index: 1, id: 'b' }, 'look', '')],
      [call({ index: 0, id: 'c' }, undefined, ':"x"}'), call({ index: 1, id: 'd' }, undefined, '{"q":"y"}')],
    ],
    'a server without the level of the function': [
      [
        { id: 'a', name: 'look', arguments: '{"q":"x"}' },
        { id: 'b', name: 'look', arguments: '{"q":"y"}' },
      ],
    ],
  };
  for (const [name, parts] of Object.entries(cases))
    test(name, async (context) => {
      const stream = [...parts.map((tool_calls) => chunk({ tool_calls })), chunk({}, 'tool_calls'), DONE];
      const { calls, error } = await ask(context, () => ({ stream }));
      assert.deepEqual(
        [calls.map(({ name: tool, input }) => [tool, input]), error],
        [
          [
            ['look', { q: 'x' }],
            ['look', { q: 'y' }],
          ],
          undefined,
        ],
      );
      assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
    });
});

describe('tool calls in the text of an answer', () => {
  const input = '{"name": "look", "arguments": {"q": "x"}}';
  const two = [
    ['look', { q: 'x' }],
    ['look', { q: 'y' }],
  ];
  const other = input.replace('"x"', '"y"');
  for (const [name, text] of [
    ['Qwen, Hermes', `<tool_call>\n${input}\n</tool_call>\n<tool_call>\n${other}\n</tool_call>`],
    ['the same without an end', `<tool_call>\n${input}\n<tool_call>\n${other}`],
    ['the same as a list', `<tool_call>[${input}, ${other}]</tool_call>`],
    [
      'Qwen for code',
      '<tool_call>\n<function=look>\n<parameter=q>\nx\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=look>\n<parameter=q>\ny\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'GLM',
      '<tool_call>look\n<arg_key>q</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n<tool_call>look\n<arg_key>q</arg_key>\n<arg_value>y</arg_value>\n</tool_call>',
    ],
    ['Mistral', `[TOOL_CALLS] [${input}, ${other}]`],
    ['newer Mistral', '[TOOL_CALLS]look{"q": "x"}[TOOL_CALLS]look[ARGS]{"q": "y"}'],
    ['Llama', `<function=look>{"q": "x"}</function><function=look>{"q": "y"}</function>`],
    [
      'Llama with parameters',
      `<|python_tag|>${input.replace('arguments', 'parameters')}; ${other.replace('arguments', 'parameters')}`,
    ],
    ['Granite', `<|tool_call|>[${input}, ${other}]`],
    [
      'DeepSeek',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>look\n```json\n{"q":"x"}\n```<｜tool▁call▁end｜><｜tool▁call▁begin｜>look<｜tool▁sep｜>{"q":"y"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'newer DeepSeek',
      ['x', 'y']
        .map(
          (q) =>
            `<｜DSML｜invoke name="look"><｜DSML｜parameter name="q" string="true">${q}</｜DSML｜parameter></｜DSML｜invoke>`,
        )
        .join('\n'),
    ],
    [
      'Kimi',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.look:0<|tool_call_argument_begin|>{"q":"x"}<|tool_call_end|><|tool_call_begin|>functions.look:1<|tool_call_argument_begin|>{"q":"y"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      'MiniMax',
      '<minimax:tool_call>\n<invoke name="look">\n<parameter name="q">x</parameter>\n</invoke>\n<invoke name="look">\n<parameter name="q">y</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    ['Llama as in Python', '<|python_start|>[look(q="x"), look(q=\'y\')]<|python_end|>'],
    [
      'gpt-oss',
      '<|channel|>commentary to=functions.look <|constrain|>json<|message|>{"q":"x"}<|call|><|channel|>commentary to=functions.look<|message|>{"q":"y"}<|call|>',
    ],
  ] as const)
    test(name, async (context) => {
      for (const pieces of [[text], Array.from(text)]) {
        const stream = ['I look. ', ...pieces].map((content) => chunk({ content }));
        const { calls, error, text: answer } = await ask(context, () => ({ stream: [...stream, ...END] }));
        assert.deepEqual(
          [calls.map(({ name: tool, input: given }) => [tool, given]), error, answer],
          [two, undefined, 'I look. '],
        );
      }
    });

  for (const text of ['[look(q="x"), look(q="y")]', `[${input}, ${other}]`, ` ${input}\n${other}`])
    test(`are the whole reply: ${text}`, async (context) => {
      for (const pieces of [[text], Array.from(text)]) {
        const stream = [...pieces.map((content) => chunk({ content })), ...END];
        const { calls, text: answer } = await ask(context, () => ({ stream }));
        assert.deepEqual([calls.map(({ name: tool, input: given }) => [tool, given]), answer], [two, '']);
      }
    });

  for (const text of [
    '[look(x)](https://example.org) is a link.',
    '{"name": "look"} is an object.',
    'A call begins with <tool_call> and ends with </tool_call>.',
    '<tool_call>{"name": "delete", "arguments": {}}</tool_call>',
    'An array [1] < [TOOL] or <function',
    '<tool_call>{"name": "look"',
  ])
    test(`aren’t in ${text}`, async (context) => {
      for (const pieces of [[text], Array.from(text)]) {
        const stream = [...pieces.map((content) => chunk({ content })), ...END];
        const { calls, text: answer } = await ask(context, () => ({ stream }));
        assert.deepEqual([calls, answer], [[], text]);
      }
    });

  test('aren’t found if no tools are offered', async (context) => {
    const text = `<tool_call>${input}</tool_call>`;
    const model = openAiModel({
      baseUrl: await serve(context, () => ({ stream: [chunk({ content: text }), ...END] })),
      name: 'm',
      temperature: 0,
    });
    let answer = '';
    for await (const piece of model.stream([{ role: 'user', content: 'When?' }], { signal })) answer += piece;
    assert.equal(answer, text);
  });
});

describe('an error', () => {
  const refused = 'Extra inputs are not permitted';
  for (const [name, status, json] of [
    ['OpenAI', 400, { error: { message: 'Unrecognized argument: stream_options', param: 'stream_options' } }],
    [
      'Mistral',
      422,
      { object: 'error', message: { detail: [{ loc: ['body', 'stream_options'], msg: refused }] } },
    ],
    [
      'FastAPI',
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: refused }] },
    ],
    ['vLLM', 400, { object: 'error', message: `stream_options: ${refused}`, code: 400 }],
    ['Ollama', 400, { error: 'unknown field "stream_options"' }],
    [
      'Gemini',
      400,
      [{ error: { code: 400, message: 'Unknown name "stream_options"', status: 'INVALID_ARGUMENT' } }],
    ],
    [
      'Anthropic',
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: `stream_options: ${refused}` } },
    ],
    [
      'OpenRouter',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"detail":"stream_options"}' },
        },
      },
    ],
    ['NVIDIA', 400, { status: 400, title: 'Bad Request', detail: 'stream_options is not allowed' }],
    ['a stream', 200, { error: { message: 'stream_options is not supported', code: 400 } }],
  ] as const)
    test(`${name}: retries without a part of the request that is named`, async (context) => {
      const { text, error } = await ask(context, (body) =>
        'stream_options' in body ? { status, json } : { stream: [...ANSWER, ...END] },
      );
      assert.deepEqual([text, error], ['It leaves at nine.', undefined]);
    });

  for (const [name, json] of [
    ['vLLM', { object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 }],
    ['Mistral', { object: 'error', message: 'Conversation roles must alternate user/assistant/…' }],
    ['Gemini', [{ error: { code: 400, message: 'Developer instruction role is not enabled, nor system.' } }]],
  ] as const)
    test(`${name}: retries without a role for instructions`, async (context) => {
      const { text } = await ask(context, ({ messages }) =>
        messages.some(({ role }) => role !== 'user')
          ? { status: 400, json }
          : { stream: [...ANSWER, ...END] },
      );
      assert.equal(text, 'It leaves at nine.');
    });

  for (const [code, name, json] of [
    ['too-large', 'vLLM', { object: 'error', message: 'The maximum context length is 4096 tokens.' }],
    [
      'too-large',
      'Gemini',
      [{ error: { message: 'The input token count exceeds the maximum number of tokens.' } }],
    ],
    [
      'too-large',
      'xAI',
      { code: 'x', error: 'The maximum prompt length is 131072, but the request has 200000.' },
    ],
    [
      'too-large',
      'TGI',
      { error: 'inputs tokens + max_new_tokens must be <= 4096', error_type: 'validation' },
    ],
    [
      'too-large',
      'LM Studio',
      { error: 'Trying to keep the first 5345 tokens, with a context length of 4096.' },
    ],
    [
      'too-large',
      'Anthropic',
      { type: 'error', error: { message: 'prompt is too long: 212000 tokens > 200000' } },
    ],
    ['unauthorized', 'Gemini', [{ error: { message: 'API key not valid. Please pass a valid API key.' } }]],
    ['rate-limited', 'Anthropic', { type: 'error', error: { message: 'Your credit balance is too low.' } }],
    ['unsupported', 'an empty object', {}],
  ] as const)
    test(`${name}: ${code}`, async (context) => {
      assert.equal((await ask(context, () => ({ status: 400, json }))).error, code);
    });

  for (const [name, json] of [
    ['overloaded', { error: { message: 'Overloaded', type: 'overloaded_error', code: 529 } }],
    ['no memory', { error: { message: 'model requires more system memory (8 GiB)', type: 'api_error' } }],
    ['a message', { message: 'Model is loading' }],
  ] as const)
    test(`after a status of success: ${name}`, async (context) => {
      assert.equal((await ask(context, () => ({ json }))).error, 'server');
      assert.equal((await ask(context, () => ({ stream: [event(json)] }))).error, 'server');
    });

  test('limits the text of a whole web page', () => {
    assert.equal(readErrorBody(`<html>${'x'.repeat(10_000)}`).message.length, 4_000);
    assert.equal(readErrorBody('').message, '');
    assert.equal(
      readErrorBody('{"error":{"code":"DeploymentNotFound","message":""}}').code,
      'DeploymentNotFound',
    );
  });
});

describe('reasoning', () => {
  const filter = async (pieces: readonly string[], isStreamed: boolean): Promise<string> => {
    let text = '';
    const each = (async function* () {
      for (const piece of pieces) {
        await Promise.resolve();
        yield piece;
      }
    })();
    const restart = (): void => {
      text = '';
    };
    for await (const piece of withoutThinking(each, isStreamed ? restart : undefined)) text += piece;
    return text;
  };
  const answer = 'It leaves at nine [1].\n\nIt returns.';
  for (const [name, reply] of [
    ['no reasoning', answer],
    ['Qwen, DeepSeek', `<think>\nNine?\n</think>\n\n${answer}`],
    ['a template with the first mark', `Okay, when? Nine.\n</think>\n\n${answer}`],
    ['the same in one line', `Nine.</think>${answer}`],
    ['two blocks', `<think>a</think>\n<think>b</think>${answer}`],
    ['an empty block', `<think>\n\n</think>\n\n${answer}`],
    ['another tag', `<Thinking>Nine?</Thinking>${answer}`],
    ['Gemma', `<thought>Nine?</thought>${answer}`],
    ['Gemma 4', `<|channel>thought\nNine?<channel|>${answer}`],
    ['Magistral', `[THINK]Nine?[/THINK]${answer}`],
    ['Magistral without the first mark', `Nine?[/THINK]${answer}`],
    ['Kimi', `◁think▷Nine?◁/think▷${answer}`],
    ['Kimi without the first mark', `Nine?◁/think▷${answer}`],
    ['a mark with an attribute', `<think time="3">Nine?</think>${answer}`],
    ['the token of an end', `${answer}<|im_end|>`],
    ['the token of an end of DeepSeek', `<think>Nine?</think>${answer}<｜end▁of▁sentence｜>`],
    ['Seed', `<seed:think>Nine?</seed:think>${answer}`],
    ['Hunyuan', `<think>Nine?</think>\n<answer>\n${answer}</answer>`],
    ['Command', `<|START_THINKING|>Nine?<|END_THINKING|><|START_RESPONSE|>${answer}<|END_RESPONSE|>`],
    ['Granite', `Here is my thought process: Nine?\nHere is my response: ${answer}`],
    [
      'gpt-oss',
      `<|channel|>analysis<|message|>Nine?<|end|><|start|>assistant<|channel|>final<|message|>${answer}<|return|>`,
    ],
    [
      'gpt-oss with a comment',
      `<|start|>assistant<|channel|>analysis<|message|>Nine?<|end|><|start|>assistant<|channel|>commentary<|message|>Soon.<|end|><|start|>assistant<|channel|>final <|constrain|>text<|message|>${answer}`,
    ],
    ['gpt-oss without special tokens', `analysisWe need a time.assistantfinal${answer}`],
  ] as const)
    test(`isn’t part of the answer: ${name}`, async () => {
      for (const isStreamed of [true, false])
        for (const pieces of [[reply], Array.from(reply), reply.match(/[^]{1,7}/g) ?? []])
          assert.equal(
            await filter(pieces, isStreamed),
            answer,
            `${String(isStreamed)} ${String(pieces.length)}`,
          );
    });

  for (const reply of [
    'The model writes `<think>` first and `</think>` last.',
    '```\n<think>\nNine?\n</think>\n```\nIs such a reply.',
    'A mark such as <think> is a tag.',
    'Analysis of [THIN] films: a < b, [1], ◁ and <answer>.',
    'Here is my plan.',
    '<div>It leaves.</div>',
  ])
    test(`stays part of an answer that mentions it: ${reply.slice(0, 20)}`, async () => {
      for (const pieces of [[reply], Array.from(reply)]) assert.equal(await filter(pieces, true), reply);
    });

  test('after a first sentence isn’t part of the answer', async () => {
    assert.equal(await filter(['Sure. <think>a', '</think>It leaves.'], true), 'Sure. It leaves.');
    assert.equal(await filter(['Sure. <think>a'], true), 'Sure. <think>a');
  });

  test('streams an answer without reasoning at once', async () => {
    const seen: string[] = [];
    const each = (async function* () {
      yield 'It leaves ';
      await Promise.resolve();
      seen.push('next');
      yield 'at nine.';
    })();
    for await (const piece of withoutThinking(each, () => undefined)) seen.push(piece);
    assert.deepEqual(seen, ['It leaves ', 'next', 'at nine.']);
  });
});

describe('embeddings', () => {
  const embed = async (
    context: TestContext,
    reply: (body: Body) => Response,
    texts = ['a', 'b'],
  ): Promise<unknown[]> => {
    const endpoint = { baseUrl: await serve(context, reply), name: 'm' };
    const vectors = await embedTexts(endpoint, texts, { signal, timeout: TIMEOUT_MS, retries: 0 });
    return vectors.map((vector) => vector && [...vector]);
  };
  const vectorOf = (text: string): number[] => [text.charCodeAt(0) - 96, 2];
  const inOrder = [
    [1, 2],
    [2, 2],
  ];
  const forms: Readonly<Record<string, (input: readonly string[]) => unknown>> = {
    'OpenAI: in another order': (input) => ({
      data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).toReversed(),
    }),
    'Gemini: the first without an index': (input) => ({
      data: input.map((text, index) => ({ ...(index > 0 && { index }), embedding: vectorOf(text) })),
    }),
    'LM Studio: each with the index 0': (input) => ({
      data: input.map((text) => ({ index: 0, embedding: vectorOf(text) })),
    }),
    'no indexes': (input) => ({ data: input.map((text) => ({ embedding: vectorOf(text) })) }),
    'Ollama: a list of lists': (input) => ({ embeddings: input.map(vectorOf) }),
    'Cohere: a list for each type': (input) => ({ embeddings: { float: input.map(vectorOf) } }),
    'llama.cpp: a list in each': (input) =>
      input.map((text, index) => ({ index, embedding: [vectorOf(text)] })),
    Base64: (input) => ({
      data: input.map((text, index) => ({
        index,
        embedding: Buffer.from(Float32Array.from(vectorOf(text)).buffer).toString('base64'),
      })),
    }),
  };
  for (const [name, form] of Object.entries(forms))
    test(name, async (context) => {
      assert.deepEqual(await embed(context, ({ input }) => ({ json: form(input) })), inOrder);
    });

  for (const [status, json] of [
    [400, { error: { message: 'encoding_format base64 is not supported' } }],
    [422, { detail: [{ loc: ['body', 'encoding_format'], msg: 'Input should be float' }] }],
    [500, { error: 'unsupported encoding format: base64' }],
  ] as const)
    test(`requests numbers if Base64 is refused with ${String(status)}`, async (context) => {
      const formats: unknown[] = [];
      const reply = ({ input, encoding_format: format }: Body): Response => {
        formats.push(format);
        return format === 'base64'
          ? { status, json }
          : { json: { data: input.map((text) => ({ embedding: vectorOf(text) })) } };
      };
      const endpoint = { baseUrl: await serve(context, reply), name: 'm' };
      const options = { signal, timeout: TIMEOUT_MS, retries: 0 };
      await embedTexts(endpoint, ['a', 'b'], options);
      await embedTexts(endpoint, ['a', 'b'], options);
      assert.deepEqual(formats, ['base64', 'float', 'float']);
    });

  for (const message of ['The model does not support batches larger than 1', 'batch size 2 > maximum 1'])
    test(`sends fewer texts: ${message}`, async (context) => {
      const vectors = await embed(context, ({ input }) =>
        input.length > 1
          ? { status: 400, json: { error: message } }
          : { json: { data: input.map((text) => ({ index: 0, embedding: vectorOf(text) })) } },
      );
      assert.deepEqual(vectors, inOrder);
    });

  for (const [name, broken] of [
    ['null', [1, null]],
    ['a list of null', [null, null]],
    ['NaN in Base64', Buffer.from(Float32Array.of(1, Number.NaN).buffer).toString('base64')],
  ] as const)
    test(`leaves out the one text that the model fails on: ${name}`, async (context) => {
      const vectors = await embed(
        context,
        ({ input }) => ({
          json: {
            data: input.map((text, index) => ({ index, embedding: text === 'b' ? broken : vectorOf(text) })),
          },
        }),
        ['a', 'b', 'c'],
      );
      assert.deepEqual(vectors, [[1, 2], null, [3, 2]]);
    });

  test('leaves out the one text that makes the server fail as a whole', async (context) => {
    const vectors = await embed(
      context,
      ({ input }) =>
        input.includes('b')
          ? {
              status: 500,
              json: { error: { message: 'failed to encode response: json: unsupported value: NaN' } },
            }
          : { json: { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) } },
      ['a', 'b', 'c'],
    );
    assert.deepEqual(vectors, [[1, 2], null, [3, 2]]);
  });

  test('reports a model that fails on all texts', async (context) => {
    await assert.rejects(
      embed(context, () => ({ json: { data: [{ embedding: [null] }, { embedding: [null] }] } })),
      { code: 'server' },
    );
  });

  test('reports an error after a status of success', async (context) => {
    await assert.rejects(
      embed(context, () => ({ json: { error: { message: 'Overloaded' } } })),
      { code: 'server' },
    );
  });
});

describe('a list of models', () => {
  for (const [name, json, expected] of [
    ['OpenAI', { object: 'list', data: [{ id: 'b' }, { id: 'a' }, { id: 'text-embedding-3' }] }, ['a', 'b']],
    [
      'together.ai: a bare list',
      [
        { id: 'a', type: 'chat' },
        { id: 'b', type: 'image' },
      ],
      ['a'],
    ],
    ['Cohere: another field and names', { models: [{ name: 'a' }] }, ['a']],
    ['names alone', { data: ['a', 'b'] }, ['a', 'b']],
    ['Ollama without models', { object: 'list', data: null }, []],
    ['Gemini', { object: 'list', data: [{ id: 'models/gemini-2.0-flash' }] }, ['models/gemini-2.0-flash']],
    [
      'Azure',
      {
        data: [
          { id: 'a', capabilities: { chat_completion: true } },
          { id: 'b', capabilities: { chat_completion: false } },
        ],
      },
      ['a'],
    ],
    [
      'names that only sound like pictures',
      { data: [{ id: 'imagerie-chat' }, { id: 'gpt-image-1' }] },
      ['imagerie-chat'],
    ],
  ] as const)
    test(name, async (context) => {
      const baseUrl = await serve(context, () => ({ json }));
      const listed = await listModels({ baseUrl }, { signal, timeout: TIMEOUT_MS });
      assert.deepEqual(
        listed.map((model) => model.name),
        expected,
      );
    });

  test('of another kind is reported', async (context) => {
    const baseUrl = await serve(context, () => ({ json: { hello: 1 } }));
    await assert.rejects(listModels({ baseUrl }, { signal, timeout: TIMEOUT_MS }), /OpenAI-compatible/);
  });
});
