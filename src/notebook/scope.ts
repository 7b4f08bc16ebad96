import type { Span } from '../language/span.ts';
import type { PathRule } from './included-paths.ts';

/** The part of a notebook that a question is asked of, where it is not the whole. */
export type Scope =
  | {
      readonly kind: 'sources';
      readonly sourceIds: readonly string[];
      /** Whether the question itself names them, by `@` and their titles. */
      readonly mentioned: boolean;
      /** Which files and folders of these sources are included, unless all are. */
      readonly paths?: readonly PathRule[];
    }
  /** The file that was open; `title` is its name. */
  | { readonly kind: 'file'; readonly uri: string; readonly title: string };

/** A source as it can be mentioned. */
interface Mentionable {
  readonly id: string;
  readonly title: string;
}

/** A source's title where a question mentions it, with the `@` and the quotes around it. */
interface Mention extends Span {
  readonly sourceIds: readonly string[];
}

/** How a title is mentioned: `@notes.md`, or `@"My notes.md"` where a space would end it. */
export function writeMention(title: string): string {
  return /\s/.test(title) ? `@"${title}"` : `@${title}`;
}

/**
 * The sources that a question mentions, each once, and the question without the mentions. An `@` that no source's title
 * follows is a part of the question.
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

/** The longest title that stands after an `@`. */
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
