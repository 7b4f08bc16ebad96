import { estimateTokens } from '../../language/tokens.ts';
import type { TokenUsage } from '../../notebook/usage.ts';
import type { ChatMessage, LanguageModel, StreamOptions, ToldUsage } from './language-model.ts';

/** A model that tells after every request what it took and gave: as the endpoint says, else counted here. */
export function metered(
  model: LanguageModel,
  onUsage: (usage: Omit<TokenUsage, 'cost'>) => void,
): LanguageModel {
  return { ...model, stream: (messages, options) => meteredStream(model, messages, options, onUsage) };
}

async function* meteredStream(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  options: StreamOptions,
  onUsage: (usage: Omit<TokenUsage, 'cost'>) => void,
): AsyncIterable<string> {
  let told: ToldUsage | undefined;
  let reply = '';
  let isOver = false;
  try {
    const meter = (usage: ToldUsage): void => {
      told = usage;
    };
    for await (const piece of model.stream(messages, { ...options, onUsage: meter })) {
      reply += piece;
      yield piece;
    }
    isOver = true;
  } finally {
    // A request that was refused took nothing; one that was stopped took the question, and gave what had arrived.
    if (told !== undefined) onUsage({ ...told, estimated: 0 });
    else if (isOver || reply !== '') {
      const input = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
      const output = estimateTokens(reply);
      onUsage({ input, output, estimated: input + output });
    }
  }
}
