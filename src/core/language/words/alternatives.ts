/** Joins parts of patterns to the alternatives of one, each of them once: "a|b(?:c|d)" and "a|e" to "a|b(?:c|d)|e". */
export function joinAlternatives(parts: readonly string[]): string {
  return [...new Set(parts.flatMap(splitAlternatives))].join('|');
}

/** Returns the alternatives of a pattern, split at the bars outside its groups. */
function splitAlternatives(pattern: string): string[] {
  const alternatives: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of pattern.matchAll(/\\.|[()|]/gu)) {
    if (sign === '(') depth++;
    else if (sign === ')') depth--;
    else if (sign === '|' && depth === 0) {
      alternatives.push(pattern.slice(start, index));
      start = index + 1;
    }
  }
  return [...alternatives, pattern.slice(start)];
}
