import { estimateTokens } from '../../core/language/tokens.ts';
import type { TokenUsage } from '../../core/domain/usage.ts';
import type { ChatMessage, LanguageModel, StreamOptions, ReportedUsage, ToolCall } from './language-model.ts';

/** Wraps a model so that it reports the token usage of every request: from the endpoint, or else estimated. */
export function withUsage(
  model: LanguageModel,
  onUsage: (usage: Omit<TokenUsage, 'cost'>) => void,
): LanguageModel {
  return {
    ...model,
    // Refused requests can change this value.
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
  let reportedUsage: ReportedUsage | undefined;
  let reply = '';
  let called = '';
  let isOver = false;
  try {
    const meter = (usage: ReportedUsage): void => {
      reportedUsage = usage;
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
    // A refused request used no tokens. A canceled one used those of the question and of the partial reply.
    if (reportedUsage !== undefined) onUsage({ ...reportedUsage, estimated: 0 });
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
