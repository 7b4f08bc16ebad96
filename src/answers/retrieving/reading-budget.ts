/** Suits local models that run with a small context window. */
export const USUAL_WINDOW = 8192;
/** Share of a small context window for the sources; the rest is for the question, the conversation, and the answer. */
const SHARE_OF_WINDOW = 0.375;
/** Numbers of tokens to read for large context windows: longer prompts cost more than they add. */
const STEPS = [
  { window: 128_000, tokens: 24_000 },
  { window: 32_000, tokens: 12_000 },
];

/**
 * Returns the number of tokens of sources to read for an answer: the user's setting, or a number that suits the model's
 * context window.
 */
export function tokensToRead(windowTokens: number | undefined, chosen: number | undefined): number {
  const window = windowTokens ?? USUAL_WINDOW;
  const step = STEPS.find((each) => window >= each.window);
  return chosen ?? step?.tokens ?? Math.floor(SHARE_OF_WINDOW * window);
}
