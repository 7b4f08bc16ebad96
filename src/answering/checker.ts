import type { Verdict } from '../notebook/answer.ts';
import type { Claim, Evidence, Support } from './evidence.ts';
import {
  coverageOf,
  findSupport,
  missingNumbers,
  prepareClaim,
  quotesExactly,
  weightsOf,
} from './evidence.ts';

/** How well a sentence is supported, and by what: spans of different passages, or of one, best first. */
export interface Check {
  readonly verdict: Verdict;
  readonly supports: readonly Support[];
}

/** The share of a claim's weight that has to be found for each verdict. */
const SUPPORTED = 0.62;
const PARTLY = 0.38;
/** What a second span of a passage, or a passage that was cited beside another, has to add to be kept. */
const WORTH_ADDING = 0.12;
/** A further span of a passage is kept as well where it covers this share of what the best one covers. */
const ALIKE = 0.75;
/** Nothing is added to a span that covers this much. */
const CLEAR = 0.85;
const MOST_OF_ONE_PASSAGE = 3;

const NO_CLAIM: Check = { verdict: 'none', supports: [] };
const NOT_FOUND: Check = { verdict: 'not-found', supports: [] };

const ABOUT_SOURCES =
  /\b(?:notebook|passages?|sources?|documents?|documentation|context|excerpts?|text)\b.{0,60}\b(?:not|no|nothing|n['’]t|doesn|don)\b|\b(?:nothing|not|no)\b.{0,30}\b(?:in|from) (?:the|this|these|your) (?:notebook|passages?|sources?|documents?)\b/i;
const ABOUT_MYSELF =
  /^(?:I|I['’]m|I['’]d|We|Let me|Please|Sorry|Sure|Hello|Hi|Thanks?|Yes|No)\b[^.]{0,40}[.!,:]?$|^I (?:can|could|do|am|have|was|would|need|don['’]t|can['’]t)/i;

/** Whether a sentence of an answer says something that a source could bear out. */
export function isClaim(sentence: string): boolean {
  const text = sentence.trim();
  if (/^(?:#|```|~~~)/.test(text) || /[?？]["'”’)*_]*$/.test(text) || /[:：][*_]*$/.test(text)) return false;
  if (ABOUT_SOURCES.test(text) || ABOUT_MYSELF.test(text)) return false;
  const { terms } = prepareClaim(text);
  return terms.length >= 2 || terms.some(({ kind }) => kind !== 'word');
}

/**
 * Looks for what bears a sentence out: in the passages that it cites (`cited`, indexes into the evidence), else,
 * where it cites none or the wrong ones, in all of them.
 */
export function checkSentence(sentence: string, cited: readonly number[], evidence: Evidence): Check {
  if (!isClaim(sentence)) return NO_CLAIM;
  const claim = prepareClaim(sentence);
  const weights = weightsOf(claim, evidence);
  const citedCheck = checkAgainst(claim, weights, cited, evidence);
  if (citedCheck.verdict === 'supported') return citedCheck;
  const other = evidence.passages.map((_, index) => index).filter((index) => !cited.includes(index));
  const best = other
    .map((index) => checkAgainst(claim, weights, [index], evidence))
    .filter(({ verdict }) => verdict === 'supported')
    .sort((a, b) => bestCoverage(b) - bestCoverage(a))[0];
  return best ?? citedCheck;
}

function bestCoverage({ supports }: Check): number {
  return Math.max(0, ...supports.map(({ coverage }) => coverage));
}

function checkAgainst(
  claim: Claim,
  weights: Float64Array,
  indexes: readonly number[],
  evidence: Evidence,
): Check {
  const passages = indexes.flatMap((index) => evidence.passages[index] ?? []);
  const found = passages
    .flatMap((passage) => findSupport(claim, weights, passage) ?? [])
    .sort((a, b) => b.coverage - a.coverage);
  const [best] = found;
  if (best === undefined) return NOT_FOUND;

  const supports: Support[] = [];
  let covered: Float64Array = new Float64Array(claim.terms.length);
  const add = (support: Support): void => {
    supports.push(support);
    covered = covered.map((credit, i) => Math.max(credit, support.covered[i] ?? 0));
  };
  for (const support of found) {
    const gain = coverageWith(covered, support, weights) - coverageOf(covered, weights);
    if (support.coverage >= PARTLY || gain >= WORTH_ADDING) add(support);
  }
  for (const passage of passages) {
    for (;;) {
      const own = supports.filter((support) => support.passage === passage.passage);
      if (own.length === 0 || own.length >= MOST_OF_ONE_PASSAGE || best.coverage >= CLEAR) break;
      const more = findSupport(
        claim,
        weights,
        passage,
        own.map(({ span }) => span),
      );
      if (more === undefined) break;
      const gain = coverageWith(covered, more, weights) - coverageOf(covered, weights);
      if (gain < WORTH_ADDING && more.coverage < ALIKE * best.coverage) break;
      add(more);
    }
  }

  const coverage = coverageOf(covered, weights);
  if (coverage < PARTLY) return NOT_FOUND;
  const isFlawed =
    missingNumbers(claim, covered).length > 0 ||
    !quotesExactly(claim, passages) ||
    supports.every((support) => support.contradicts);
  const verdict = coverage >= SUPPORTED && !isFlawed ? 'supported' : 'partly';
  return { verdict, supports };
}

function coverageWith(covered: Float64Array, support: Support, weights: Float64Array): number {
  const together = covered.map((credit, i) => Math.max(credit, support.covered[i] ?? 0));
  return coverageOf(together, weights);
}
