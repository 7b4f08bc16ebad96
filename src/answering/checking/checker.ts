import type { CheckSignals, Verdict } from '../../notebook/answer.ts';
import type { FoundPassage } from '../../notebook/passage.ts';
import type { Span } from '../../language/span.ts';
import { CHECKING_WEIGHTS } from './checking-weights.ts';
import { MAX_STATEMENT_LENGTH, prepareClaim, type Claim } from './claim.ts';
import { measureOpposition } from './contradictions.ts';
import type { Evidence, EvidencePassage } from './evidence.ts';
import { EVIDENCE_WEIGHTS } from './evidence-weights.ts';
import { checkSignals, foundSignals, measureFound, partCoverage, type Found } from './found-parts.ts';
import { negationsIn } from '../../language/negations.ts';
import { matchClaim, type Match } from './matching.ts';
import { swappedName } from './swapped-names.ts';
import { rankCandidates, chooseCandidates, choiceSignals, type Candidate } from './relevance.ts';
import { isAboutWriter, isTransition } from '../../language/self-talk.ts';
import { linesIn, LineScanner } from '../../language/markdown-lines.ts';
import { withoutLacks } from '../../language/stated-lacks.ts';

/** A span of a passage that says what a sentence says, wholly or in part. */
export interface Support {
  readonly passage: FoundPassage;
  /** In the document. */
  readonly span: Span;
}

/** How well a sentence is supported, and by what: spans of different passages, or of one, best first. */
export interface Check {
  readonly verdict: Verdict;
  readonly supports: readonly Support[];
  /** The share of what the sentence says that was found: 0 to 1. */
  readonly coverage: number;
  /** Of what is partly supported the words that were not found, in the sentence; none where that can't be told. */
  readonly missing?: readonly Span[];
  /** What the verdict was made from, where it was weighed. */
  readonly signals?: CheckSignals;
  /** The passages that it cites do not bear it out, but this one does. */
  readonly moved?: true;
  /** How a number of it follows from those of the supports. */
  readonly computed?: string;
}

/** So many other passages, those with most of the sentence, are looked at where the cited ones do not bear it out. */
const MOST_OTHERS = 3;

export const NO_CLAIM: Check = { verdict: 'none', coverage: 0, supports: [] };
const NOT_FOUND: Check = { verdict: 'not-found', coverage: 0, supports: [] };

/** What leads on or takes leave in more words than these says something, too: "In summary, the channel was dug in 1910 by…". */
const LONGEST_TRANSITION = 12;
/** Fewer terms say nothing that could be borne out, unless one is a name, a number or denied: "They differ." */
const LEAST_TERMS = 2;
/** Fewer words stand by chance where they are looked for word for word: "the port is" within "the port is closed". */
const LEAST_VERBATIM = 4;
/** Of a longer sentence so much is looked for, in UTF-16 code units: every word is compared with every line. */
export const MAX_SENTENCE_LENGTH = 1000;

/** Whether a sentence of an answer says something that a source could bear out. */
export function isClaim(sentence: string): boolean {
  return claimIn(sentence) !== undefined;
}

/** What of a sentence a source could bear out: all but what it says of the sources themselves; nothing where it claims nothing. */
export function claimIn(statement: string, evidence?: Evidence): Claim | undefined {
  const sentence = statement.slice(0, MAX_STATEMENT_LENGTH);
  const whole = sentence.trim();
  const [line] = linesIn(whole);
  const kind = new LineScanner().take(whole.slice(0, line?.end));
  if (kind === 'heading' || kind === 'opening' || /[?？]["'”’)*_]*$/.test(whole) || /[:：][*_]*$/.test(whole))
    return undefined;
  const stated = withoutLacks(sentence);
  const text = stated.trim();
  if (text === '' || isAboutWriter(text)) return undefined;
  const claim = prepareClaim(stated, evidence);
  const { terms, names, negations, wordCount } = claim;
  if (wordCount <= LONGEST_TRANSITION && names.length === 0 && isTransition(text)) return undefined;
  return terms.length >= LEAST_TERMS || negations.length > 0 || terms.some(({ kind }) => kind !== 'word')
    ? claim
    : undefined;
}

/**
 * Looks for what bears a sentence out: in the passages that it cites (`cited`, indexes into the evidence), and, for what
 * these do not say, in the others. Where the cited ones have nothing of it, one of the others may stand for them.
 */
export function checkSentence(sentence: string, cited: readonly number[], evidence: Evidence): Check {
  const claim = claimIn(sentence.slice(0, MAX_SENTENCE_LENGTH), evidence);
  if (claim === undefined) return NO_CLAIM;
  const match = matchClaim(claim, evidence);
  const own = cited.flatMap((index) => evidence.passages[index] ?? []);
  const check = checkAgainst(match, own);
  if (check.verdict === 'supported') return check;
  const candidates = rankCandidates(
    match,
    evidence.passages.filter((source) => !own.includes(source)),
  );
  const others = [
    ...new Set(candidates.toSorted((a, b) => b.coverage - a.coverage).map(({ source }) => source)),
  ];
  for (const sources of [[], own]) {
    if (sources === own && (check.verdict !== 'partly' || own.length === 0)) break;
    const [best] = others
      .slice(0, MOST_OTHERS)
      .map((other) => checkAgainst(match, [...sources, other]))
      .filter(({ verdict, coverage }) => verdict === 'supported' && coverage > check.coverage)
      .sort((a, b) => b.coverage - a.coverage);
    if (best === undefined) continue;
    const isMoved =
      cited.length > 0 && !best.supports.some(({ passage }) => own.some((each) => each.passage === passage));
    return isMoved ? { ...best, moved: true } : best;
  }
  return check;
}

/** Of each passage that has anything of a sentence the words that come nearest to it, and the share of it that they cover. */
export function nearestSupports(
  sentence: string,
  evidence: Evidence,
): (Support & { readonly coverage: number })[] {
  const match = matchClaim(prepareClaim(sentence, evidence), evidence);
  return evidence.passages.flatMap((source) => {
    const exact = findWording(match.claim, [source]);
    if (exact !== undefined) return { ...exact.support, coverage: 1 };
    const [best] = chooseCandidates(rankCandidates(match, [source]));
    return best === undefined ? [] : { ...toSupport(best), coverage: best.coverageUnderHeading };
  });
}

function checkAgainst(match: Match, sources: readonly EvidencePassage[]): Check {
  const { claim } = match;
  const exact = findWording(claim, sources);
  if (exact !== undefined)
    return {
      verdict: 'supported',
      coverage: 1,
      supports: [exact.support],
      // A part of a sentence can say something else than the sentence: "The port is closed", if the tide is high.
      ...(exact.isSentence && { signals: { isVerbatim: true as const } }),
    };
  const chosen = chooseCandidates(rankCandidates(match, sources));
  const best = chosen.toSorted((a, b) => b.coverage - a.coverage)[0];
  if (best === undefined) return NOT_FOUND;
  const found = measureFound(match, chosen, sources);
  const { coverage } = found;
  const supports = joinNeighbours(chosen);
  const opposed = found.isOfAnother ? undefined : measureOpposition(claim, best);
  const [first] = chosen;
  const weighed = { ...checkSignals(found.features), ...(opposed && { opposed }) };
  const signals = { ...weighed, ...(first && { chosen: choiceSignals(first) }) };
  if (opposed !== undefined && opposed.likelihood >= EVIDENCE_WEIGHTS.contradicted.least)
    return { verdict: 'contradicted', coverage, supports, signals };
  if (signals.found < EVIDENCE_WEIGHTS.found.least) {
    return { ...NOT_FOUND, signals: { ...weighed, foundBy: foundSignals(found.features) } };
  }
  const isSupported = signals.likelihood >= EVIDENCE_WEIGHTS.supported.least;
  const { flaw } = found;
  if (!isSupported || flaw !== undefined) {
    const decided = isSupported && flaw !== undefined ? { ...signals, flaw } : signals;
    return { verdict: 'partly', coverage, supports, missing: missingWords(match, found), signals: decided };
  }
  const swapped = swappedName(match, found.known, chosen);
  return swapped === undefined
    ? { verdict: 'supported', coverage, supports, signals }
    : {
        verdict: 'partly',
        coverage,
        supports,
        missing: [swapped],
        signals: { ...signals, flaw: 'swapped' },
      };
}

/**
 * Finds the whole claim word for word, whatever its case, punctuation, and line breaks, unless it's denied there. Tells
 * whether the words are a whole sentence of the source.
 */
function findWording(
  claim: Claim,
  sources: readonly EvidencePassage[],
): { readonly support: Support; readonly isSentence: boolean } | undefined {
  if (claim.wordCount < LEAST_VERBATIM) return undefined;
  for (const { passage, language, wording, words, wordOffsets, units } of sources) {
    const at = wording.indexOf(claim.wording);
    if (at < 0) continue;
    const first = wordOffsets.indexOf(at + 1);
    const withBeside = words.slice(Math.max(0, first - 1), first + claim.wordCount + 1);
    if (negationsIn(withBeside, passage.text, language).length > claim.negations.length) continue;
    const start = words[first]?.start;
    const end = words[first + claim.wordCount - 1]?.end;
    if (start !== undefined && end !== undefined)
      return {
        support: { passage, span: { start: passage.start + start, end: passage.start + end } },
        isSentence: units.some((unit) => unit.words[0]?.start === start && unit.words.at(-1)?.end === end),
      };
  }
  return undefined;
}

/** Returns where a candidate is in its document. */
export function toSupport({ source: { passage }, units }: Candidate): Support {
  const start = passage.start + (units[0]?.start ?? 0);
  return { passage, span: { start, end: passage.start + (units.at(-1)?.end ?? 0) } };
}

/** The spans of what was chosen, best first, those of neighbours as one. */
export function joinNeighbours(chosen: readonly Candidate[]): Support[] {
  const groups: Candidate[] = [];
  for (const each of chosen) {
    const touching = groups.findIndex(
      ({ source, units }) =>
        source === each.source &&
        ((units.at(-1)?.place ?? 0) + 1 === each.units[0]?.place ||
          (each.units.at(-1)?.place ?? 0) + 1 === units[0]?.place),
    );
    const group = groups[touching];
    if (group === undefined) groups.push(each);
    else {
      const units = [...group.units, ...each.units].sort((a, b) => a.place - b.place);
      groups[touching] = { ...group, units };
    }
  }
  return groups.map(toSupport);
}

/** A sentence whose missing words make up more is missing as a whole: to mark nine words of ten tells nothing. */
const MOST_OF_SENTENCE = 0.8;

/**
 * The words of a claim that were not found, as spans of its sentence in order: whole parts, or single words where
 * most of their part was found. None where too few or too many are missing to tell them from the rest.
 */
function missingWords({ claim, weights }: Match, { known }: Pick<Found, 'known'>): Span[] {
  const { there, leastOfPart } = CHECKING_WEIGHTS;
  const missing: Span[] = [];
  for (const part of claim.parts) {
    if (partCoverage(part, known, weights) < leastOfPart) {
      missing.push({ start: part.start, end: part.end });
      continue;
    }
    // A stretch of missing words goes on until a word that was found.
    const words = part.terms
      .flatMap((index) =>
        (claim.terms[index]?.places ?? []).map((place) => ({ place, credit: known[index] ?? 0 })),
      )
      .filter(({ place }) => part.start <= place.start && place.end <= part.end)
      .sort((a, b) => a.place.start - b.place.start || b.credit - a.credit);
    let open: { start: number; end: number } | undefined;
    let last = -1;
    for (const { place, credit } of words) {
      // Of a word's several terms the best tells.
      if (place.start === last) continue;
      last = place.start;
      if (credit >= there) open = undefined;
      else if (open === undefined) missing.push((open = { ...place }));
      else open.end = place.end;
    }
  }
  const length = missing.reduce((sum, { start, end }) => sum + end - start, 0);
  const [first, end] = [claim.parts[0]?.start ?? 0, claim.parts.at(-1)?.end ?? 0];
  return length > MOST_OF_SENTENCE * (end - first) ? [] : missing;
}
