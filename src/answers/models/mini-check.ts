/** Reports whether a model is a fact-check model with its own format, which says only yes or no. */
export function isMiniCheck(name: string): boolean {
  return /\bbespoke-?minicheck\b/i.test(name);
}
