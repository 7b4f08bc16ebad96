/** Picture in a message. */
export interface ModelImage {
  readonly mediaType: string;
  readonly base64: string;
}

/** Tool that a model can call. */
export interface ModelTool {
  readonly name: string;
  /** Purpose and result, for the model. */
  readonly description: string;
  /** JSON Schema of the input object. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Call of a tool by a model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Unvalidated input from the model. */
  readonly input: Readonly<Record<string, unknown>>;
  /** One sentence for the model if its input couldn't be read; `input` is empty then. */
  readonly problem?: string;
}

/** Message of a conversation with a language model. */
export interface ChatMessage {
  readonly role: 'assistant' | 'system' | 'user';
  readonly content: string;
  /** Tool calls of the model in this message. */
  readonly calls?: readonly ToolCall[];
  /** ID of the call whose result this message of the user contains. */
  readonly resultOf?: string;
  /** Omitted if the model turns out not to accept images. */
  readonly images?: readonly ModelImage[];
}

/** Token usage of a request, as the endpoint reports it. */
export interface ReportedUsage {
  readonly input: number;
  readonly output: number;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly temperature?: number;
  /** Maximum tokens of the reply, if the provider supports a limit. */
  readonly mostTokens?: number;
  /**
   * `true` if an incomplete reply is of use. Otherwise, the stream throws at the end of a reply that reached the maximum
   * length or that a content filter ended.
   */
  readonly acceptsPartial?: boolean;
  /** Tools that the model can call; only for models with tool support. */
  readonly tools?: readonly ModelTool[];
  /** Receives each complete tool call. */
  readonly onToolCall?: (call: ToolCall) => void;
  /** Receives the token usage of the request once, if the endpoint reports it. */
  readonly onUsage?: (usage: ReportedUsage) => void;
  /** Called before the first piece if the model doesn't accept the images and got the request without them. */
  readonly onImagesRefused?: () => void;
}

/** A language model of any provider. */
export interface LanguageModel {
  /** Name for the user. */
  readonly name: string;
  /** Context window in tokens, including the answer; undefined if unknown. */
  readonly windowTokens?: number | undefined;
  /** `true` if it accepts images; undefined if unknown. */
  readonly takesImages?: boolean | undefined;
  /** `true` if it supports tools; undefined if unknown. */
  readonly takesTools?: boolean | undefined;
  /** Counts the model's tokens of a text; undefined if it doesn't answer. Omitted if the model can't count. */
  readonly countTokens?: ((text: string, signal: AbortSignal) => Promise<number | undefined>) | undefined;
  /**
   * Yields the pieces of the reply on arrival.
   * @throws NotebookError if the model doesn't answer or breaks off; `no-tools` if it turns out not to support tools,
   * which is remembered: a request without tools works
   */
  stream(messages: readonly ChatMessage[], options: StreamOptions): AsyncIterable<string>;
}
