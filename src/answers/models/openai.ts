import { randomUUID } from 'node:crypto';
import { APIError, type OpenAI } from 'openai';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import type { ChatMessage, LanguageModel, StreamOptions } from './language-model.ts';
import { ToolCallAccumulator } from './tool-call-accumulator.ts';
import { createClient, throwErrorIn, type EndpointAccess } from './openai-client.ts';
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
import { readServerEvents } from './server-events.ts';
import { readChatPart, type ChatPart } from './server-replies.ts';
import { WrittenToolCalls } from './written-tool-calls.ts';

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
export function openAiModel(modelOptions: OpenAiModelOptions): LanguageModel {
  const options = {
    ...modelOptions,
    differences: modelOptions.differences ?? new Map<string, RequestDifferences>(),
  };
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
  const { onToolCall, onUsage, onImagesRefused, acceptsPartial = false } = streamOptions;
  throwIfCanceled(signal);
  const calls = new ToolCallAccumulator();
  const written = new WrittenToolCalls(onToolCall === undefined ? [] : (tools ?? []));
  const patience = options.patience ?? DEFAULT_TIMEOUT_MS;
  const watch = watchOver(signal);
  let opened = false;
  let isChat = false;
  let arrived = false;
  let finish: ChatPart['finish'];
  let usage: ChatPart['usage'];
  try {
    watch.expectWithin(patience.first);
    const parts = await watch.race(
      openStream(options, { messages, temperature, mostTokens, tools }, watch.signal, onImagesRefused),
    );
    opened = true;
    for (;;) {
      const next = await watch.race(parts.next());
      if (next.done === true) break;
      watch.expectWithin(patience.next);
      const part = next.value;
      isChat ||= part.isChat;
      // Some servers report the usage with every piece, and some only at the end.
      usage = part.usage ?? usage;
      finish ??= part.finish;
      for (const call of part.calls) calls.take(call);
      const text = written.take(part.text);
      if (text !== '') {
        arrived = true;
        yield text;
      }
    }
    const rest = written.end();
    for (const call of rest.calls) calls.take(call);
    if (rest.text !== '') {
      arrived = true;
      yield rest.text;
    }
    if (!isChat) throw new EndpointFailure('foreign');
    if (finish === undefined || finish === 'cut') throw new EndpointFailure('cut');
    const called = onToolCall === undefined ? [] : calls.collectCalls();
    const isUseful = called.length > 0 || (acceptsPartial && arrived);
    if (finish !== 'stop' && !isUseful) throw new EndpointFailure(finish);
    if (!arrived && called.length === 0) throw new EndpointFailure('empty');
    for (const call of called) onToolCall?.(call);
  } catch (error) {
    throwIfCanceled(signal);
    throw toNotebookError(error, { access: options, name: options.name, opened, arrived });
  } finally {
    watch.dispose();
    if (usage !== undefined) onUsage?.(usage);
  }
}

/** Opens the stream of a reply. If the endpoint refuses a part of the request, retries it in another form. */
async function openStream(
  options: OpenAiModelOptions,
  request: Omit<RequestParts, 'model'>,
  signal: AbortSignal,
  onImagesRefused: (() => void) | undefined,
): Promise<AsyncGenerator<ChatPart>> {
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
      const parts = await requestParts(client, body, { signal, idempotencyKey: randomUUID() });
      if (!current.takesImages && request.messages.some(({ images = [] }) => images.length > 0))
        onImagesRefused?.();
      return parts;
    } catch (error) {
      const next = refusals < MAX_DIFFERENCES ? differenceIn(error, body, current) : undefined;
      if (next === undefined) throw error;
      current = next;
      differences?.set(known, current);
    }
  }
}

/**
 * Returns the parts of a reply, streamed or whole, after the first one has arrived.
 * @throws APIError also if the server reports an error after a status of success
 */
async function requestParts(
  client: OpenAI,
  body: OpenAI.ChatCompletionCreateParams,
  options: OpenAI.RequestOptions,
): Promise<AsyncGenerator<ChatPart>> {
  const response = await client.chat.completions.create(body, options).asResponse();
  const parts = readParts(response);
  let first: IteratorResult<ChatPart, void>;
  try {
    first = await parts.next();
  } catch (error) {
    if (error instanceof APIError || error instanceof EndpointFailure || error instanceof SyntaxError)
      throw error;
    throw new EndpointFailure('cut');
  }
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* parts;
  })();
}

async function* readParts({ body, headers }: Response): AsyncGenerator<ChatPart, void> {
  const bytes: AsyncIterable<Uint8Array> | null = body;
  if (bytes === null) return;
  for await (const value of readServerEvents(bytes)) {
    throwErrorIn(value, headers);
    yield readChatPart(value);
  }
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
  // A request that ends in time doesn't await this promise.
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
