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
  MOST_DIFFERENCES,
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
  /** What the endpoint's refusals have taught, kept from one question to the next. */
  readonly differences?: KnownDifferences | undefined;
  /** How long to wait for the first piece and between two pieces, in milliseconds. */
  readonly patience?: { readonly first: number; readonly next: number };
}

/** A local model may have to be loaded and to read a long prompt before its first word. */
const DEFAULT_PATIENCE = { first: 300_000, next: 90_000 };
/** What an endpoint that is busy (429, 503) is asked again: after half a second and after one, or when it says. */
const MAX_RETRIES = 2;

/** A model behind an OpenAI-compatible endpoint, hosted or local. */
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
  const patience = options.patience ?? DEFAULT_PATIENCE;
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
      // Some tell it with every piece, some last of all.
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
/** The fields of a chunk or a reply that are read. Any server may be behind an address, so their types are checked. */
const replyPart = fields({
  choices: fitting(fields({ delta: replyWords, message: replyWords, finish_reason: v.string() })),
  usage: tokenUsage,
});

/** The stream of chunks; asked for again as the endpoint wants it where it refuses a part of the request. */
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
      // One key for all tries, so that a gateway can tell a retry from a second question.
      const chunks = await requestChunks(client, body, { signal, idempotencyKey: randomUUID() });
      if (!current.takesImages && request.messages.some(({ images = [] }) => images.length > 0))
        onImagesRefused?.();
      return chunks;
    } catch (error) {
      const next = refusals < MOST_DIFFERENCES ? differenceIn(error, body, current) : undefined;
      if (next === undefined) throw error;
      current = next;
      differences?.set(known, current);
    }
  }
}

/** The chunks of a stream; the whole reply of a model that does not stream is one. */
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
      // Ends a request that is still running when the reader of the stream turned away.
      if (!controller.signal.aborted) stop();
    },
  };
}
