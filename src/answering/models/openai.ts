import { randomUUID } from 'node:crypto';
import OpenAI, { APIError } from 'openai';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import type { ChatMessage, LanguageModel, StreamOptions } from './language-model.ts';
import { EndpointFailure, toNotebookError } from './openai-errors.ts';

export interface OpenAiModelOptions {
  /** For example `https://api.openai.com/v1`, or `http://localhost:11434/v1` for Ollama. */
  readonly baseUrl: string;
  readonly name: string;
  readonly temperature: number;
  /** Left out where the server asks for none. */
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  /** How long to wait for the first piece and between two pieces, in milliseconds. */
  readonly patience?: { readonly first: number; readonly next: number };
}

/** A local model may have to be loaded and to read a long prompt before its first word. */
const DEFAULT_PATIENCE = { first: 300_000, next: 90_000 };
/** The client insists on a key; without one, the header that would carry it is left out. */
const NO_KEY = 'none';
const MAX_RETRIES = 2;
/** A server that asks for a longer pause than this is reported instead of waited for. */
const LONGEST_RETRY_SECONDS = 30;

/** A model behind an OpenAI-compatible endpoint, hosted or local. */
export function openAiModel(options: OpenAiModelOptions): LanguageModel {
  return {
    name: options.name,
    stream: (messages, streamOptions) => streamReply(options, messages, streamOptions),
  };
}

function keyOf(options: OpenAiModelOptions): string {
  return options.apiKey?.trim() ?? '';
}

function createClient(options: OpenAiModelOptions): OpenAI {
  const key = keyOf(options);
  // Checked here, because what the platform says of such a header or address repeats it.
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new NotebookError('unauthorized', 'The API key has characters that no key has. Set a new one.', {
      action: 'setApiKey',
    });
  }
  if (!URL.canParse(options.baseUrl)) {
    throw new NotebookError(
      'connection',
      "The model's address is not a web address. Correct it in the settings.",
      {
        action: 'openSettings',
      },
    );
  }
  return new OpenAI({
    baseURL: options.baseUrl,
    // Nothing is taken from the environment: what is sent where is the user's choice alone.
    apiKey: key === '' ? NO_KEY : key,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...(key === '' && { defaultHeaders: { Authorization: null } }),
    fetch: withBoundedRetries(options.fetch),
    maxRetries: MAX_RETRIES,
    logLevel: 'off',
  });
}

/** Lets the client retry only where the server asks for a short pause and a retry can help. */
function withBoundedRetries(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 429) return response;
    const pause = Number.parseFloat(response.headers.get('retry-after') ?? '0');
    const body = await response.text();
    const headers = new Headers(response.headers);
    if (pause > LONGEST_RETRY_SECONDS || body.includes('insufficient_quota'))
      headers.set('x-should-retry', 'false');
    return new Response(body, { status: response.status, headers });
  };
}

async function* streamReply(
  options: OpenAiModelOptions,
  messages: readonly ChatMessage[],
  { signal, temperature = options.temperature }: StreamOptions,
): AsyncIterable<string> {
  throwIfCancelled(signal);
  const patience = options.patience ?? DEFAULT_PATIENCE;
  const watch = watchOver(signal);
  let opened = false;
  let begun = false;
  let arrived = false;
  let finished = false;
  try {
    watch.expectWithin(patience.first);
    const chunks = await watch.race(openStream(options, messages, temperature, watch.signal));
    opened = true;
    const iterator = chunks[Symbol.asyncIterator]();
    for (;;) {
      const next = await watch.race(iterator.next());
      if (next.done === true) break;
      begun = true;
      watch.expectWithin(patience.next);
      const choice = next.value.choices[0];
      const piece = choice?.delta.content;
      if (piece !== undefined && piece !== null && piece !== '') {
        arrived = true;
        yield piece;
      }
      if (choice?.finish_reason !== undefined && choice.finish_reason !== null) finished = true;
    }
    if (!begun) throw new EndpointFailure('foreign');
    if (!finished) throw new EndpointFailure('cut');
    if (!arrived) throw new EndpointFailure('empty');
  } catch (error) {
    throwIfCancelled(signal);
    const { baseUrl, name } = options;
    throw toNotebookError(error, { baseUrl, name, apiKey: keyOf(options), opened, arrived });
  } finally {
    watch.dispose();
  }
}

/** The stream of chunks; asked for again without a temperature where the model takes none but its own. */
async function openStream(
  options: OpenAiModelOptions,
  messages: readonly ChatMessage[],
  temperature: number,
  signal: AbortSignal,
): Promise<AsyncIterable<OpenAI.ChatCompletionChunk>> {
  const client = createClient(options);
  const request = { model: options.name, messages: [...messages], stream: true as const };
  // One key for all tries, so that a gateway can tell a retry from a second question.
  const requestOptions = { signal, idempotencyKey: randomUUID() };
  try {
    return await client.chat.completions.create({ ...request, temperature }, requestOptions);
  } catch (error) {
    const refusesTemperature =
      error instanceof APIError && error.status === 400 && /temperature/i.test(error.message);
    if (!refusesTemperature) throw error;
    return await client.chat.completions.create(request, { signal });
  }
}

interface Watch {
  /** Aborted with the caller's signal, and when nothing arrived in time. */
  readonly signal: AbortSignal;
  expectWithin(milliseconds: number): void;
  /** The promise's outcome, or a rejection as soon as the signal aborts: the client's pause before a retry does not watch it. */
  race<T>(promise: Promise<T>): Promise<T>;
  dispose(): void;
}

function watchOver(outer: AbortSignal): Watch {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => {
      reject(controller.signal.reason as Error);
    });
  });
  aborted.catch(() => undefined);
  const stop = (): void => {
    controller.abort(new NotebookError('cancelled', 'Stopped.'));
  };
  outer.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    expectWithin(milliseconds) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        controller.abort(new EndpointFailure('silent'));
      }, milliseconds);
    },
    race: (promise) => Promise.race([promise, aborted]),
    dispose() {
      clearTimeout(timer);
      outer.removeEventListener('abort', stop);
      // Ends a request that is still running when the reader of the stream turned away.
      if (!controller.signal.aborted) stop();
    },
  };
}
