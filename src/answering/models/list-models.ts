import { throwIfCancelled } from '../../notebook/errors.ts';
import { createClient } from './openai-client.ts';
import { toNotebookError } from './openai-errors.ts';

/** A model that an endpoint offers. */
export interface OfferedModel {
  readonly name: string;
  /** What it takes at once, in tokens, where the endpoint says so. */
  readonly windowTokens: number | undefined;
}

export interface ListOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly timeout: number;
}

/** Where servers tell how much a model takes: none of it is in OpenAI's own answer. */
const WINDOW_FIELDS = ['context_length', 'max_model_len', 'context_window', 'max_context_length'];
/** Models that embed, hear, speak or draw, by the names that they go by. */
const WRITES_NO_TEXT = /embed|whisper|tts|dall-e|moderation|transcribe|rerank|image|sora/i;

/**
 * The models of an OpenAI-compatible endpoint that may write answers, by name.
 * @throws NotebookError where the endpoint does not answer, or refuses the key.
 */
export async function listModels(options: ListOptions): Promise<OfferedModel[]> {
  const { baseUrl, apiKey = '', signal, timeout } = options;
  const client = createClient({ ...options, retries: 0 });
  try {
    const { data } = await client.models.list({ signal, timeout });
    return data
      .filter(({ id }) => !WRITES_NO_TEXT.test(id))
      .map((model) => ({ name: model.id, windowTokens: windowOf(model) }))
      .sort((a, b) => a.name.localeCompare(b.name));
  } catch (error) {
    throwIfCancelled(signal);
    throw toNotebookError(error, { baseUrl, name: 'models', apiKey, opened: false, arrived: false });
  }
}

function windowOf(model: object): number | undefined {
  const fields = new Map<string, unknown>(Object.entries(model));
  const meta = fields.get('meta');
  const told = [
    ...WINDOW_FIELDS.map((name) => fields.get(name)),
    ...(typeof meta === 'object' && meta !== null && 'n_ctx' in meta ? [meta.n_ctx] : []),
  ];
  return told.find((value): value is number => typeof value === 'number' && value > 0);
}
