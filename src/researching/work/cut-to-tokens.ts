import { estimateTokens } from '../../language/tokens.ts';

/** What has too many tokens still loses at least so much more: 95 of 100 characters stay. */
const STAYS = 0.95;
/** A token has seldom more UTF-16 code units. */
const LONGEST_TOKEN = 6;

/** As much of a text from its beginning on as is of so many tokens: all of it, or a part that ends anywhere. */
export function cutToTokens(text: string, tokens: number): string {
  let rest = text.slice(0, Math.max(0, Math.floor(LONGEST_TOKEN * tokens)));
  for (let taken = estimateTokens(rest); rest !== '' && taken > tokens; taken = estimateTokens(rest))
    rest = rest.slice(0, Math.floor(Math.min(STAYS, tokens / taken) * rest.length));
  return rest.length < text.length ? rest.replace(/[\uD800-\uDBFF]$/, '') : text;
}
