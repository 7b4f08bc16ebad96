import type { Span } from '../language/span.ts';
import type { PathRule } from './included-paths.ts';

/** Search scope of a question, unless it's the whole notebook. */
export type Scope =
  | {
      readonly kind: 'sources';
      readonly sourceIds: readonly string[];
      /** `true` if the question itself mentions them by `@` and their titles. */
      readonly mentioned: boolean;
      /** Included files and folders of these sources, unless all are. */
      readonly paths?: readonly PathRule[];
    }
  /** Open file; `title` is its name. */
  | { readonly kind: 'file'; readonly uri: string; readonly title: string };

/** Source that can be mentioned. */
interface Mentionable {
  readonly id: string;
  readonly title: string;
}

/** Mention of a source's title in a question, including the `@` and the quotation marks. */
interface Mention extends Span {
  readonly sourceIds: readonly string[];
}

/** Returns the mention of a title: `@notes.md`, or `@"My notes.md"` if a space would end it. */
export function writeMention(title: string): string {
  return /\s/.test(title) ? `@"${title}"` : `@${title}`;
}

/**
 * Returns the sources that a question mentions, each once, and the question without the mentions. An `@` without the
 * title of a source is part of the question.
 */
export function readMentions(
  question: string,
  sources: readonly Mentionable[],
): { readonly sourceIds: readonly string[]; readonly rest: string } {
  const sourceIds = new Set<string>();
  let rest = '';
  let from = 0;
  for (const { index } of question.matchAll(/(?<![\p{L}\p{N}_])@/gu)) {
    const mention = index < from ? undefined : mentionAt(question, index, sources);
    if (mention === undefined) continue;
    for (const id of mention.sourceIds) sourceIds.add(id);
    rest += question.slice(from, mention.start);
    from = mention.end;
  }
  rest += question.slice(from);
  if (sourceIds.size > 0) rest = rest.replaceAll(/[ \t]{2,}/g, ' ').trim();
  return { sourceIds: [...sourceIds], rest };
}

/** Returns the longest title after an `@`. */
function mentionAt(question: string, start: number, sources: readonly Mentionable[]): Mention | undefined {
  let end = start;
  let sourceIds: string[] = [];
  for (const { id, title } of sources) {
    const written = [`@"${title}"`, `@${title}`].find((mention) => standsAt(question, start, mention));
    if (title === '' || written === undefined || start + written.length < end) continue;
    if (start + written.length > end) sourceIds = [];
    end = start + written.length;
    sourceIds.push(id);
  }
  return sourceIds.length === 0 ? undefined : { start, end, sourceIds };
}

function standsAt(question: string, start: number, mention: string): boolean {
  const end = start + mention.length;
  if (question.slice(start, end).toLowerCase() !== mention.toLowerCase()) return false;
  return !/^[\p{L}\p{N}_]/u.test(question.slice(end)) || mention.endsWith('"');
}
