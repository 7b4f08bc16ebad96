import type { MapNode } from '../notebook/studio.ts';
import { makingInPieces } from './sheet.ts';
import { keyTerms, termsOfDocument, type Term } from './terms.ts';

const MOST_TERMS = 60;
const MOST_NEIGHBOURS = 8;
/** Terms that stand together less often do so by chance. */
const FEWEST_TOGETHER = 2;

/** Terms that stand in the same sentences, with the first of these. */
interface Pair {
  readonly other: Term;
  readonly strength: number;
  readonly together: readonly string[];
}

/**
 * The terms that tell most, and below each those that stand together with it in sentences more often than chance has
 * it; these open the first sentence that holds both. What did not fit are further terms, and further ones below a term.
 */
export const conceptMap = makingInPieces(termsOfDocument, (documents) => {
  const parts = documents.flat();
  const { terms, omitted } = keyTerms(parts, MOST_TERMS);
  let left = omitted;
  const sentences = new Map(terms.map((term) => [term, new Set(term.places.map(placeKey))]));
  const sentenceCount = parts.reduce((sum, part) => sum + part.sentences.length, 0);
  const findPlace = (key: string | undefined): MapNode['place'] => {
    const [part, sentence] = (key ?? '').split(' ').map(Number);
    return parts[part ?? -1]?.sentences[sentence ?? -1];
  };
  const nodes = terms.flatMap((term): MapNode[] => {
    const own = sentences.get(term) ?? new Set<string>();
    const pairs = terms
      .filter((other) => other !== term && !sharesWord(term.title, other.title))
      .map((other): Pair => {
        const others = sentences.get(other) ?? new Set<string>();
        const together = [...own].filter((key) => others.has(key));
        const chance = (own.size * others.size) / Math.max(1, sentenceCount);
        return { other, together, strength: together.length * Math.log(together.length / chance) };
      })
      .filter(({ strength, together }) => together.length >= FEWEST_TOGETHER && strength > 0)
      .sort((a, b) => b.strength - a.strength);
    if (pairs.length === 0) return [];
    left += Math.max(0, pairs.length - MOST_NEIGHBOURS);
    return [
      { title: term.title, depth: 0, place: findPlace([...own][0]) },
      ...pairs.slice(0, MOST_NEIGHBOURS).map(({ other, together }) => ({
        title: other.title,
        depth: 1,
        place: findPlace(together[0]),
      })),
    ];
  });
  return { nodes, omitted: left };
});

function placeKey({ part, sentence }: Term['places'][number]): string {
  return `${String(part)} ${String(sentence)}`;
}

/** "search" and "search engine" stand together in every sentence that holds the second. */
function sharesWord(a: string, b: string): boolean {
  const words = new Set(a.toLowerCase().split(' '));
  return b
    .toLowerCase()
    .split(' ')
    .some((word) => words.has(word));
}
