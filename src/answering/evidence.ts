import type { FoundPassage } from '../notebook/passage.ts';
import type { Span } from '../notebook/span.ts';
import { overlap } from '../notebook/span.ts';
import type { Word } from './terms.ts';
import { isNumber, termsOfWord, weighTerms, wordsOf } from './terms.ts';
import { unitsOf } from './units.ts';

/** A sentence of an answer, made ready to be looked for in passages. */
export interface Claim {
  /** Its words as they are compared, between spaces. */
  readonly wording: string;
  readonly wordCount: number;
  readonly terms: readonly ClaimTerm[];
  /** What it gives in quotation marks, as `wording` is written. */
  readonly quotations: readonly string[];
  readonly negated: ReadonlySet<string>;
}

interface ClaimTerm {
  readonly term: string;
  readonly kind: 'name' | 'number' | 'word';
}

interface EvidenceUnit extends Span {
  readonly terms: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
  readonly negated: ReadonlySet<string>;
}

/** A passage, made ready to be searched for what supports a claim. */
interface EvidencePassage {
  readonly passage: FoundPassage;
  readonly units: readonly EvidenceUnit[];
  /** The terms of the titles and headings that the passage stands under. */
  readonly context: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
  readonly words: readonly Word[];
  readonly wording: string;
  /** Where each word begins in `wording`. */
  readonly wordOffsets: readonly number[];
}

/** The passages that an answer was written from. */
export interface Evidence {
  readonly passages: readonly EvidencePassage[];
  readonly weight: (term: string) => number;
}

/** A span of a passage that says what a claim says, wholly or in part. */
export interface Support {
  readonly passage: FoundPassage;
  /** In the document. */
  readonly span: Span;
  /** For each term of the claim, how far it is covered: 0 to 1. */
  readonly covered: Float64Array;
  /** The share of the claim's weight that is covered: 0 to 1. */
  readonly coverage: number;
  /** The claim stands there word for word. */
  readonly exact: boolean;
  /** One of the two denies what the other says. */
  readonly contradicts: boolean;
}

const PREFIX = 5;
/** What counts for a term that only shares its beginning, or that only stands above or elsewhere in the passage. */
const CREDIT = { sameBeginning: 0.6, context: 0.5, elsewhere: 0.35 };
const FACTOR = { name: 1.3, number: 1.6, word: 1 };
/** Every term counts this much beside its rarity among the passages, which are few. */
const WEIGHT_OF_ANY = 0.5;
/** An answer says things in its own words: a common word that no passage has weighs less than its rarity suggests. */
const UNKNOWN_WORD = 0.5;
/** The longest stretch taken as one support, in units, and what each further unit has to bring. */
const WINDOW = { prose: { units: 2, price: 0.12 }, code: { units: 12, price: 0.03 } };
const NEGATIONS = /^(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|\p{L}+n't)$/u;
const NEGATION_REACH = 3;

/** Makes passages ready to be searched. */
export function prepareEvidence(passages: readonly FoundPassage[]): Evidence {
  const prepared = passages.map(preparePassage);
  const units = prepared.flatMap((passage) => passage.units.map((unit) => unit.terms));
  return { passages: prepared, weight: weighTerms(units) };
}

function preparePassage(passage: FoundPassage): EvidencePassage {
  const words = wordsOf(passage.text);
  const units: EvidenceUnit[] = [];
  let next = 0;
  for (const unit of unitsOf(passage.text, passage.format)) {
    while ((words[next]?.start ?? Infinity) < unit.start) next++;
    const first = next;
    while ((words[next]?.start ?? Infinity) < unit.end) next++;
    const own = words.slice(first, next);
    const terms = new Set(own.flatMap(termsOfWord));
    units.push({
      start: unit.start,
      end: unit.end,
      terms,
      prefixes: prefixesOf(terms),
      negated: negatedIn(own),
    });
  }
  const titles = [passage.documentTitle, passage.documentKey, ...passage.headings].join('\n');
  let wording = ' ';
  const wordOffsets: number[] = [];
  for (const { folded } of words) {
    wordOffsets.push(wording.length);
    wording += `${folded} `;
  }
  return {
    passage,
    units,
    context: new Set(wordsOf(titles).flatMap(termsOfWord)),
    terms: new Set(units.flatMap((unit) => [...unit.terms])),
    words,
    wording,
    wordOffsets,
  };
}

function prefixesOf(terms: ReadonlySet<string>): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (const term of terms) if (term.length >= PREFIX) prefixes.add(term.slice(0, PREFIX));
  return prefixes;
}

/** The terms that a negation just before them may turn round. */
function negatedIn(words: readonly Word[]): Set<string> {
  const negated = new Set<string>();
  let reach = 0;
  for (const word of words) {
    if (NEGATIONS.test(word.folded)) {
      reach = NEGATION_REACH;
      continue;
    }
    const terms = termsOfWord(word);
    if (reach === 0 || terms.length === 0) continue;
    reach--;
    for (const term of terms) negated.add(term);
  }
  return negated;
}

/** Makes a sentence of an answer, in Markdown, ready to be looked for. */
export function prepareClaim(sentence: string): Claim {
  const text = sentence.replace(/\]\([^)\s]*\)/g, ' ').replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '');
  const words = wordsOf(text);
  const terms = new Map<string, ClaimTerm>();
  for (const [index, word] of words.entries()) {
    for (const term of termsOfWord(word))
      if (!terms.has(term)) terms.set(term, { term, kind: kindOf(word, term, index) });
  }
  const quotations = [...text.matchAll(/["“„«]([^"“”„«»]{8,})["”“»]/g)]
    .map((match) => wordsOf(match[1] ?? ''))
    .filter((quoted) => quoted.length >= 3)
    .map(wordingOf);
  return {
    wording: wordingOf(words),
    wordCount: words.length,
    terms: [...terms.values()],
    quotations,
    negated: negatedIn(words),
  };
}

function wordingOf(words: readonly Word[]): string {
  return ` ${words.map((word) => word.folded).join(' ')} `;
}

function kindOf(word: Word, term: string, index: number): ClaimTerm['kind'] {
  if (isNumber(term)) return /^\d/.test(word.raw) ? 'number' : 'word';
  const isName = /[\p{Ll}\d_]\p{Lu}|_|\p{Lu}{2}/u.test(word.raw) || (index > 0 && /^\p{Lu}/u.test(word.raw));
  return isName ? 'name' : 'word';
}

/** How much each term of a claim weighs. */
export function weightsOf(claim: Claim, evidence: Evidence): Float64Array {
  return Float64Array.from(claim.terms, ({ term, kind }) => {
    const isKnown = evidence.passages.some((passage) => passage.terms.has(term));
    return (
      (WEIGHT_OF_ANY + evidence.weight(term)) * FACTOR[kind] * (isKnown || kind !== 'word' ? 1 : UNKNOWN_WORD)
    );
  });
}

/** The share of a claim's weight that is covered. */
export function coverageOf(covered: Float64Array, weights: Float64Array): number {
  let sum = 0;
  let all = 0;
  for (const [i, weight] of weights.entries()) {
    sum += weight * (covered[i] ?? 0);
    all += weight;
  }
  return all === 0 ? 0 : sum / all;
}

/** The numbers of a claim that are not fully covered. */
export function missingNumbers(claim: Claim, covered: Float64Array): string[] {
  return claim.terms
    .filter(({ kind }, i) => kind === 'number' && (covered[i] ?? 0) < 1)
    .map(({ term }) => term);
}

/** Whether every quotation of a claim stands in one of the passages word for word. */
export function quotesExactly(claim: Claim, passages: readonly EvidencePassage[]): boolean {
  return claim.quotations.every((quotation) => passages.some(({ wording }) => wording.includes(quotation)));
}

/** The span of a passage that covers a claim best and shares nothing with those `taken`; undefined where none covers anything. */
export function findSupport(
  claim: Claim,
  weights: Float64Array,
  source: EvidencePassage,
  taken: readonly Span[] = [],
): Support | undefined {
  const exact = taken.length === 0 ? findWording(claim, source) : undefined;
  if (exact !== undefined) {
    const covered = new Float64Array(claim.terms.length).fill(1);
    return { passage: source.passage, span: exact, covered, coverage: 1, exact: true, contradicts: false };
  }
  const window = bestWindow(claim, weights, source, taken);
  if (window === undefined) return undefined;
  const { covered } = window;
  const units = source.units.slice(window.first, window.last + 1);
  const [first, last] = [units.at(0), units.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { start } = source.passage;
  return {
    passage: source.passage,
    span: shifted({ start: first.start, end: last.end }, start),
    covered,
    coverage: coverageOf(covered, weights),
    exact: false,
    contradicts: contradicts(claim, units),
  };
}

/** Where the whole claim stands word for word, forgiving case, punctuation and line breaks. */
function findWording(
  claim: Claim,
  { passage, wording, words, wordOffsets }: EvidencePassage,
): Span | undefined {
  if (claim.wordCount < 4) return undefined;
  const at = wording.indexOf(claim.wording);
  if (at < 0) return undefined;
  const first = wordOffsets.indexOf(at + 1);
  const start = words[first]?.start;
  const end = words[first + claim.wordCount - 1]?.end;
  if (start === undefined || end === undefined) return undefined;
  return shifted({ start, end }, passage.start);
}

function shifted({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

interface Window {
  readonly first: number;
  readonly last: number;
  readonly covered: Float64Array;
}

function bestWindow(
  claim: Claim,
  weights: Float64Array,
  source: EvidencePassage,
  taken: readonly Span[],
): Window | undefined {
  const { start } = source.passage;
  const { units: longest, price } = WINDOW[source.passage.format === 'code' ? 'code' : 'prose'];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const credits = source.units.map((unit) => claim.terms.map(({ term, kind }) => creditIn(unit, term, kind)));
  const context = contextCredits(claim, source);
  let best: Window | undefined;
  let bestScore = 0;
  for (let first = 0; first < source.units.length; first++) {
    const covered = context.slice();
    let gained = 0;
    let length = 0;
    for (let last = first; last < Math.min(first + longest, source.units.length); last++) {
      const unit = source.units[last];
      if (unit === undefined || taken.some((span) => overlap(span, shifted(unit, start)) > 0)) break;
      const credit = credits[last] ?? [];
      let brought = 0;
      for (const [i, weight] of weights.entries()) {
        brought += weight * Math.max(0, (credit[i] ?? 0) - (covered[i] ?? 0));
        covered[i] = Math.max(covered[i] ?? 0, credit[i] ?? 0);
      }
      gained += brought;
      length += unit.terms.size;
      // A window never begins or ends with a unit that brings nothing.
      if (brought === 0) {
        if (last === first) break;
        continue;
      }
      const score = gained / total - price * (last - first) - 0.0005 * length;
      if (score > bestScore) {
        bestScore = score;
        best = { first, last, covered: covered.slice() };
      }
    }
  }
  return best;
}

function creditIn(unit: EvidenceUnit, term: string, kind: ClaimTerm['kind']): number {
  if (unit.terms.has(term)) return 1;
  const mayShare = kind !== 'number' && term.length > PREFIX && unit.prefixes.has(term.slice(0, PREFIX));
  return mayShare ? CREDIT.sameBeginning : 0;
}

/** A sentence of a source leaves out what its heading and its neighbours have said. Numbers must stand in the span itself. */
function contextCredits(claim: Claim, source: EvidencePassage): Float64Array {
  return Float64Array.from(claim.terms, ({ term, kind }) => {
    if (kind === 'number') return 0;
    if (source.context.has(term)) return CREDIT.context;
    return source.terms.has(term) ? CREDIT.elsewhere : 0;
  });
}

function contradicts(claim: Claim, units: readonly EvidenceUnit[]): boolean {
  return claim.terms.some(({ term }) => {
    const holding = units.filter((unit) => unit.terms.has(term));
    if (holding.length === 0) return false;
    const isNegated = claim.negated.has(term);
    return holding.every((unit) => unit.negated.has(term) !== isNegated);
  });
}
