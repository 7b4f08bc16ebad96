/** A picture that goes with a message. */
export interface ModelImage {
  readonly mediaType: string;
  readonly base64: string;
}

/** A tool that a model may call. */
export interface ModelTool {
  readonly name: string;
  /** What it is for and what it gives, for the model. */
  readonly description: string;
  /** What it takes, as a JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A model's call of a tool. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model gave it: nothing of it can be relied on. */
  readonly input: Readonly<Record<string, unknown>>;
  /** One sentence for the model where what it gave could not be read; `input` is empty then. */
  readonly problem?: string;
}

/** A message of a conversation, as language models take it. */
export interface ChatMessage {
  readonly role: 'assistant' | 'system' | 'user';
  readonly content: string;
  /** The tools that the model called with this message of its own. */
  readonly calls?: readonly ToolCall[];
  /** The id of the call that this message of the user's tells the result of. */
  readonly resultOf?: string;
  /** Left out where the model turns out to take none. */
  readonly images?: readonly ModelImage[];
}

/** What a request took and gave, in tokens, as the endpoint says. */
export interface ReportedUsage {
  readonly input: number;
  readonly output: number;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly temperature?: number;
  /** Tokens of the reply, at most, where the provider lets them be bounded. */
  readonly mostTokens?: number;
  /** The tools that the model may call; only for a model that takes them. */
  readonly tools?: readonly ModelTool[];
  /** Gets each call of a tool, once it is whole. */
  readonly onToolCall?: (call: ToolCall) => void;
  /** Gets what the request took and gave, once, where the endpoint says so. */
  readonly onUsage?: (usage: ReportedUsage) => void;
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
  /** Whether it takes tools; undefined where nobody knows. */
  readonly takesTools?: boolean | undefined;
  /** How many tokens a text is for the model; undefined where it doesn't say. Left out where nobody can ask it. */
  readonly countTokens?: ((text: string, signal: AbortSignal) => Promise<number | undefined>) | undefined;
  /**
   * The pieces of the reply as they arrive.
   * @throws NotebookError when the model does not answer or breaks off; `no-tools` where it turns out to take no tools:
   * it is known from then on, and it can be asked again without them.
   */
  stream(messages: readonly ChatMessage[], options: StreamOptions): AsyncIterable<string>;
}
