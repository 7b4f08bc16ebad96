import { APIError, type OpenAI } from 'openai';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import { estimateTokens } from '../../language/tokens.ts';
import type { TokenUsage } from '../../notebook/usage.ts';
import { createClient, type EndpointAccess } from './openai-client.ts';
import { toNotebookError } from './openai-errors.ts';
import { fields, fitting, wholeNumber } from '../../notebook/json-schemas.ts';

interface EmbeddingEndpoint extends EndpointAccess {
  /** Name of the model. */
  readonly name: string;
}

interface EmbeddingOptions {
  readonly signal: AbortSignal;
  /** Timeout of one request, in milliseconds. */
  readonly timeout: number;
  readonly retries: number;
  /** Receives the token usage of each request: from the endpoint, or else estimated. */
  readonly onUsage?: (usage: Omit<TokenUsage, 'cost'>) => void;
}

const counted = fields({ usage: fields({ prompt_tokens: wholeNumber }) });

const embeddings = fitting(
  v.object({ index: v.pipe(v.number(), v.integer(), v.minValue(0)), embedding: v.unknown() }),
);

/** Statuses of an endpoint for too much input at once. */
const TOO_MUCH = new Set([400, 413, 422]);
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
  throwIfCancelled(options.signal);
  const client = createClient(endpoint, options.retries);
  const embed = async (part: readonly string[], cuts = 0): Promise<(Float32Array | null)[]> => {
    if (part.length === 0) return [];
    try {
      return await request(client, endpoint.name, part, options);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
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
    throwIfCancelled(options.signal);
    throw toNotebookError(error, { access: endpoint, name: endpoint.name, opened: false, arrived: false });
  }
}

async function request(
  client: OpenAI,
  model: string,
  texts: readonly string[],
  { signal, timeout, onUsage }: EmbeddingOptions,
): Promise<Float32Array[]> {
  const { data, ...told } = await client.embeddings.create(
    // Base64 needs a fraction of the bytes of written numbers. An endpoint that doesn't support it returns numbers
    // anyway.
    { model, input: [...texts], encoding_format: 'base64' },
    { signal, timeout },
  );
  onUsage?.(readUsage(told, texts));
  const vectors: (Float32Array | undefined)[] = texts.map(() => undefined);
  // An index may be any number, even one that would create a list of billions.
  for (const { index, embedding } of v.parse(embeddings, data))
    if (index < texts.length) vectors[index] = decode(embedding);
  return vectors.map((vector) => {
    if (vector === undefined || vector.length === 0 || !vector.every(Number.isFinite))
      throw new NotebookError(
        'server',
        t('{0} didn’t return an embedding for every text. Check that it’s an embedding model.', model),
        {
          action: 'openSettings',
        },
      );
    return vector;
  });
}

function readUsage(told: object, texts: readonly string[]): Omit<TokenUsage, 'cost'> {
  const input = v.parse(counted, told).usage?.prompt_tokens;
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

function isTooMuch(error: unknown): boolean {
  return (
    error instanceof APIError &&
    TOO_MUCH.has(Number(error.status)) &&
    !isFollowed(error.message, /model\b/i, /not found|does not exist|not support/i)
  );
}

/**
 * Reports whether one pattern follows another in a line, as `/first.*then/` would, in linear time. Uses only the first
 * match of `first` in a line, so a pattern that can match in several places should end at the first of them.
 */
function isFollowed(text: string, first: RegExp, then: RegExp): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const found = first.exec(line);
    return found !== null && then.test(line.slice(found.index + found[0].length));
  });
}
