/** About how many tokens a text is: one for a Chinese, Japanese or Korean character, one for 3.5 others. */
export function estimateTokens(text: string): number {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return Math.ceil(dense + (text.length - dense) / 3.5);
}
