import type { ChatMessage } from '../../../../answers/models/language-model.ts';
import { estimateTokens } from '../../../../core/language/tokens.ts';
import { callsAsText } from './calls.ts';

/** Tokens of a message in addition to its text. */
const MESSAGE_OVERHEAD = 8;

interface StoredMessage {
  message: ChatMessage;
  tokens: number;
  /** Replacement if there is no room for the whole message; undefined if the message has to stay. */
  readonly short: string | undefined;
  isShort: boolean;
}

/** Messages between model and worker for a step, within the model's context window. */
export class Conversation {
  readonly #said: StoredMessage[] = [];

  /** Adds a message. `short` replaces it once there is no room for the whole. */
  add(message: ChatMessage, short?: string): void {
    this.#said.push({ message, tokens: countTokens(message), short, isShort: false });
  }

  /** Replaces the first message, and converts tool calls to lines. */
  replaceFirst(content: string): void {
    for (const said of this.#said) {
      const { role, content: words, calls = [] } = said.message;
      said.message = { role, content: said === this.#said[0] ? content : words + callsAsText(calls) };
      said.tokens = countTokens(said.message);
    }
  }

  /** Messages so far, in order. */
  get messages(): readonly ChatMessage[] {
    return this.#said.map(({ message }) => message);
  }

  /** Approximate number of tokens so far. */
  get tokens(): number {
    return this.#said.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /**
   * Shortens messages until the total is within the token limit, oldest first and never the last. Returns the number of
   * shortened messages.
   */
  fit(tokens: number): number {
    let shortened = 0;
    for (const said of this.#said.slice(0, -1)) {
      if (this.tokens <= tokens) break;
      if (said.short === undefined || said.isShort) continue;
      said.message = { ...said.message, content: said.short };
      said.tokens = countTokens(said.message);
      said.isShort = true;
      shortened++;
    }
    return shortened;
  }
}

/** Cache of token counts. Each request needs them, and counting a long message takes milliseconds. */
const counted = new WeakMap<ChatMessage, number>();

/** Counts the tokens of a message, including its calls. */
export function countTokens(message: ChatMessage): number {
  let tokens = counted.get(message);
  if (tokens === undefined) {
    const { content, calls = [] } = message;
    tokens = estimateTokens(content + callsAsText(calls)) + MESSAGE_OVERHEAD;
    counted.set(message, tokens);
  }
  return tokens;
}
