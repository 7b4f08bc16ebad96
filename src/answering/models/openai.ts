import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { APIError } from 'openai';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import type { ChatMessage, LanguageModel, StreamOptions } from './language-model.ts';
import { createClient } from './openai-client.ts';
import { EndpointFailure, toNotebookError } from './openai-errors.ts';

export interface OpenAiModelOptions {
  /** For example `https://api.openai.com/v1`, or `http://localhost:11434/v1` for Ollama. */
  readonly baseUrl: string;
  readonly name: string;
  readonly temperature: number;
  readonly windowTokens?: number | undefined;
  /** Left out where the server asks for none. */
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  /** How long to wait for the first piece and between two pieces, in milliseconds. */
  readonly patience?: { readonly first: number; readonly next: number };
}

/** A local model may have to be loaded and to read a long prompt before its first word. */
const DEFAULT_PATIENCE = { first: 300_000, next: 90_000 };
const MAX_RETRIES = 2;

/** A model behind an OpenAI-compatible endpoint, hosted or local. */
export function openAiModel(options: OpenAiModelOptions): LanguageModel {
  return {
    name: options.name,
    windowTokens: options.windowTokens,
    stream: (messages, streamOptions) => streamReply(options, messages, streamOptions),
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
    throw toNotebookError(error, { baseUrl, name, apiKey: options.apiKey?.trim() ?? '', opened, arrived });
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
  const client = createClient({ ...options, retries: MAX_RETRIES });
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
    controller.abort(new NotebookError('cancelled', t('Stopped.')));
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
