import type { Verdict } from '../notebook/answer.ts';
import type { Alignment, Support } from './alignment.ts';
import { align, coverageOf, joinCovered, weightsOf } from './alignment.ts';
import type { Claim } from './claim.ts';
import { prepareClaim } from './claim.ts';
import type { Evidence } from './evidence.ts';
import { isContradicted, isFlawed } from './flaws.ts';

/** How well a sentence is supported, and by what: spans of different passages, or of one, best first. */
export interface Check {
  readonly verdict: Verdict;
  readonly supports: readonly Support[];
  /** The share of what the sentence says that was found: 0 to 1. */
  readonly coverage: number;
  /** The passages that it cites do not bear it out, but this one does. */
  readonly moved?: true;
}

/** The share of a claim's weight that has to be found for each verdict. */
const SUPPORTED = 0.62;
const PARTLY = 0.33;
/** What has to be covered before the one can be said to contradict the other. */
const LIKE_ENOUGH = 0.5;
/** What a passage that was cited beside another has to add to be kept. */
const WORTH_ADDING = 0.12;

const NO_CLAIM: Check = { verdict: 'none', coverage: 0, supports: [] };
const NOT_FOUND: Check = { verdict: 'not-found', coverage: 0, supports: [] };

const ABOUT_SOURCES =
  /\b(?:the|this|these|those|your|any)\s+(?:\p{L}+\s+){0,2}(?:notebook|passages?|sources?|documents?|documentation|context|excerpts?|text)\b.{0,30}\b(?:not|no|nothing|cannot|\p{L}+n['’]t)\b.{0,30}\b(?:say|says|mention|state|contain|cover|include|provide|specify|tell|describe|give|answer|discuss|address|explain|indicate|information|details?|about)\b|\b(?:nothing|not|no)\b.{0,30}\b(?:in|from) (?:the|this|these|your) (?:notebook|passages?|sources?|documents?)\b/iu;
const ABOUT_MYSELF =
  /^(?:I|I['’]m|I['’]d|We|Let me|Please|Sorry|Sure|Hello|Hi|Thanks?)\b[^.]{0,40}[.!,:]?$|^(?:Yes|No)[.!,:]?$|^I (?:can|could|do|am|have|was|would|need|don['’]t|can['’]t)/i;
/** Ways to lead on or to take leave that say nothing of any source. */
const TRANSITION =
  /^(?:(?:I )?hope (?:this|that)|feel free|let me know|if you (?:have|need|want|would like)\b.*\b(?:questions?|help|ask|know)|in (?:summary|short|conclusion)|to (?:summari[sz]e|sum up)|here(?:['’]s| is| are) (?:how|what|why|the|an?|some|more|my)\b(?!.*\d)|(?:below|the following) (?:is|are)|as (?:follows|below))\b/i;
const LONGEST_TRANSITION = 12;

/** Whether a sentence of an answer says something that a source could bear out. */
export function isClaim(sentence: string): boolean {
  const text = sentence.trim();
  if (/^(?:#|```|~~~)/.test(text) || /[?？]["'”’)*_]*$/.test(text) || /[:：][*_]*$/.test(text)) return false;
  if (ABOUT_SOURCES.test(text) || ABOUT_MYSELF.test(text)) return false;
  const { terms, names, negations, wordCount } = prepareClaim(text);
  if (TRANSITION.test(text) && wordCount <= LONGEST_TRANSITION && names.length === 0) return false;
  return terms.length >= 2 || negations.length > 0 || terms.some(({ kind }) => kind !== 'word');
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
  const [best] = other
    .map((index) => checkAgainst(claim, weights, [index], evidence))
    .filter(({ verdict, coverage }) => verdict === 'supported' && coverage >= citedCheck.coverage)
    .sort((a, b) => b.coverage - a.coverage);
  if (best === undefined) return citedCheck;
  return cited.length === 0 ? best : { ...best, moved: true };
}

function checkAgainst(
  claim: Claim,
  weights: Float64Array,
  indexes: readonly number[],
  evidence: Evidence,
): Check {
  const sources = indexes.flatMap((index) => evidence.passages[index] ?? []);
  const alignments = sources
    .flatMap((source) => align(claim, weights, source, evidence) ?? [])
    .sort((a, b) => b.coverage - a.coverage);
  const [best] = alignments;
  if (best === undefined) return NOT_FOUND;

  const kept: Alignment[] = [];
  let covered: Float64Array = new Float64Array(claim.terms.length);
  for (const alignment of alignments) {
    const together = joinCovered(covered, alignment.covered);
    const gain = coverageOf(together, weights) - coverageOf(covered, weights);
    if (alignment.coverage < PARTLY && gain < WORTH_ADDING) continue;
    kept.push(alignment);
    covered = together;
  }

  const coverage = coverageOf(covered, weights);
  if (coverage < PARTLY) return NOT_FOUND;
  const supports = kept.flatMap((alignment) => alignment.supports);
  if (best.coverage >= LIKE_ENOUGH && isContradicted(claim, best))
    return { verdict: 'contradicted', coverage, supports };
  const flawed = coverage < SUPPORTED || isFlawed(claim, covered, best, sources, evidence);
  return { verdict: flawed ? 'partly' : 'supported', coverage, supports };
}
