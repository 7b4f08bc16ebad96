/** Where the templates of a workspace stand, below each of its folders. */
export const TEMPLATE_FOLDER = ['.notebook', 'templates'] as const;

/** What a model is told to write of sources. */
export interface Template {
  /** That of its file, without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What is noted of each part of the sources, where they are more than the model reads at once. */
  readonly notes: string;
  /** How the whole is written. */
  readonly writing: string;
  /** Whether it is of what changed in the sources since a moment that the user says. */
  readonly asksSince: boolean;
  /** Whether sentences that the sources don't support are left out rather than marked. */
  readonly onlySupported?: boolean | undefined;
}

/** Whether something is written differently after one than after the other, whatever they are called. */
export function isOtherTemplate(one: Template, other: Template): boolean {
  return (
    one.notes !== other.notes ||
    one.writing !== other.writing ||
    one.asksSince !== other.asksSince ||
    (one.onlySupported ?? false) !== (other.onlySupported ?? false)
  );
}

/** Since when changes of sources are meant: since a note was made of them, or a moment in milliseconds since 1970. */
export type Since =
  | { readonly kind: 'note'; readonly title: string }
  | { readonly kind: 'time'; readonly at: number };
