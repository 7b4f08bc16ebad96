import { APIError } from 'openai';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import { createClient, throwErrorIn, type EndpointAccess } from './openai-client.ts';
import { EndpointFailure, toNotebookError } from './openai-errors.ts';

/** Endpoint with a speech-to-text model. */
interface TranscriptionEndpoint extends EndpointAccess {
  /** Name of the model. */
  readonly name: string;
}

/** Audio file to transcribe. Endpoints find its format by its name. */
export interface AudioPart {
  readonly bytes: Uint8Array;
  /** For example `audio.m4a`. */
  readonly name: string;
  readonly mediaType: string;
}

/** Words that are spoken in a part of a recording. Times are in seconds from the start of the part. */
export interface SpokenText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly speaker?: string | undefined;
}

/** Transcript of a part of a recording; both lists are empty if nobody speaks. */
export interface PartTranscript {
  readonly segments: readonly SpokenText[];
  /** Words with their times, often without punctuation; empty if the endpoint doesn't return them. */
  readonly words: readonly SpokenText[];
}

/** Options of a transcription request. */
export interface TranscriptionOptions {
  readonly signal: AbortSignal;
  /** Timeout of one request from its first to its last byte, in milliseconds. */
  readonly timeout: number;
  /** Waits for a number of milliseconds before a retry. Rejects if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Maximum attempts of one request that the server can't answer at the moment. */
const MAX_ATTEMPTS = 4;
/** Pause before the first retry if the server doesn't request another one, in milliseconds. It doubles each time. */
const FIRST_PAUSE_MS = 2_000;
/** Maximum pause that a server may request, in milliseconds. */
const MAX_PAUSE_MS = 15 * 60_000;
/** Statuses of a server for an unknown URL. */
const UNKNOWN = new Set([404, 405, 501]);
/** Base URL and name of models that return no times of single words. */
const withoutWords = new Set<string>();

const reply = v.object({
  text: v.optional(v.string(), ''),
  segments: v.nullish(
    v.array(
      v.object({
        start: v.number(),
        end: v.number(),
        text: v.string(),
        speaker: v.nullish(v.string()),
      }),
    ),
  ),
  words: v.nullish(v.array(v.object({ start: v.number(), end: v.number(), word: v.string() }))),
});

/**
 * Transcribes a part of a recording. Retries after the pause that the server requests.
 * @throws NotebookError `not-found` if the endpoint has no transcription, `unsupported` if it doesn't accept the model
 * or the audio or doesn’t return times, `too-large`, `rate-limited`, and the errors of other requests to it
 */
export async function transcribe(
  endpoint: TranscriptionEndpoint,
  part: AudioPart,
  options: TranscriptionOptions,
): Promise<PartTranscript> {
  const known = `${endpoint.baseUrl} ${endpoint.name}`;
  for (let attempt = 1; ; attempt++) {
    throwIfCanceled(options.signal);
    const late = AbortSignal.timeout(options.timeout);
    const hasWords = !withoutWords.has(known);
    try {
      return await request(endpoint, part, { ...options, late, hasWords });
    } catch (error) {
      throwIfCanceled(options.signal);
      const status = error instanceof APIError ? Number(error.status) : 0;
      if (hasWords && (status === 400 || status === 422)) {
        // Some servers reject the parameter for the times of words.
        withoutWords.add(known);
        continue;
      }
      const pause = attempt < MAX_ATTEMPTS ? pauseBeforeRetry(error, attempt) : undefined;
      if (pause === undefined) {
        if (status === 400 || status === 422) withoutWords.delete(known);
        throw toTranscriptionError(error, endpoint, late.aborted);
      }
      await options.wait(pause, options.signal);
    }
  }
}

async function request(
  endpoint: TranscriptionEndpoint,
  { bytes, name, mediaType }: AudioPart,
  {
    signal,
    timeout,
    late,
    hasWords,
  }: TranscriptionOptions & { readonly late: AbortSignal; readonly hasWords: boolean },
): Promise<PartTranscript> {
  const response = await createClient(endpoint, 0)
    .audio.transcriptions.create(
      {
        model: endpoint.name,
        file: new File([Uint8Array.from(bytes)], name, { type: mediaType }),
        response_format: 'verbose_json',
        ...(hasWords && { timestamp_granularities: ['word', 'segment'] }),
      },
      { signal: AbortSignal.any([signal, late]), timeout },
    )
    .asResponse();
  let body: unknown;
  try {
    body = JSON.parse(await response.text());
  } catch (error) {
    throw late.aborted || signal.aborted ? error : new EndpointFailure('cut');
  }
  throwErrorIn(body, response.headers);
  const parsed = v.safeParse(reply, body);
  if (!parsed.success) throw new EndpointFailure('foreign');
  const { text, segments, words } = parsed.output;
  const spoken = {
    segments: (segments ?? []).map(({ start, end, speaker, ...one }) => ({
      ...{ text: one.text, from: start, to: Math.max(start, end) },
      ...(typeof speaker === 'string' && { speaker }),
    })),
    words: (words ?? []).map(({ start, end, word }) => ({
      text: word,
      from: start,
      to: Math.max(start, end),
    })),
  };
  if (text.trim() !== '' && spoken.segments.length + spoken.words.length === 0)
    throw new NotebookError(
      'unsupported',
      t(
        'The model {1} on {0} doesn’t return timestamps. Choose a model that does, such as whisper-1, in Settings.',
        hostOf(endpoint),
        endpoint.name,
      ),
      { action: 'openSettings' },
    );
  return spoken;
}

/** Returns the pause before a retry in milliseconds; undefined if a retry can't help. */
function pauseBeforeRetry(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof APIError)) return undefined;
  const status = Number(error.status);
  if (status !== 429 && status !== 408 && !(status >= 500 && status !== 501)) return undefined;
  const text = `${error.code ?? ''} ${error.type ?? ''}`;
  if (text.includes('insufficient_quota')) return undefined;
  const headers: unknown = error.headers;
  const requested = headers instanceof Headers ? retryAfter(headers) : undefined;
  const pause = requested ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
  return pause > MAX_PAUSE_MS ? undefined : pause;
}

/** Returns the pause that a server requests, as seconds or as a date, in milliseconds; undefined if it requests none. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function toTranscriptionError(
  error: unknown,
  endpoint: TranscriptionEndpoint,
  isLate: boolean,
): NotebookError {
  if (error instanceof NotebookError) return error;
  const { name } = endpoint;
  const host = hostOf(endpoint);
  if (isLate)
    return new NotebookError('timeout', t('{0} didn’t transcribe the recording in time. Try again.', host), {
      action: 'tryAgain',
      cause: error,
    });
  if (error instanceof APIError && UNKNOWN.has(Number(error.status)))
    return new NotebookError(
      'not-found',
      t(
        '{0} can’t transcribe recordings, or has no model named {1}. Set a speech-to-text endpoint and model in Settings.',
        host,
        name,
      ),
      { action: 'openSettings' },
    );
  const known = toNotebookError(error, { access: endpoint, name, opened: true, arrived: false });
  const { cause } = known;
  switch (known.code) {
    case 'connection':
      return known.action === 'pickModel'
        ? new NotebookError(
            'connection',
            t(
              'No response from {0}. Check that the server is running and that its URL in Settings is correct.',
              host,
            ),
            { action: 'openSettings', cause },
          )
        : known;
    case 'unauthorized':
      return new NotebookError(
        'unauthorized',
        (endpoint.apiKey?.trim() ?? '') === ''
          ? t('{0} requires an API key. Set a key, then try again.', host)
          : t('{0} rejected the API key. Set another key, then try again.', host),
        { action: 'setApiKey', cause },
      );
    case 'stream-cut':
      return new NotebookError(
        'stream-cut',
        t('{0} stopped before the whole transcript arrived. Try again.', host),
        { action: 'tryAgain', cause },
      );
    case 'too-large':
      return new NotebookError(
        'too-large',
        t('{0} doesn’t accept audio files of this size. Choose another endpoint in Settings.', host),
        { action: 'openSettings', cause },
      );
    case 'unsupported':
      return new NotebookError(
        'unsupported',
        t(
          '{0} rejected the audio or the model {1}. Choose a model that returns timestamps, such as whisper-1, in Settings.',
          host,
          name,
        ),
        { action: 'openSettings', cause },
      );
    default:
      return known;
  }
}

function hostOf({ baseUrl }: EndpointAccess): string {
  return URL.parse(baseUrl)?.host ?? baseUrl;
}
