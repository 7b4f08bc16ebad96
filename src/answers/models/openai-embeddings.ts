import { APIError, type OpenAI } from 'openai';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import { estimateTokens } from '../../core/language/tokens.ts';
import type { TokenUsage } from '../../core/domain/usage.ts';
import { createClient, throwErrorIn, type EndpointAccess } from './openai-client.ts';
import { toNotebookError } from './openai-errors.ts';
import { parseJson, readEmbeddings } from './server-replies.ts';
import { fields, wholeNumber } from '../../core/domain/json-schemas.ts';

interface EmbeddingEndpoint extends EndpointAccess {
  /** Name of the model. */
  readonly name: string;
}

/** Options of embedding requests. */
export interface EmbeddingOptions {
  readonly signal: AbortSignal;
  /** Timeout of one request, in milliseconds. */
  readonly timeout: number;
  readonly retries: number;
  /** Receives the token usage of each request: from the endpoint, or else estimated. */
  readonly onUsage?: (usage: Omit<TokenUsage, 'cost'>) => void;
}

const counted = fields({ usage: fields({ prompt_tokens: wholeNumber }) });

/** Statuses of an endpoint for too much input at once. */
const TOO_MUCH = new Set([400, 413, 422]);
/** Base URL and name of models at endpoints that don't return embeddings in Base64. */
const withoutBase64 = new Set<string>();
/** Maximum number of times that a single text is cut in half before it's skipped. */
const MAX_SPLITS = 3;

/**
 * Returns the embeddings of texts, in order; null for a text that the model doesn't accept even in a short form. Splits
 * the texts if they are too much for one request.
 * @throws NotebookError if the endpoint doesn't answer, rejects the key, or has no such model
 */
export async function embedTexts(
  endpoint: EmbeddingEndpoint,
  texts: readonly string[],
  options: EmbeddingOptions,
): Promise<(Float32Array | null)[]> {
  throwIfCanceled(options.signal);
  const client = createClient(endpoint, options.retries);
  const known = `${endpoint.baseUrl} ${endpoint.name}`;
  const embed = async (part: readonly string[], cuts = 0): Promise<(Float32Array | null)[]> => {
    if (part.length === 0) return [];
    const isBase64 = !withoutBase64.has(known);
    try {
      return await request(client, endpoint.name, part, { ...options, isBase64 });
    } catch (error) {
      if (isBase64 && isRefusedFormat(error)) {
        withoutBase64.add(known);
        return await embed(part, cuts);
      }
      if (!isTooMuch(error, part.length)) throw error;
      const middle = Math.ceil(part.length / 2);
      if (part.length > 1)
        return [...(await embed(part.slice(0, middle))), ...(await embed(part.slice(middle)))];
      if (cuts === MAX_SPLITS) return [null];
      return await embed(
        part.map((text) => text.slice(0, Math.ceil(text.length / 2))),
        cuts + 1,
      );
    }
  };
  try {
    return await embed(texts);
  } catch (error) {
    throwIfCanceled(options.signal);
    throw toNotebookError(error, { access: endpoint, name: endpoint.name, opened: false, arrived: false });
  }
}

async function request(
  client: OpenAI,
  model: string,
  texts: readonly string[],
  { signal, timeout, onUsage, isBase64 }: EmbeddingOptions & { readonly isBase64: boolean },
): Promise<(Float32Array | null)[]> {
  const response = await client.embeddings
    .create(
      // Base64 needs a fraction of the bytes of written numbers. Most endpoints that don't support it return numbers.
      { model, input: [...texts], encoding_format: isBase64 ? 'base64' : 'float' },
      { signal, timeout },
    )
    .asResponse();
  const reply = parseJson(await response.text());
  throwErrorIn(reply, response.headers);
  onUsage?.(readUsage(reply, texts));
  const vectors = readEmbeddings(reply, texts.length).map(decode);
  const isValid = (vector: Float32Array): boolean => vector.length > 0 && vector.every(Number.isFinite);
  // Some models fail on single texts, and their servers write null or NaN for these.
  if (vectors.some((vector) => vector.length === 0) || (texts.length > 1 && !vectors.some(isValid)))
    throw new NotebookError(
      'server',
      t('{0} didn’t return an embedding for every text. Check that it’s an embedding model.', model),
      {
        action: 'openSettings',
      },
    );
  return vectors.map((vector) => (isValid(vector) ? vector : null));
}

function readUsage(reported: unknown, texts: readonly string[]): Omit<TokenUsage, 'cost'> {
  const input = v.parse(counted, reported).usage?.prompt_tokens;
  if (input !== undefined) return { input, output: 0, estimated: 0 };
  const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return { input: estimated, output: 0, estimated };
}

/** Decodes little-endian 32-bit numbers in Base64, or a list of numbers. */
function decode(embedding: unknown): Float32Array {
  if (typeof embedding === 'string') {
    const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));
    return bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : new Float32Array();
  }
  return Array.isArray(embedding)
    ? Float32Array.from(embedding, (value) => (typeof value === 'number' ? value : Number.NaN))
    : new Float32Array();
}

/** Reports whether an endpoint refused the format of the embeddings. */
function isRefusedFormat(error: unknown): boolean {
  return (
    error instanceof APIError &&
    Number(error.status) >= 400 &&
    /encoding_?format|base64/i.test(`${error.param ?? ''} ${error.message}`)
  );
}

/** Reports whether an endpoint may accept fewer texts at once, or a shorter one. */
function isTooMuch(error: unknown, count: number): boolean {
  if (!(error instanceof APIError)) return false;
  // Ollama fails as a whole if its model fails on one of the texts.
  if (Number(error.status) >= 500 && error.message.includes('unsupported value: NaN')) return true;
  if (!TOO_MUCH.has(Number(error.status))) return false;
  if (count > 1 && /batch/i.test(error.message)) return true;
  return !isFollowed(error.message, /model\b/i, /not found|does not exist|not support/i);
}

/**
 * Reports whether one pattern follows another in a line, as `/first.*then/` would, in linear time. Uses only the first
 * match of `first` in a line, so a pattern that can match in several places should end at the first of them.
 */
function isFollowed(text: string, first: RegExp, then: RegExp): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const match = first.exec(line);
    return match !== null && then.test(line.slice(match.index + match[0].length));
  });
}
