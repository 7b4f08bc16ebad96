import * as v from 'valibot';
import type { ModelAbilities } from '../../core/domain/model-choice.ts';
import type { Prices } from '../../core/domain/usage.ts';
import { anyFields, fields, fitting, maybe, wholeNumber } from '../../core/domain/json-schemas.ts';

/** Fields with the context window in the replies of various servers; OpenAI has none of them. */
const WINDOW_FIELDS = [
  'loaded_context_length',
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
];
const texts = fitting(v.string());

/**
 * Common fields of an entry in a list of models. `capabilities` is a list of names, or an object with a boolean for
 * each.
 */
const listed = fields({
  type: v.unknown(),
  capabilities: v.unknown(),
  architecture: fields({ input_modalities: texts, output_modalities: texts }),
  supported_parameters: texts,
  meta: fields({ n_ctx: wholeNumber }),
  pricing: fields({ prompt: v.string(), completion: v.string() }),
});
const flags = fields({
  /** Mistral's field, and Azure's. */
  completion_chat: v.boolean(),
  chat_completion: v.boolean(),
  function_calling: v.boolean(),
  vision: v.boolean(),
});

/** Matches the names of models that embed, hear, speak, or draw. */
const WRITES_NO_TEXT =
  /embed|whisper|(?<![a-z])tts(?![a-z])|dall-e|moderation|transcribe|rerank|(?<![a-z])(?:image|imagen|sora)(?![a-z])/i;

/** Matches the types of such models in lists. */
const TYPES_WITHOUT_TEXT = /^(?:embeddings?|image|rerank|audio|video|moderation|transcribe|tts|stt)$/i;

/** Reports whether a model of a list can write answers. */
export function writesText(model: { readonly id: string }): boolean {
  const { type, capabilities, architecture } = v.parse(listed, model);
  if (typeof type === 'string' && TYPES_WITHOUT_TEXT.test(type)) return false;
  const can = v.parse(flags, capabilities);
  if (can.completion_chat === false || can.chat_completion === false) return false;
  const writes = architecture?.output_modalities ?? [];
  return writes.length > 0 ? writes.includes('text') : !WRITES_NO_TEXT.test(model.id);
}

/** Returns the abilities in an entry of a list of models, for all known servers. */
export function reportedAbilities(model: object): ModelAbilities {
  const reported = v.parse(listed, model);
  const can = v.parse(flags, reported.capabilities);
  const abilities = v.parse(maybe(texts), reported.capabilities) ?? [];
  const takes = reported.architecture?.input_modalities ?? [];
  const parameters = reported.supported_parameters ?? [];
  const modelFields = v.parse(anyFields, model);
  const windows = WINDOW_FIELDS.map((name) => v.parse(maybe(wholeNumber), modelFields[name]));
  return readAbilities({
    windowTokens: [...windows, reported.meta?.n_ctx].find((window) => window !== undefined),
    tools:
      can.function_calling ??
      among(abilities, 'tool_use', 'tools') ??
      (parameters.length > 0 ? parameters.includes('tools') : undefined),
    images:
      can.vision ??
      (reported.type === 'vlm' ? true : undefined) ??
      among(abilities, 'vision', 'multimodal') ??
      (takes.length > 0 ? takes.includes('image') : undefined),
  });
}

/** Returns the prices in an entry of a list, where they are US dollars per token as text. */
export function reportedPrices(model: object): { readonly prices?: Prices } {
  const { pricing } = v.parse(listed, model);
  const [input, output] = [pricing?.prompt, pricing?.completion].map((price) => {
    const amount = Number.parseFloat(price ?? '');
    return amount >= 0 && Number.isFinite(1_000_000 * amount) ? 1_000_000 * amount : undefined;
  });
  return input === undefined || output === undefined ? {} : { prices: { input, output } };
}

/** Returns only the known abilities. */
export function readAbilities({ windowTokens, tools, images }: ModelAbilities): ModelAbilities {
  return {
    ...(windowTokens !== undefined && { windowTokens }),
    ...(tools !== undefined && { tools }),
    ...(images !== undefined && { images }),
  };
}

function among(reported: readonly string[], ...names: readonly string[]): boolean | undefined {
  return reported.length === 0 ? undefined : names.some((name) => reported.includes(name));
}
