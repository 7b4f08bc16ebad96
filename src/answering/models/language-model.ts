/** A picture that goes with a message. */
export interface ModelImage {
  readonly mediaType: string;
  readonly base64: string;
}

/** A message of a conversation, as language models take it. */
export interface ChatMessage {
  readonly role: 'assistant' | 'system' | 'user';
  readonly content: string;
  /** Left out where the model turns out to take none. */
  readonly images?: readonly ModelImage[];
}

/** What a request took and gave, in tokens, as the endpoint says. */
export interface ToldUsage {
  readonly input: number;
  readonly output: number;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly temperature?: number;
  /** Tokens of the reply, at most, where the provider lets them be bounded. */
  readonly mostTokens?: number;
  /** Gets what the request took and gave, once, where the endpoint says so. */
  readonly onUsage?: (usage: ToldUsage) => void;
  /** The model takes no images, or not these: it is asked without them. Told before the first piece. */
  readonly onImagesRefused?: () => void;
}

/** A language model of any provider. */
export interface LanguageModel {
  /** The name that is shown. */
  readonly name: string;
  /** What it takes at once, its answer included, in tokens; undefined where nobody knows. */
  readonly windowTokens?: number | undefined;
  /** Whether it takes images; undefined where nobody knows. */
  readonly takesImages?: boolean | undefined;
  /** How many tokens a text is for the model; undefined where it doesn't say. Left out where nobody can ask it. */
  readonly countTokens?: ((text: string, signal: AbortSignal) => Promise<number | undefined>) | undefined;
  /** The pieces of the reply as they arrive. @throws NotebookError when the model does not answer or breaks off. */
  stream(messages: readonly ChatMessage[], options: StreamOptions): AsyncIterable<string>;
}
