/**
 * Returns the terms of a vocabulary that are similar to a term, with their similarity by common trigrams above a bound,
 * 0 to 1.
 */
export type SimilarTerms = (term: string) => ReadonlyMap<string, number>;

/** Minimum length of a term. Shorter terms share letters by chance: "form" and "farm". */
const MIN_LENGTH = 5;
/**
 * Minimum similarity of two forms of one word: "replication" and "replicates" have 0.67, "harvest" and "harbour"
 * 0.29.
 */
const ALIKE = 0.6;

/**
 * Indexes a vocabulary for lookups of terms that share most of their letters, such as "phosphorylated" and
 * "phosphorylation".
 */
export function similarTerms(vocabulary: Iterable<string>): SimilarTerms {
  const holding = new Map<string, string[]>();
  const sizes = new Map<string, number>();
  for (const term of vocabulary) {
    if (!isComparable(term)) continue;
    const groups = letterGroups(term);
    sizes.set(term, groups.size);
    for (const group of groups) {
      const terms = holding.get(group);
      if (terms === undefined) holding.set(group, [term]);
      else terms.push(term);
    }
  }
  const known = new Map<string, ReadonlyMap<string, number>>();
  return (term) => {
    const before = known.get(term);
    if (before !== undefined) return before;
    const similar = new Map<string, number>();
    if (isComparable(term)) {
      const groups = letterGroups(term);
      const shared = new Map<string, number>();
      for (const group of groups)
        for (const other of holding.get(group) ?? []) shared.set(other, (shared.get(other) ?? 0) + 1);
      for (const [other, count] of shared) {
        const alike = (2 * count) / (groups.size + (sizes.get(other) ?? 0));
        if (alike >= ALIKE && other !== term) similar.set(other, alike);
      }
    }
    known.set(term, similar);
    return similar;
  };
}

function isComparable(term: string): boolean {
  return term.length >= MIN_LENGTH && !/^\d/.test(term);
}

function letterGroups(term: string): Set<string> {
  const padded = `^${term}$`;
  const groups = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) groups.add(padded.slice(i, i + 3));
  return groups;
}
