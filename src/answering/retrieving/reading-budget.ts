/** Fits local models that are run with a small context. */
export const USUAL_WINDOW = 8192;
/** Of a small window the sources get this share; the rest is for the question, the conversation and the answer. */
const SHARE_OF_WINDOW = 0.375;
/** From so many tokens of window on so many are read: longer prompts cost more than they add. */
const STEPS = [
  { window: 128_000, tokens: 24_000 },
  { window: 32_000, tokens: 12_000 },
];

/** How many tokens of the sources are read for an answer, by a model's window where the user did not say it. */
export function tokensToRead(windowTokens: number | undefined, chosen: number | undefined): number {
  const window = windowTokens ?? USUAL_WINDOW;
  const step = STEPS.find((each) => window >= each.window);
  return chosen ?? step?.tokens ?? Math.floor(SHARE_OF_WINDOW * window);
}
