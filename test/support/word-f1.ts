/** The words of a text as they are compared: lower-cased runs of letters, digits and underscores. */
export function lowerWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Returns the similarity of two texts by their words in any order: 1 for the same words, 0 for none in common. */
export function wordF1(found: readonly string[], expected: readonly string[]): number {
  if (expected.length === 0) return found.length === 0 ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common++;
  }
  return (2 * common) / (found.length + expected.length);
}

/** Returns how much of the word order is preserved: the longest common subsequence as a share of the expected words. */
export function scoreOrder(found: readonly string[], expected: readonly string[]): number {
  let above = new Uint32Array(expected.length + 1);
  for (const word of found) {
    const row = new Uint32Array(expected.length + 1);
    for (let i = 1; i <= expected.length; i++)
      row[i] = expected[i - 1] === word ? (above[i - 1] ?? 0) + 1 : Math.max(above[i] ?? 0, row[i - 1] ?? 0);
    above = row;
  }
  return (above[expected.length] ?? 0) / expected.length;
}
