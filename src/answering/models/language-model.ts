/** A message of a conversation, as language models take it. */
export interface ChatMessage {
  readonly role: 'assistant' | 'system' | 'user';
  readonly content: string;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly temperature?: number;
}

/** A language model of any provider. */
export interface LanguageModel {
  /** The name that is shown. */
  readonly name: string;
  /** What it takes at once, its answer included, in tokens; undefined where nobody knows. */
  readonly windowTokens?: number | undefined;
  /** The pieces of the reply as they arrive. @throws NotebookError when the model does not answer or breaks off. */
  stream(messages: readonly ChatMessage[], options: StreamOptions): AsyncIterable<string>;
}
