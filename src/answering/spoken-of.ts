import type { FoundPassage } from '../notebook/passage.ts';
import type { Candidate } from './quote-candidates.ts';
import { termsOf, termsOfWord, wordsOf } from './terms.ts';

/** How far what was found speaks of a question. */
export interface SpokenOf {
  /**
   * How much of it is spoken of in one place, 0 to 1: the mean of what the best quote and what the best passage tell.
   * Terms scattered over unrelated passages do not add up.
   */
  readonly coverage: number;
  /** Whether that is enough to take the passages for an answer. */
  readonly isEnough: boolean;
}

/** A term counts so much that stands in the heading above, or in the sentence that is gone on from. */
const FROM_HEADING = 0.5;
export const FROM_BEFORE = 0.8;
/** A term that stands there in another spelling is perhaps another word. */
const RESPELLED = 0.88;
/** How far what was found covers a question of which it lacks an identifier. */
const WITHOUT_IDENTIFIER = 0.5;
/** An identifier tells as much as so many words: who names it asks of nothing else. */
const OF_IDENTIFIER = 2;
/** A word of questions of any kind tells so much of what this one is about. */
const OF_ANY_QUESTION = 0.1;
/** What was found is few texts, all alike; a term's rarity is told as if there were so many others beside them. */
const OTHER_TEXTS = 30;
/**
 * Of many telling words a few that stand together are no chance; of one or two all have to. The share that is enough,
 * measured on questions asked of their own and of other documents: see `npm run bench -- quotes`.
 */
const ENOUGH_OF_MANY = 0.19;
const ENOUGH_MORE_OF_ONE = 0.7;
const ENOUGH = 0.75;

/** Words with which anything is asked and told, beside the stop words. */
const OF_ANY_TERMS: ReadonlySet<string> = new Set(
  (
    'accord actual aim allow anybody anyone anything appear apply base become began begin begun best ' +
    'better big bring brought calculate call came cause certain change choose chose chosen come common ' +
    'compute concern conduct contribute current date day deal decide described detail determine differ ' +
    'different discuss document done early easy effect emphasize employ event everybody everyone ' +
    'everything exact example explain express fact fast feature finding first focus follow form found ' +
    'full gave general get give given go gone good got great handle happen happened have help highlight ' +
    'identify impact important include indicate influence information initial introduce involve issue ' +
    'keep key kind know known large last late lead leave led level listed little live long look made main ' +
    'major make many meant measure mention method most much name necessary need new next nobody note ' +
    'nothing number observe occur often old order outcome outline own part particular people perform ' +
    'place play point possible present primary problem process propose provide purpose put quick reason ' +
    'recent refer regard relate relation report require respect respond response result right role said ' +
    'saw say see seen select several show shown significant similar small somebody someone something sort ' +
    'source special specific spoke spoken start state step stop study suggest take taken tell text thing ' +
    'thought time title together told took topic try turn type used useful various view want way word ' +
    'work world write written wrote year'
  )
    .split(' ')
    .flatMap(termsOf),
);

/** What was found for a question, and what was chosen of it. */
export interface Found {
  readonly passages: readonly FoundPassage[];
  readonly candidates: readonly Candidate[];
  readonly chosen: readonly Candidate[];
  /** Terms that the question has in another spelling. */
  readonly respelled: ReadonlySet<string>;
}

/** How far what was found speaks of a question, of whose terms each counts so much beside its rarity. */
export function spokenOf(question: string, counts: ReadonlyMap<string, number>, found: Found): SpokenOf {
  const { passages, candidates, chosen, respelled } = found;
  const identifiers = identifiersIn(question);
  const tells = (term: string): number =>
    identifiers.has(term) ? OF_IDENTIFIER : OF_ANY_TERMS.has(term) ? OF_ANY_QUESTION : 1;
  const weights = new Map(
    [...counts].map(([term, count]) => [term, count * rarityOf(term, candidates) * tells(term)]),
  );
  const worth = (term: string): number => (respelled.has(term) ? RESPELLED : 1);
  const inOneQuote = chosen.map((quote) => shareOf(weights, (term) => worth(term) * creditOf(quote, term)));
  const inOnePassage = passages.map((passage) => {
    const own = candidates.filter((candidate) => candidate.passage === passage);
    return shareOf(weights, (term) =>
      own.some((candidate) => creditOf(candidate, term) > 0) ? worth(term) : 0,
    );
  });
  const coverage =
    ((Math.max(0, ...inOneQuote) + Math.max(0, ...inOnePassage)) / 2) *
    (lacksAny(identifiers, candidates) ? WITHOUT_IDENTIFIER : 1);
  return { coverage, isEnough: coverage > 0 && coverage >= enoughOf(breadthOf([...weights.values()])) };
}

/** How much of a term a candidate tells. */
export function creditOf(candidate: Candidate, term: string): number {
  if (candidate.terms.has(term)) return 1;
  if (candidate.leansOn.has(term)) return FROM_BEFORE;
  return candidate.inContext.has(term) ? FROM_HEADING : 0;
}

function rarityOf(term: string, candidates: readonly Candidate[]): number {
  const holding = candidates.filter(({ terms }) => terms.has(term)).length;
  const without = OTHER_TEXTS + candidates.length - holding;
  return 1 + Math.log(1 + (without + 0.5) / (holding + 0.5));
}

/** Of how many words a question asks, where those that weigh less than the weightiest count in part. */
function breadthOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0) / Math.max(...weights);
}

/** The share of a question that has to be spoken of. */
function enoughOf(breadth: number): number {
  return Math.min(ENOUGH, ENOUGH_OF_MANY + ENOUGH_MORE_OF_ONE / breadth);
}

/** The identifiers that a question names, such as `maxThreads`. */
export function identifiersIn(question: string): ReadonlySet<string> {
  return new Set(
    wordsOf(question).flatMap((word) =>
      /\p{Ll}\p{Lu}|\w_\w/u.test(word.raw) ? termsOfWord(word).slice(0, 1) : [],
    ),
  );
}

/** Whether nothing holds one of the terms. */
function lacksAny(identifiers: ReadonlySet<string>, candidates: readonly Candidate[]): boolean {
  return [...identifiers].some(
    (term) => !candidates.some(({ terms, inContext }) => terms.has(term) || inContext.has(term)),
  );
}

/** The share of the question's weight that gets credit. */
function shareOf(weights: ReadonlyMap<string, number>, credit: (term: string) => number): number {
  let all = 0;
  let credited = 0;
  for (const [term, weight] of weights) {
    all += weight;
    credited += weight * credit(term);
  }
  return all === 0 ? 0 : credited / all;
}
