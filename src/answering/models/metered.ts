import { estimateTokens } from '../../language/tokens.ts';
import type { TokenUsage } from '../../notebook/usage.ts';
import type { ChatMessage, LanguageModel, StreamOptions, ReportedUsage, ToolCall } from './language-model.ts';

/** A model that tells after every request what it took and gave: as the endpoint says, else counted here. */
export function metered(
  model: LanguageModel,
  onUsage: (usage: Omit<TokenUsage, 'cost'>) => void,
): LanguageModel {
  return {
    ...model,
    // What a refusal teaches of it is known from then on.
    get takesTools() {
      return model.takesTools;
    },
    stream: (messages, options) => meteredStream(model, messages, options, onUsage),
  };
}

async function* meteredStream(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  options: StreamOptions,
  onUsage: (usage: Omit<TokenUsage, 'cost'>) => void,
): AsyncIterable<string> {
  let told: ReportedUsage | undefined;
  let reply = '';
  let called = '';
  let isOver = false;
  try {
    const meter = (usage: ReportedUsage): void => {
      told = usage;
    };
    const onToolCall = (call: ToolCall): void => {
      called += `${call.name} ${JSON.stringify(call.input)}\n`;
      options.onToolCall?.(call);
    };
    const meteredOptions = { ...options, onUsage: meter, ...(options.onToolCall && { onToolCall }) };
    for await (const piece of model.stream(messages, meteredOptions)) {
      reply += piece;
      yield piece;
    }
    isOver = true;
  } finally {
    // A request that was refused took nothing; one that was stopped took the question, and gave what had arrived.
    if (told !== undefined) onUsage({ ...told, estimated: 0 });
    else if (isOver || reply !== '') {
      const tools = options.tools === undefined ? 0 : estimateTokens(JSON.stringify(options.tools));
      const input = messages.reduce((sum, message) => sum + estimateMessage(message), tools);
      const output = estimateTokens(reply) + (called === '' ? 0 : estimateTokens(called));
      onUsage({ input, output, estimated: input + output });
    }
  }
}

function estimateMessage({ content, calls = [] }: ChatMessage): number {
  return estimateTokens(content) + (calls.length === 0 ? 0 : estimateTokens(JSON.stringify(calls)));
}
