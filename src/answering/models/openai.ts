import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type OpenAI from 'openai';
import * as v from 'valibot';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import { fields, fitting } from '../../notebook/json-schemas.ts';
import type { ChatMessage, LanguageModel, StreamOptions } from './language-model.ts';
import { ArrivingCalls } from './arriving-calls.ts';
import { createClient, type EndpointAccess } from './openai-client.ts';
import { EndpointFailure, toNotebookError } from './openai-errors.ts';
import {
  differenceIn,
  MAX_DIFFERENCES,
  NO_DIFFERENCES,
  requestBody,
  type KnownDifferences,
  type RequestDifferences,
  type RequestParts,
} from './request-differences.ts';

export interface OpenAiModelOptions extends EndpointAccess {
  readonly name: string;
  readonly temperature: number;
  readonly windowTokens?: number | undefined;
  readonly takesImages?: boolean | undefined;
  readonly takesTools?: boolean | undefined;
  /** Differences learned from the endpoint's refusals, remembered between questions. */
  readonly differences?: KnownDifferences | undefined;
  /** Timeouts for the first piece and between two pieces, in milliseconds. */
  readonly patience?: { readonly first: number; readonly next: number };
}

/** Before its first word, a local model may have to load and to read a long prompt. */
const DEFAULT_TIMEOUT_MS = { first: 300_000, next: 90_000 };
/** Retries for a busy endpoint (429, 503): after half a second and one second, or when it says. */
const MAX_RETRIES = 2;

/** Returns a model at an OpenAI-compatible endpoint, hosted or local. */
export function openAiModel(given: OpenAiModelOptions): LanguageModel {
  const options = { ...given, differences: given.differences ?? new Map<string, RequestDifferences>() };
  return {
    name: options.name,
    windowTokens: options.windowTokens,
    takesImages: options.takesImages,
    get takesTools() {
      return options.differences.get(makeKey(options))?.takesTools === false ? false : options.takesTools;
    },
    stream: (messages, streamOptions) => streamReply(options, messages, streamOptions),
  };
}

async function* streamReply(
  options: OpenAiModelOptions,
  messages: readonly ChatMessage[],
  streamOptions: StreamOptions,
): AsyncIterable<string> {
  const { signal, temperature = options.temperature, mostTokens, tools } = streamOptions;
  const { onToolCall, onUsage, onImagesRefused } = streamOptions;
  throwIfCancelled(signal);
  const calls = new ArrivingCalls();
  const patience = options.patience ?? DEFAULT_TIMEOUT_MS;
  const watch = watchOver(signal);
  let opened = false;
  let begun = false;
  let arrived = false;
  let finished = false;
  let usage: v.InferOutput<typeof tokenUsage> | undefined;
  try {
    watch.expectWithin(patience.first);
    const chunks = await watch.race(
      openStream(options, { messages, temperature, mostTokens, tools }, watch.signal, onImagesRefused),
    );
    opened = true;
    const iterator = chunks[Symbol.asyncIterator]();
    for (;;) {
      const next = await watch.race(iterator.next());
      if (next.done === true) break;
      begun = true;
      watch.expectWithin(patience.next);
      // Some servers report the usage with every piece, and some only at the end.
      const { usage: told, choices: [choice] = [] } = v.parse(replyPart, next.value);
      usage = told ?? usage;
      const { content: piece = '', tool_calls: parts = [] } = choice?.delta ?? choice?.message ?? {};
      for (const part of parts) calls.take(part);
      if (piece !== '') {
        arrived = true;
        yield piece;
      }
      if (choice?.finish_reason !== undefined) finished = true;
    }
    if (!begun) throw new EndpointFailure('foreign');
    if (!finished) throw new EndpointFailure('cut');
    const called = onToolCall === undefined ? [] : calls.whole();
    if (!arrived && called.length === 0) throw new EndpointFailure('empty');
    for (const call of called) onToolCall?.(call);
  } catch (error) {
    throwIfCancelled(signal);
    throw toNotebookError(error, { access: options, name: options.name, opened, arrived });
  } finally {
    watch.dispose();
    if (usage !== undefined) onUsage?.({ input: usage.prompt_tokens, output: usage.completion_tokens });
  }
}

const tokenCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const tokenUsage = v.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount });
const replyWords = fields({
  content: v.string(),
  tool_calls: fitting(
    fields({
      index: v.number(),
      id: v.string(),
      function: fields({ name: v.string(), arguments: v.unknown() }),
    }),
  ),
});
/** Used fields of a chunk or a reply. The URL can belong to any server, so the types are checked. */
const replyPart = fields({
  choices: fitting(fields({ delta: replyWords, message: replyWords, finish_reason: v.string() })),
  usage: tokenUsage,
});

/** Opens the stream of chunks. If the endpoint refuses a part of the request, retries it in another form. */
async function openStream(
  options: OpenAiModelOptions,
  request: Omit<RequestParts, 'model'>,
  signal: AbortSignal,
  onImagesRefused: (() => void) | undefined,
): Promise<AsyncIterable<unknown>> {
  const { name: model, differences } = options;
  const client = createClient(options, MAX_RETRIES);
  const known = makeKey(options);
  let current = differences?.get(known) ?? NO_DIFFERENCES;
  for (let refusals = 0; ; refusals++) {
    if (!current.takesTools && request.tools !== undefined && request.tools.length > 0)
      throw new NotebookError('no-tools', t('{0} doesn’t support tools. Pick another model.', model), {
        action: 'pickModel',
      });
    const body = {
      ...requestBody({ model, ...request }, current),
      ...(current.streams && current.tellsUsage && { stream_options: { include_usage: true } }),
      stream: current.streams,
    };
    try {
      // The same key for all retries lets a gateway recognize them as one question.
      const chunks = await requestChunks(client, body, { signal, idempotencyKey: randomUUID() });
      if (!current.takesImages && request.messages.some(({ images = [] }) => images.length > 0))
        onImagesRefused?.();
      return chunks;
    } catch (error) {
      const next = refusals < MAX_DIFFERENCES ? differenceIn(error, body, current) : undefined;
      if (next === undefined) throw error;
      current = next;
      differences?.set(known, current);
    }
  }
}

/** Returns the chunks of a stream; a reply without streaming is a single chunk. */
async function requestChunks(
  client: OpenAI,
  body: OpenAI.ChatCompletionCreateParams,
  options: OpenAI.RequestOptions,
): Promise<AsyncIterable<unknown>> {
  const reply = await client.chat.completions.create(body, options);
  return Symbol.asyncIterator in reply ? reply : Readable.from([reply]);
}

function makeKey({ baseUrl, name }: OpenAiModelOptions): string {
  return `${baseUrl} ${name}`;
}

interface Watch {
  /** Aborts with the caller's signal, or if nothing arrives in time. */
  readonly signal: AbortSignal;
  expectWithin(milliseconds: number): void;
  /**
   * Returns the promise's result, or rejects as soon as the signal aborts, since the client's pause before a retry
   * ignores it.
   */
  race<T>(promise: Promise<T>): Promise<T>;
  dispose(): void;
}

function watchOver(outer: AbortSignal): Watch {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const aborted = new Promise<never>((_, reject) =>
    controller.signal.addEventListener('abort', () => {
      reject(controller.signal.reason as Error);
    }),
  );
  aborted.catch(() => undefined);
  const stop = (): void => {
    controller.abort(new NotebookError('cancelled', t('Stopped.')));
  };
  outer.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    expectWithin(milliseconds) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new EndpointFailure('silent')), milliseconds);
    },
    race: (promise) => Promise.race([promise, aborted]),
    dispose() {
      clearTimeout(timer);
      outer.removeEventListener('abort', stop);
      // End a request that is still running after the reader has left the stream.
      if (!controller.signal.aborted) stop();
    },
  };
}
