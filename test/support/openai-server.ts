// An OpenAI-compatible server on loopback that replies as a test specifies, and fails as real ones do.
import type { TestContext } from 'node:test';
import type { OwnCertificate } from './own-certificate.ts';
import type { ServerResponse } from 'node:http';
import type { Gate } from './gate.ts';
import { hashVector } from './hash-vector.ts';
import { isForSearches } from './searches-request.ts';
import { startLoopbackServer, type LoopbackServer, type RecordedRequest } from './loopback-server.ts';

/** A message of a chat request. */
interface ChatMessage {
  readonly role: string;
  readonly content: string;
  /** Tool calls in a message of the model. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  /** ID of the call whose result the message contains. */
  readonly resultOf?: string;
}

/** A chat request, as a reply function gets it. */
export interface ChatRequest extends RecordedRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly ChatMessage[];
  /** Names of the tools that can be called. */
  readonly tools: readonly string[];
  /** The text of the last message. */
  readonly question: string;
  /** Number of earlier chat requests. */
  readonly index: number;
}

/** A tool call; `input` as a string is sent unchanged, valid JSON or not. */
interface Call {
  readonly call: string;
  readonly input?: object | string;
  /** ID of the call; derived from its number by default. */
  readonly id?: string;
}

/** A token to send, a tool to call, a gate to wait at, or `cut`, which breaks the connection. */
type Step = string | Call | Gate | typeof cut;

/** Response with an error status. */
interface Failure {
  readonly status: number;
  readonly message?: string;
  /** Parameter of the request that is rejected. */
  readonly param?: string;
  /** The header Retry-After: seconds, or a date. */
  readonly retryAfter?: string;
}

/** Response to a chat request; a plain string is streamed word by word. */
export type Script = string | readonly Step[] | Failure | typeof silence;

/** Breaks the connection in the middle of an answer. */
export const cut = Symbol('cut');

/** Accepts the request and never answers. */
export const silence = Symbol('silence');

/** Reported usage of a request, in tokens. */
interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** Request for speech. */
export interface SpeechRequest {
  readonly input: string;
  readonly model: string;
  readonly voice: string;
  readonly response_format: string;
  /** Number of earlier speech requests. */
  readonly index: number;
}

/** Audio to send, `cut` to send half of it, or another response. */
type Spoken = Failure | Uint8Array | { readonly cut: Uint8Array } | typeof silence;

/** Options of the server. */
export interface OpenAIServerOptions {
  /** Returns the reply; an empty one by default. */
  readonly reply?: (request: ChatRequest) => Script | Promise<Script>;
  /** Names or whole entries that `GET /v1/models` lists; `scripted-1` by default. */
  readonly models?: readonly (string | { readonly id: string; readonly [fact: string]: unknown })[];
  /** Further JSON responses by method and path, such as `GET /props`. */
  readonly also?: Readonly<Record<string, object>>;
  /** Usage that the server reports for every request if the client wants it; none by default. */
  readonly usage?: Usage;
  /** The only bearer token that is accepted; any, or none, by default. */
  readonly apiKey?: string;
  /** Length of embeddings; 64 by default. */
  readonly dimensions?: number;
  /** Certificate for TLS. */
  readonly certificate?: OwnCertificate;
  /** Maximum number of texts in an embedding request. Others are rejected with 413. */
  readonly maxEmbeddingInputs?: number;
}

/** The running server. */
export interface OpenAIServer extends LoopbackServer {
  /** Base URL for clients: `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  /** Speech requests so far, in order. */
  readonly spoken: readonly SpeechRequest[];
  /** Changes the speech of later requests. At first, the server has none. */
  speak(speak: (request: SpeechRequest) => Promise<Spoken> | Spoken): void;
  /** Chat requests so far, in order, except those for searches. */
  readonly chats: readonly ChatRequest[];
  /** Chat requests for searches, in order. */
  readonly searches: readonly ChatRequest[];
  /** Changes the reply to requests for searches; empty at first. */
  search(script: Script): void;
  /** Changes the reply to later requests. */
  reply(reply: Script | ((request: ChatRequest) => Script | Promise<Script>)): void;
  /** Changes the embeddings of later requests. A failure answers every request. */
  embed(embed: ((text: string) => Float32Array) | Failure): void;
  /** Changes the reported usage of later requests. */
  tellUsage(usage: Usage): void;
}

/** Returns a reply function that uses one script per request, and then repeats the last one. */
export function inTurn(...scripts: readonly Script[]): (request: ChatRequest) => Script {
  let next = 0;
  return () => scripts[Math.min(next++, scripts.length - 1)] ?? '';
}

/** Starts the server for one test. */
export async function openAIServerFor(
  context: TestContext,
  options?: OpenAIServerOptions,
): Promise<OpenAIServer> {
  const server = await startOpenAIServer(options);
  context.after(() => server.close());
  return server;
}

/** Starts the server. */
export async function startOpenAIServer(options: OpenAIServerOptions = {}): Promise<OpenAIServer> {
  const { models = ['scripted-1'], dimensions = 64 } = options;
  let usage = options.usage;
  let reply = options.reply ?? ((): Script => 'I have nothing to say.');
  let embedding: ((text: string) => Float32Array) | Failure = (text) => hashVector(text, dimensions);
  let speaking: ((request: SpeechRequest) => Promise<Spoken> | Spoken) | undefined;
  const spoken: SpeechRequest[] = [];
  const chats: ChatRequest[] = [];
  const searches: ChatRequest[] = [];
  let searching: Script = '';

  const server = await startLoopbackServer(async (request, response) => {
    if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`) {
      // Repeats the rejected value, as real servers do.
      fail(response, {
        status: 401,
        message: `Incorrect API key provided: ${String(request.headers.authorization)}`,
      });
      return;
    }
    const requestLine = `${request.method} ${request.path.replace(/\?.*$/, '')}`;
    const also = options.also?.[requestLine];
    if (also !== undefined) {
      sendJson(response, 200, also);
      return;
    }
    switch (requestLine) {
      case 'GET /v1/models':
        sendJson(response, 200, {
          object: 'list',
          data: models.map((model) => ({
            object: 'model',
            created: 0,
            owned_by: 'test',
            ...(typeof model === 'string' ? { id: model } : model),
          })),
        });
        return;
      case 'POST /v1/embeddings':
        if (typeof embedding === 'function')
          embed(request, response, embedding, options.maxEmbeddingInputs ?? Infinity);
        else fail(response, embedding);
        return;
      case 'POST /v1/audio/speech': {
        if (speaking === undefined) break;
        const speechRequest = {
          ...(JSON.parse(request.body) as Omit<SpeechRequest, 'index'>),
          index: spoken.length,
        };
        spoken.push(speechRequest);
        sendSound(response, await speaking(speechRequest));
        return;
      }
      case 'POST /v1/chat/completions': {
        const chat = parseChat(request, chats.length);
        if (isForSearches(chat.messages)) {
          searches.push(chat);
          await play(searching, chat, response, usage);
          return;
        }
        chats.push(chat);
        await play(await reply(chat), chat, response, usage);
        return;
      }
      default:
    }
    fail(response, { status: 404, message: `Nothing answers ${request.method} ${request.path}.` });
  }, options.certificate);

  return {
    ...server,
    baseUrl: `${server.url}/v1`,
    spoken,
    speak: (next) => {
      speaking = next;
    },
    chats,
    searches,
    search: (script) => {
      searching = script;
    },
    reply: (next) => {
      reply = typeof next === 'function' ? next : (): Script => next;
    },
    embed: (next) => {
      embedding = next;
    },
    tellUsage: (next) => {
      usage = next;
    },
  };
}

function parseChat(request: RecordedRequest, index: number): ChatRequest {
  const { model, stream, messages, tools } = JSON.parse(request.body) as {
    model: string;
    stream?: boolean;
    messages: {
      role: string;
      content: string | { text?: string }[] | null;
      tool_calls?: { id: string; function: { name: string; arguments: string } }[];
      tool_call_id?: string;
    }[];
    tools?: { function: { name: string } }[];
  };
  const plain = messages.map(({ role, content, tool_calls, tool_call_id }) => ({
    role,
    content: typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join(''),
    ...(tool_calls && {
      calls: tool_calls.map(({ id, function: called }) => ({
        id,
        name: called.name,
        input: called.arguments,
      })),
    }),
    ...(tool_call_id !== undefined && { resultOf: tool_call_id }),
  }));
  return {
    ...request,
    model,
    stream: stream === true,
    messages: plain,
    tools: (tools ?? []).map(({ function: { name } }) => name),
    question: plain.at(-1)?.content ?? '',
    index,
  };
}

async function play(
  script: Script,
  request: ChatRequest,
  response: ServerResponse,
  usage: Usage | undefined,
): Promise<void> {
  if (script === silence) return;
  if (typeof script === 'object' && 'status' in script) {
    fail(response, script);
    return;
  }
  const steps = typeof script === 'string' ? script.split(/(?<=\s)/) : script;
  await (request.stream
    ? playStream(steps, request, response, usage)
    : playWhole(steps, request, response, usage));
}

async function playStream(
  steps: readonly Step[],
  request: ChatRequest,
  response: ServerResponse,
  usage: Usage | undefined,
): Promise<void> {
  // Waits until each chunk has been sent, or breaking the connection would drop it.
  const send = (choices: readonly object[], more: object = {}): Promise<void> => {
    const data = {
      id: requestId(request),
      object: 'chat.completion.chunk',
      created: 0,
      model: request.model,
      choices,
      ...more,
    };
    return new Promise((resolve) => {
      response.write(`data: ${JSON.stringify(data)}\n\n`, () => {
        resolve();
      });
    });
  };
  const chunk = (delta: object, finish: string | null): Promise<void> =>
    send([{ index: 0, delta, finish_reason: finish }]);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await chunk({ role: 'assistant', content: '' }, null);
  let calls = 0;
  for (const step of steps) {
    if (step === cut) {
      response.destroy();
      return;
    }
    if (typeof step === 'string') await chunk({ content: step }, null);
    else if ('pass' in step) await step.pass();
    else {
      const { id, function: called } = sentCall(step, calls);
      const index = calls++;
      const { name } = called;
      await chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }, null);
      for (const part of called.arguments.match(/.{1,7}/gsu) ?? [])
        await chunk({ tool_calls: [{ index, function: { arguments: part } }] }, null);
    }
  }
  await chunk({}, calls > 0 ? 'tool_calls' : 'stop');
  const { stream_options } = JSON.parse(request.body) as { stream_options?: { include_usage?: boolean } };
  if (usage !== undefined && stream_options?.include_usage === true) await send([], { usage });
  response.end('data: [DONE]\n\n');
}

async function playWhole(
  steps: readonly Step[],
  request: ChatRequest,
  response: ServerResponse,
  usage: Usage | undefined,
): Promise<void> {
  let content = '';
  const calls: object[] = [];
  for (const step of steps) {
    if (step === cut) {
      response.destroy();
      return;
    }
    if (typeof step === 'string') content += step;
    else if ('pass' in step) await step.pass();
    else calls.push(sentCall(step, calls.length));
  }
  sendJson(response, 200, {
    id: requestId(request),
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    ...(usage !== undefined && { usage }),
  });
}

function sentCall(
  { call, input = {}, id }: Call,
  index: number,
): {
  readonly id: string;
  readonly type: 'function';
  readonly function: { name: string; arguments: string };
} {
  const inputText = typeof input === 'string' ? input : JSON.stringify(input);
  return {
    id: id ?? `call-${String(index)}`,
    type: 'function',
    function: { name: call, arguments: inputText },
  };
}

function requestId(request: ChatRequest): string {
  return `chatcmpl-${String(request.index)}`;
}

function embed(
  request: RecordedRequest,
  response: ServerResponse,
  makeVector: (text: string) => Float32Array,
  limit: number,
): void {
  const { input, model, encoding_format } = JSON.parse(request.body) as {
    input: string | string[];
    model: string;
    encoding_format?: string;
  };
  const texts = typeof input === 'string' ? [input] : input;
  if (texts.length > limit) {
    fail(response, { status: 413, message: `At most ${String(limit)} inputs are taken at once.` });
    return;
  }
  const data = texts.map((text, index) => {
    const vector = makeVector(text);
    const embedding =
      encoding_format === 'base64'
        ? Buffer.from(Uint8Array.from(new Uint8Array(vector.buffer))).toString('base64')
        : Array.from(vector);
    return { object: 'embedding', index, embedding };
  });
  sendJson(response, 200, { object: 'list', model, data, usage: { prompt_tokens: 0, total_tokens: 0 } });
}

function sendSound(response: ServerResponse, sound: Spoken): void {
  if (sound === silence) return;
  if ('status' in sound) {
    fail(response, sound);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  if (!('cut' in sound)) {
    response.end(sound);
    return;
  }
  response.write(sound.cut.subarray(0, sound.cut.length / 2), () => {
    response.destroy();
  });
}

function fail(response: ServerResponse, { status, message, param, retryAfter }: Failure): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  sendJson(response, status, {
    error: {
      message: message ?? `Status ${String(status)}.`,
      type: 'error',
      param: param ?? null,
      code: null,
    },
  });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
