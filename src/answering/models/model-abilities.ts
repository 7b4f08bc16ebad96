import type { ModelAbilities } from '../../notebook/model-choice.ts';
import type { Prices } from '../../notebook/usage.ts';
import { readFields, readWholeNumber, readStrings } from '../../notebook/json-fields.ts';

/** Where servers tell how much a model takes: none of it is in OpenAI's own answer. */
const WINDOW_FIELDS = [
  'loaded_context_length',
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
];
/** Models that embed, hear, speak or draw, by the names that they go by. */
const WRITES_NO_TEXT = /embed|whisper|tts|dall-e|moderation|transcribe|rerank|image|sora/i;

/** Whether a model of a list may write answers. */
export function writesText(model: { readonly id: string }): boolean {
  const told = readFields(model);
  if (told['type'] === 'embeddings' || told['type'] === 'embedding') return false;
  if (readFields(told['capabilities'])['completion_chat'] === false) return false;
  const writes = readStrings(readFields(told['architecture'])['output_modalities']);
  return writes.length > 0 ? writes.includes('text') : !WRITES_NO_TEXT.test(model.id);
}

/** What an entry of a list of models tells of one, wherever servers tell it. */
export function reportedAbilities(model: object): ModelAbilities {
  const told = readFields(model);
  const can = readFields(told['capabilities']);
  const abilities = readStrings(told['capabilities']);
  const takes = readStrings(readFields(told['architecture'])['input_modalities']);
  const parameters = readStrings(told['supported_parameters']);
  return readAbilities({
    windowTokens: [...WINDOW_FIELDS.map((name) => told[name]), readFields(told['meta'])['n_ctx']]
      .map(readWholeNumber)
      .find((window) => window !== undefined),
    tools:
      flag(can['function_calling']) ??
      among(abilities, 'tool_use', 'tools') ??
      (parameters.length > 0 ? parameters.includes('tools') : undefined),
    images:
      flag(can['vision']) ??
      (told['type'] === 'vlm' ? true : undefined) ??
      among(abilities, 'vision', 'multimodal') ??
      (takes.length > 0 ? takes.includes('image') : undefined),
  });
}

/** What an entry of a list tells of prices: US dollars for one token, as text. */
export function reportedPrices(model: object): { readonly prices?: Prices } {
  const told = readFields(readFields(model)['pricing']);
  const [input, output] = [told['prompt'], told['completion']].map((price) => {
    const amount = typeof price === 'string' ? Number.parseFloat(price) : Number.NaN;
    return amount >= 0 ? 1_000_000 * amount : undefined;
  });
  return input === undefined || output === undefined ? {} : { prices: { input, output } };
}

/** Abilities without those that nobody told. */
export function readAbilities({ windowTokens, tools, images }: ModelAbilities): ModelAbilities {
  return {
    ...(windowTokens !== undefined && { windowTokens }),
    ...(tools !== undefined && { tools }),
    ...(images !== undefined && { images }),
  };
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function among(told: readonly string[], ...names: readonly string[]): boolean | undefined {
  return told.length === 0 ? undefined : names.some((name) => told.includes(name));
}
