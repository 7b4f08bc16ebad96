import { estimateTokens } from '../../../../core/language/tokens.ts';

/** Maximum share that remains after each cut: 95 of 100 characters. */
const STAYS = 0.95;
/** Maximum length of most tokens, in UTF-16 code units. */
const MAX_TOKEN_LENGTH = 6;

/** Returns the start of a text up to a number of tokens. The cut can be anywhere. */
export function cutToTokens(text: string, tokens: number): string {
  let rest = text.slice(0, Math.max(0, Math.floor(MAX_TOKEN_LENGTH * tokens)));
  for (
    let usedTokens = estimateTokens(rest);
    rest !== '' && usedTokens > tokens;
    usedTokens = estimateTokens(rest)
  )
    rest = rest.slice(0, Math.floor(Math.min(STAYS, tokens / usedTokens) * rest.length));
  return rest.length < text.length ? rest.replace(/[\uD800-\uDBFF]$/, '') : text;
}
