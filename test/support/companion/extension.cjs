/* global AbortController, TextDecoder, fetch, process */
// A language model for tests. The editor's model “Scripted One” gets its replies from an OpenAI-compatible server at
// the address in the environment variable SCRIPTED_MODEL_URL (`http://127.0.0.1:PORT/v1`).
const vscode = require('vscode');

const address = process.env.SCRIPTED_MODEL_URL;

exports.activate = (/** @type {vscode.ExtensionContext} */ context) => {
  context.subscriptions.push(vscode.commands.registerCommand('companion.followLink', followLink));
  context.subscriptions.push(vscode.commands.registerCommand('companion.failTest', () => failTest(context)));
  context.subscriptions.push(vscode.lm.registerTool('companion_echo', { invoke: echo }));
  if (!address) return;
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('scripted', provider));
  // Resolves the list of models now, so that it is complete when a test looks at it.
  void vscode.lm.selectChatModels({ vendor: 'scripted' });
};

/** Adds a failing test to the Test Explorer. */
function failTest(/** @type {vscode.ExtensionContext} */ context) {
  const tests = vscode.tests.createTestController('companion', 'Companion');
  context.subscriptions.push(tests);
  const test = tests.createTestItem('pump', 'the pump is primed');
  tests.items.add(test);
  const run = tests.createTestRun(new vscode.TestRunRequest([test]));
  run.started(test);
  run.failed(test, vscode.TestMessage.diff('The primed pump stood at a wrong pressure.', '6 bar', '4 bar'));
  run.end();
}

/** Returns its input, but fails if it begins with “fail”. */
function echo(/** @type {vscode.LanguageModelToolInvocationOptions<{ words: string }>} */ { input }) {
  if (input.words.startsWith('fail')) throw new Error(`${input.words},\nas it was told.`);
  return new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(input.words),
    new vscode.LanguageModelPromptTsxPart({ node: { children: [{ text: ' and ' }, { text: 'parts' }] } }),
  ]);
}

/** Copies the address that a browser opens to follow an outside link to an extension. */
async function followLink() {
  const link = await vscode.window.showInputBox({ prompt: 'The link to follow' });
  if (!link) return;
  const external = await vscode.env.asExternalUri(vscode.Uri.parse(link));
  await vscode.env.clipboard.writeText(external.toString(true));
}

/** Model with a small context window that counts twice the usual tokens. */
const SMALL = 'scripted-small';

const common = {
  family: 'scripted',
  version: '1',
  maxOutputTokens: 8_000,
  isUserSelectable: true,
  capabilities: { toolCalling: true, imageInput: false },
};

/** @type {vscode.LanguageModelChatProvider} */
const provider = {
  provideLanguageModelChatInformation: () => [
    { ...common, id: 'scripted-1', name: 'Scripted One', maxInputTokens: 100_000, isDefault: true },
    { ...common, id: SMALL, name: 'Scripted Small', maxInputTokens: 3_000 },
  ],

  provideTokenCount: async ({ id }, text) =>
    Math.ceil((typeof text === 'string' ? text : textOf(text)).length / (id === SMALL ? 2 : 4)),

  async provideLanguageModelChatResponse(model, messages, { tools }, progress, token) {
    const stopped = new AbortController();
    token.onCancellationRequested(() => stopped.abort());
    const response = await fetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: model.id,
        stream: true,
        messages: messages.flatMap(sentMessages),
        ...(tools?.length && {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function',
            function: { name, description, parameters: inputSchema },
          })),
        }),
      }),
      signal: stopped.signal,
    });
    if (!response.ok || !response.body)
      throw new Error(`The scripted model answered ${response.status}: ${await response.text()}`);
    /** @type {{ id: string; name: string; input: string }[]} */
    const calls = [];
    for await (const event of eventsOf(response.body)) {
      if (event === '[DONE]') {
        for (const { id, name, input } of calls)
          progress.report(new vscode.LanguageModelToolCallPart(id, name, JSON.parse(input || '{}')));
        return;
      }
      const { content, tool_calls = [] } = JSON.parse(event).choices[0]?.delta ?? {};
      if (content) progress.report(new vscode.LanguageModelTextPart(content));
      for (const { index, id, function: told } of tool_calls) {
        const call = (calls[index] ??= { id, name: told.name, input: '' });
        call.input += told.arguments;
      }
    }
    throw new Error('The scripted model broke off.');
  },
};

/**
 * A message as the protocol has it: results of tools are messages of their own.
 * @returns {object[]}
 */
function sentMessages(/** @type {vscode.LanguageModelChatRequestMessage} */ message) {
  const results = message.content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
  const calls = message.content.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
  if (results.length > 0)
    return results.map(({ callId, content }) => ({
      role: 'tool',
      tool_call_id: callId,
      content: content
        .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
        .join(''),
    }));
  return [
    {
      role: roleOf(message),
      content: textOf(message),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ callId, name, input }) => ({
          id: callId,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    },
  ];
}

function roleOf(/** @type {vscode.LanguageModelChatRequestMessage} */ message) {
  return message.role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user';
}

function textOf(/** @type {vscode.LanguageModelChatRequestMessage} */ message) {
  return message.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

/** Yields the data of a stream's server-sent events. */
async function* eventsOf(/** @type {ReadableStream<Uint8Array>} */ body) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) if (event.startsWith('data: ')) yield event.slice(6);
  }
}
