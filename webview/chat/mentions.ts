import { writeMention } from '../../src/core/domain/scope.ts';
import type { Span } from '../../src/core/language/span.ts';
import type { MentionableSource } from '../../src/features/chat/protocol.ts';

/** Maximum number of suggestions that fit above the input without a search field. */
const MAX_SUGGESTIONS = 8;

/** Incomplete mention: the position of its `@`, and the text after it. */
interface TypedMention {
  readonly start: number;
  readonly typed: string;
}

/** Returns the mention that ends at the cursor; undefined if there is none. */
export function typedMention(text: string, cursor: number): TypedMention | undefined {
  const match = /(?<![\p{L}\p{N}_])@"?([^"@\n]*)$/u.exec(text.slice(0, cursor));
  return match === null ? undefined : { start: match.index, typed: match[1] ?? '' };
}

/** Returns the sources to suggest for the typed text, titles with this prefix first. Empty once a title is complete. */
export function suggestSources(
  sources: readonly MentionableSource[],
  typed: string,
): readonly MentionableSource[] {
  const query = typed.toLowerCase();
  const ranked = sources.map((source) => ({ source, rank: rankTitle(source.title.toLowerCase(), query) }));
  if (query !== '' && ranked.some(({ rank }) => rank === 0)) return [];
  return ranked
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ source }) => source);
}

function rankTitle(title: string, query: string): number {
  if (title === query) return 0;
  if (title.startsWith(query)) return 1;
  const at = title.indexOf(query);
  if (at < 0) return Infinity;
  return /[\p{L}\p{N}]/u.test(title.charAt(at - 1)) ? 3 : 2;
}

/** Returns the question with the mention completed, and the new cursor position. */
export function complete(
  text: string,
  cursor: number,
  { start }: TypedMention,
  title: string,
): { readonly text: string; readonly cursor: number } {
  const before = `${text.slice(0, start)}${writeMention(title)} `;
  return { text: before + text.slice(cursor).replace(/^"?[ \t]*/, ''), cursor: before.length };
}

/** Returns the question with sources mentioned at a span, and the new cursor position. */
export function withMentions(
  text: string,
  { start, end }: Span,
  titles: readonly string[],
): { readonly text: string; readonly cursor: number } {
  const before = text.slice(0, start);
  const gap = before === '' || /\s$/.test(before) ? '' : ' ';
  const mentioned = `${before}${gap}${titles.map((title) => `${writeMention(title)} `).join('')}`;
  return { text: mentioned + text.slice(end).replace(/^[ \t]+/, ''), cursor: mentioned.length };
}
