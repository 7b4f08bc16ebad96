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
  /** The model's. */
  readonly name: string;
}

interface EmbeddingOptions {
  readonly signal: AbortSignal;
  /** How long one request may take, in milliseconds. */
  readonly timeout: number;
  readonly retries: number;
  /** Gets what each request took: as the endpoint says, else counted here. */
  readonly onUsage?: (usage: Omit<TokenUsage, 'cost'>) => void;
}

const counted = fields({ usage: fields({ prompt_tokens: wholeNumber }) });

const embeddings = fitting(
  v.object({ index: v.pipe(v.number(), v.integer(), v.minValue(0)), embedding: v.unknown() }),
);

/** Statuses by which an endpoint says that it was asked for too much at once. */
const TOO_MUCH = new Set([400, 413, 422]);
/** A single text that is too long for the model is cut in half so many times before it is given up. */
const MOST_CUTS = 3;

/**
 * The vectors of texts, in their order; null for one that the model does not take however short it is cut. What is too
 * much for one request is asked for in halves.
 * @throws NotebookError where the endpoint does not answer, refuses the key or has no such model.
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
      if (cuts === MOST_CUTS) return [null];
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
    // A fraction of the bytes of written numbers; an endpoint that does not know it gives numbers all the same.
    { model, input: [...texts], encoding_format: 'base64' },
    { signal, timeout },
  );
  onUsage?.(readUsage(told, texts));
  const vectors: (Float32Array | undefined)[] = texts.map(() => undefined);
  // Any number may come as an index, also one that makes a list of billions.
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

/** Little-endian 32-bit numbers in base 64, or the numbers. */
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
 * Whether something stands after something else in one line, as `/first.*then/` would find, in time that grows with the
 * text. `first` is found once a line: what may begin in several places should end at the first of them.
 */
function isFollowed(text: string, first: RegExp, then: RegExp): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const found = first.exec(line);
    return found !== null && then.test(line.slice(found.index + found[0].length));
  });
}
