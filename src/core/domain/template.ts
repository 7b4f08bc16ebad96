/** Path of the templates below each folder of a workspace. */
export const TEMPLATE_FOLDER = ['.notebook', 'templates'] as const;

/** Instructions for a note that a model writes from sources. */
export interface Template {
  /** File name without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Instructions for the notes on each part of the sources, if they exceed the model's context window. */
  readonly notes: string;
  /** Instructions for the whole text. */
  readonly writing: string;
  /** `true` if it's about changes in the sources since a time from the user. */
  readonly asksSince: boolean;
  /** `true` to omit sentences that the sources don't support; otherwise they're marked. */
  readonly onlySupported?: boolean | undefined;
}

/** Reports whether two templates lead to different texts, whatever their names. */
export function isOtherTemplate(one: Template, other: Template): boolean {
  return (
    one.notes !== other.notes ||
    one.writing !== other.writing ||
    one.asksSince !== other.asksSince ||
    (one.onlySupported ?? false) !== (other.onlySupported ?? false)
  );
}

/** Start of the changes: the creation of a note, or a time in milliseconds since 1970. */
export type Since =
  | { readonly kind: 'note'; readonly title: string }
  | { readonly kind: 'time'; readonly at: number };
