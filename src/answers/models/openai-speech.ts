import { APIError } from 'openai';
import { t } from '@vscode/l10n';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import { createClient, type EndpointAccess } from './openai-client.ts';
import { toNotebookError } from './openai-errors.ts';

/** Endpoint with a text-to-speech model. */
interface SpeechEndpoint extends EndpointAccess {
  /** Name of the model. */
  readonly name: string;
}

/** Text to speak, and its voice and format. */
export interface SpeechRequest {
  readonly text: string;
  /** Name of the voice at the endpoint. */
  readonly voice: string;
  readonly format: 'mp3' | 'wav';
}

/** Options of a text-to-speech request. */
export interface SpeechOptions {
  readonly signal: AbortSignal;
  /** Timeout of one request from its first to its last byte, in milliseconds. */
  readonly timeout: number;
  readonly retries: number;
}

/** Maximum size of the sound for a few sentences, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Statuses of a server for an unknown URL. */
const UNKNOWN = new Set([404, 405, 501]);

/**
 * Generates speech: the bytes of a sound file in the requested format, or in another one if the endpoint prefers it.
 * @throws NotebookError `not-found` if the endpoint has no speech, `unsupported` if it doesn't accept the model or
 * voice, `too-large`, and the errors of other requests to it
 */
export async function speak(
  endpoint: SpeechEndpoint,
  { text, voice, format }: SpeechRequest,
  { signal, timeout, retries }: SpeechOptions,
): Promise<Uint8Array> {
  throwIfCanceled(signal);
  const { name } = endpoint;
  const host = URL.parse(endpoint.baseUrl)?.host ?? endpoint.baseUrl;
  const late = AbortSignal.timeout(timeout);
  let opened = false;
  try {
    const response = await createClient(endpoint, retries).audio.speech.create(
      { model: name, voice, input: text, response_format: format },
      { signal: AbortSignal.any([signal, late]), timeout },
    );
    opened = true;
    return await wholeBody(response, host);
  } catch (error) {
    throwIfCanceled(signal);
    if (late.aborted)
      throw new NotebookError('timeout', t('{0} didn’t generate speech in time. Try again.', host), {
        action: 'tryAgain',
        cause: error,
      });
    if (error instanceof APIError && UNKNOWN.has(Number(error.status)))
      throw new NotebookError(
        'not-found',
        t(
          '{0} can’t generate speech, or has no model named {1}. Set a text-to-speech endpoint and model in Settings. Your script is unchanged.',
          ...[host, name],
        ),
        { action: 'openSettings' },
      );
    const notebookError = toNotebookError(error, { access: endpoint, name, opened, arrived: false });
    const { cause } = notebookError;
    switch (notebookError.code) {
      case 'connection':
        throw notebookError.action === 'pickModel'
          ? new NotebookError(
              'connection',
              t(
                'No response from {0}. Check that the server is running and that its URL in Settings is correct.',
                host,
              ),
              { action: 'openSettings', cause },
            )
          : notebookError;
      case 'stream-cut':
        throw new NotebookError(
          'stream-cut',
          t('{0} stopped before all the audio arrived. Try again.', host),
          {
            action: 'tryAgain',
            cause,
          },
        );
      case 'rate-limited':
        throw notebookError.action === 'tryAgain'
          ? new NotebookError(
              'rate-limited',
              t('{0} is limiting requests. Wait a moment, then try again.', host),
              { action: 'tryAgain', cause },
            )
          : notebookError;
      case 'unsupported':
        throw new NotebookError(
          'unsupported',
          t(
            '{0} can’t generate speech with the model {1} and the voice {2}. Check the model and voices in Settings.',
            ...[host, name, voice],
          ),
          { action: 'openSettings', cause },
        );
      default:
        throw notebookError;
    }
  }
}

async function wholeBody(response: Response, host: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const body: AsyncIterable<Uint8Array> | null = response.body;
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BYTES)
      throw new NotebookError(
        'too-large',
        t('{0} returned far more audio than the text needs. Choose another model.', host),
        {
          action: 'openSettings',
        },
      );
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
