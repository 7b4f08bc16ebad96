/** Request to a model, recorded for inspection and replay. */
export interface RecordedRequest {
  readonly kind: 'request';
  /** Purpose: `plan`, `critic`, `act`, `explain`, `self-check`, and the like. */
  readonly purpose: string;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly reply: string;
  /** Tool calls in the reply, if the model calls tools itself. */
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
  }[];
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  /** Milliseconds. */
  readonly time: number;
  readonly error?: string;
  /** Kind of error, if it affects the next action. */
  readonly code?: string;
  /** The model's context window, in tokens, and whether it supported tools, which determine the prompts. */
  readonly windowTokens?: number;
  readonly takesTools?: boolean;
  /** `true` if some of its texts were too long to save in full. */
  readonly isCut?: boolean;
}
