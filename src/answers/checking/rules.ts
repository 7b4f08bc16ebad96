import { findTables, isAmount, type Table } from '../../core/language/tables.ts';
import { NUMBER_LABEL } from '../../core/language/dates.ts';
import { INEXACT_NUMBER } from '../../core/language/inexact-numbers.ts';
import { negationsIn } from '../../core/language/negations.ts';
import { rowCells } from '../../core/language/markdown-lines.ts';
import type { Span } from '../../core/language/span.ts';
import type { MarkedSentence } from '../../core/language/streamed-sentences.ts';
import { LANGUAGES_OF_DAYS, monthOf, statedDays, type StatedDay } from '../../core/language/stated-days.ts';
import { statedDurations } from '../../core/language/stated-durations.ts';
import { isSameValue, PERCENT, statedNumbers } from '../../core/language/stated-numbers.ts';
import { unitForms, unitsIn } from '../../core/language/unit-words.ts';
import { LANGUAGES } from '../../core/language/words/languages.ts';
import { isNumber, splitWords, termsIn, type Word } from '../../core/language/words/words.ts';
import type { Statement } from '../../core/domain/answer.ts';
import { CHECKING_WEIGHTS } from './checking-weights.ts';
import { claimIn, figureSigns, type Claim, type ClaimTerm } from './claim.ts';
import { computeDuration, computeFrom, MIN_RESULT } from './computed-numbers.ts';
import type { Evidence, EvidencePassage, EvidenceUnit } from './evidence.ts';
import { isSameNumber, matchClaim, type Match } from './matching.ts';
import { joinNeighbors, toSupport, type Support } from './nearest.ts';
import { chooseCandidates, rankCandidates } from './relevance.ts';
import { textAbove } from './text-above.ts';
import { fold } from '../../core/language/words/folding.ts';
import { wordsInRole } from '../../core/language/words/role-words.ts';

/** Result of checking a sentence by rules. */
export interface Check extends Pick<Statement, 'computed' | 'moved' | 'signals'> {
  readonly verdict: 'contradicted' | 'none' | 'supported' | 'unchecked';
  /** Supporting spans, best first. */
  readonly supports: readonly Support[];
  /** Numbers, names, and units in the sentence that no passage has. */
  readonly missing?: readonly Span[];
}

/** Maximum checked length of a sentence, in UTF-16 code units: every word is compared with every line. */
const MAX_SENTENCE_LENGTH = 1000;
/** Minimum share of words that a passage needs for a sentence without citations. */
const MIN_UNCITED_COVERAGE = 0.5;
/** Maximum difference between an inexact number with a single digit and the exact one, as a share of that. */
const MAX_INEXACT_RATIO = 0.05;
/** Maximum number of words that join a sentence to the previous one, such as "and because". */
const MAX_JOINING_WORDS = 2;
/** Maximum number of rows or sentences near a sentence whose numbers it can combine. */
const MAX_COMPUTED_UNITS = 3;
/** Matches what follows the hours of a clock, which isn't a unit. */
const CLOCK = /^[ap]m$/i;
/** Matches unit signs, such as "km", and short words that aren't: "2023 lag". */
const UNIT_SIGN = /^.{1,3}$/u;
const SHORT_WORD = /^(?=.?.?[aeiouäöü])\p{Ll}{3}$/u;

/**
 * Checks a sentence by rules against its cited passages (`cited`, indexes into the evidence).
 * - `supported`: a sentence of the source has the same words in the same order, or a row of a table has all of it.
 * - `contradicted`: the same words with another number, or another number in the same row and column of a table.
 * - `none`: the sentence claims nothing.
 * - `unchecked`: anything else, for a model to check.
 *
 * `supports` are the nearest spans of each cited passage, and `missing` the numbers, names, and units that no passage
 * has.
 */
export function checkByRules(
  sentence: string,
  cited: readonly number[],
  evidence: Evidence,
  { isInTable, isItem }: Pick<MarkedSentence, 'isInTable' | 'isItem'> = {},
): Check {
  const claim = claimIn(sentence.slice(0, MAX_SENTENCE_LENGTH), evidence, {
    isCited: isInTable === true || cited.length > 0,
    isItem: isItem === true,
  });
  if (claim === undefined) return { verdict: 'none', supports: [] };
  const own = cited.flatMap((index) => evidence.passages[index] ?? []);
  const others = evidence.passages.filter((source) => !own.includes(source));
  const exact =
    findSame(claim, [...own, ...others], 'supported') ??
    (isNumberElsewhere(claim, evidence) ? undefined : findSame(claim, own, 'contradicted'));
  if (exact !== undefined) {
    const isMoved = own.length > 0 && others.includes(exact.unit.source);
    const supports = [...(isMoved ? own.map(wholePassage) : []), unitSupport(exact.unit)];
    return {
      verdict: exact.verdict,
      supports,
      signals: { isVerbatim: true },
      ...(isMoved && { moved: true }),
    };
  }
  const match = matchClaim(claim, evidence);
  const supports =
    own.length > 0
      ? own.flatMap((source) => nearestIn(match, source) ?? [wholePassage(source)])
      : nearestOf(match);
  const unknown = unknownTerms(match, sentence);
  // A number in words isn't marked, but can be computed: "eleven thousand".
  const toCompute = [...unknown.numbers, ...unknownInWords(match, sentence)];
  const units = toCompute.length > 0 ? unitsNear(match, own, supports) : { supporting: [], near: [] };
  const groups = numbersIn(units);
  const texts = [...units.supporting, ...units.near].map(({ text }) => text);
  const durations = unknown.numbers.length > 0 ? statedDurations(sentence) : [];
  const computed = new Map(
    toCompute.flatMap((number) => {
      const isShare = PERCENT.test(sentence.slice(number.end, number.end + 12));
      const duration = durations.find(({ start }) => start === number.start);
      const forms = formsToCompute(number, sentence, evidence);
      const computation =
        computeDuration(duration?.minutes ?? [], texts) ??
        forms.map((form) => computeFrom(form, groups, isShare)).find((each) => each !== undefined);
      return computation === undefined ? [] : [[number, computation]];
    }),
  );
  // The unit of a computed number can be another one than in the source: minutes between two times.
  const isOfComputed = ({ start }: Span): boolean =>
    [...computed.keys()].some(({ end }) => end <= start && /^\s?$/.test(sentence.slice(end, start)));
  const missing = [
    ...unknown.others.filter((word) => !isOfComputed(word)),
    ...unknown.numbers.filter((number) => !computed.has(number)).map((number) => figureOf(number, sentence)),
  ];
  return {
    verdict: 'unchecked',
    supports,
    ...(missing.length > 0 && { missing: joinSpans(missing) }),
    ...(computed.size > 0 && { computed: [...new Set(computed.values())].join('; ') }),
  };
}

interface SameWords {
  readonly verdict: 'contradicted' | 'supported';
  readonly unit: EvidenceUnit;
}

/** A passage as every sentence of an answer is compared with it. */
interface Comparable {
  readonly tables: readonly Table[];
  readonly rows: readonly EvidenceUnit[];
  /** Units of prose by their words, with `#` in place of each figure. */
  readonly unitsByShape: ReadonlyMap<string, readonly WordedUnit[]>;
}

interface WordedUnit {
  readonly unit: EvidenceUnit;
  readonly figures: readonly string[];
  readonly signs: string;
}

const knownComparables = new WeakMap<EvidencePassage, Comparable>();

function comparableOf(source: EvidencePassage): Comparable {
  const known = knownComparables.get(source);
  if (known !== undefined) return known;
  const rows = source.units.filter(({ kind }) => kind === 'row');
  // The line above a list can change the meaning of its items: "Never do this:". A question claims nothing.
  const prose = source.units
    .filter(({ kind, text }) => kind !== 'row' && !/[?？]["'”’)*_]*$/.test(text.trim()))
    .filter(({ kind, place }) => kind !== 'item' || textAbove(source, place).leads.length === 0)
    .map((unit) => ({ unit, words: withoutConnecting(foldedWords(unit.words)) }))
    .map(({ unit, words }) => ({
      ...{ unit, shape: shapeOf(words), figures: words.filter(isFigure) },
      signs: figureSigns(source.passage.text, unit.words).join(),
    }));
  const comparable = {
    tables: rows.length > 0 ? findTables(source.passage.text) : [],
    rows,
    unitsByShape: Map.groupBy(prose, ({ shape }) => shape),
  };
  knownComparables.set(source, comparable);
  return comparable;
}

function shapeOf(words: readonly string[]): string {
  return words.map((word) => (isFigure(word) ? '#' : word)).join(' ');
}

/**
 * Finds the first unit of sources that supports a claim with the same words, or that contradicts it by one different
 * number.
 */
function findSame(
  claim: Claim,
  sources: readonly EvidencePassage[],
  verdict: SameWords['verdict'],
): SameWords | undefined {
  // "However, the gate opens at nine" contains all words of "The gate opens at nine".
  const claimed = withoutConnecting(claim.wording.trim().split(' '));
  const shape = shapeOf(claimed);
  const figures = claimed.filter(isFigure);
  for (const source of sources) {
    const { tables, rows, unitsByShape } = comparableOf(source);
    const sameShape = claimed.length < 2 ? [] : (unitsByShape.get(shape) ?? []);
    const worded = sameShape.find((each) => hasVerdict(verdict, claim, figures, each));
    const unit = worded?.unit ?? rows.find((row) => compareRow(claim, row, tables) === verdict);
    if (unit !== undefined) return { verdict, unit };
  }
  return undefined;
}

/** Reports whether the passages have all numbers of a claim, so that another one may say the same in other words. */
function isNumberElsewhere({ terms }: Claim, { numbers }: Evidence): boolean {
  return terms.every(
    ({ kind, term }) => kind !== 'number' || [...numbers].some((number) => isSameNumber(term, number)),
  );
}

/** Reports whether a unit with the same shape as a claim with `figures` has a verdict on it. */
function hasVerdict(
  verdict: SameWords['verdict'],
  claim: Claim,
  figures: readonly string[],
  { unit, figures: sourceFigures, signs }: WordedUnit,
): boolean {
  if (signs !== claim.signs.join()) return false;
  if (Math.abs(unit.words.length - claim.wordCount) > MAX_JOINING_WORDS) return false;
  const different: (readonly [claimed: string, inSource: string])[] = [];
  for (const [i, figure] of figures.entries()) {
    const other = sourceFigures[i] ?? '';
    if (figure !== other && !areEqual(figure, other)) different.push([figure, other]);
  }
  const [pair] = different;
  if (verdict === 'contradicted') return different.length === 1 && pair !== undefined && !isRounding(...pair);
  const { passage, language } = unit.source;
  return (
    pair === undefined && negationsIn(unit.words, passage.text, language).length <= claim.negations.length
  );
}

const CONNECTING: ReadonlySet<string> = new Set(wordsInRole('connectors').map(fold));
const NEUTRAL: ReadonlySet<string> = new Set(wordsInRole('fillers').map(fold));

function withoutConnecting(words: readonly string[]): readonly string[] {
  return words.slice(
    Math.max(
      0,
      words.findIndex((word) => !CONNECTING.has(word)),
    ),
  );
}

/** Compares a claim with the row of a table, by the names of the row and its columns. */
function compareRow(
  claim: Claim,
  unit: EvidenceUnit,
  tables: readonly Table[],
): SameWords['verdict'] | undefined {
  const { source, text } = unit;
  const table = tables.find(({ start, end }) => start <= unit.start && unit.start < end);
  const cells = rowCells(text);
  const [name = ''] = cells;
  const { language, passage } = source;
  if (table === undefined || cells.length < 2 || claim.negations.length > 0 || claim.directions.length > 0)
    return undefined;
  const holds = (words: string): boolean => {
    const terms = termsIn(words, language);
    return terms.length > 0 && terms.every((term) => claim.termSet.has(term));
  };
  if (!holds(name) || !claim.functionWords.every((word) => NEUTRAL.has(word) || CONNECTING.has(word)))
    return undefined;
  const slice = ({ start, end }: Span): string => passage.text.slice(start, end);
  const header = table.header.map((row) => rowCells(slice(row)));
  const heads = cells.map((_, i) => header.map((row) => row[i] ?? '').join(' '));
  const columns = cells.length === 2 ? [1] : [...cells.keys()].filter((i) => i > 0 && holds(heads[i] ?? ''));
  const [column] = columns;
  if (column === undefined || columns.length > 1) return undefined;
  const { headings, leads } = textAbove(source, unit.place);
  const around = [heads[0], heads[column], name, ...table.caption.map(slice)].join(' ');
  const titles = [passage.documentTitle, passage.documentKey, ...headings, ...leads];
  const ofTable = new Set(termsIn(around, language));
  const ofTitles = new Set(termsIn(titles.join('\n'), language));
  const written = `${around} ${cells[column] ?? ''}`;
  if (claim.signs.some((signs) => signs.split('').some((sign) => !written.includes(sign)))) return undefined;
  const cell = new Set(termsIn(cells[column] ?? '', language));
  const counted = new Set(claim.terms.flatMap((each) => (each.kind === 'number' ? [each.counted] : [])));
  // A title names the subject or the year. Its other words, such as a verb or a unit, may say something else there.
  const isOfTitle = ({ term, kind }: ClaimTerm): boolean =>
    kind !== 'word' && !counted.has(term) && ofTitles.has(term);
  const rest = claim.terms.filter((each) => !ofTable.has(each.term) && !isOfTitle(each));
  if (rest.length === 0) return undefined;
  if (rest.every(({ term }) => hasTerm(cell, term))) return 'supported';
  const [only] = rest;
  const numbersOfCell = [...cell].filter(isNumber);
  const isConflict =
    only !== undefined &&
    rest.every(({ term }) => term === only.term || cell.has(term)) &&
    isFigure(only.term) &&
    numbersOfCell.length === 1 &&
    !INEXACT_NUMBER.test(claim.wording) &&
    numbersOfCell.every((number) => isFigure(number) && !isRounding(only.term, number));
  return isConflict ? 'contradicted' : undefined;
}

function hasTerm(terms: ReadonlySet<string>, term: string): boolean {
  return terms.has(term) || (isNumber(term) && [...terms].some((other) => isSameNumber(term, other)));
}

function isFigure(term: string): boolean {
  return /^\d+(?:[.,]\d+)*$/.test(term);
}

/** Values of figures by their digits, because every sentence is compared with every unit of the evidence. */
const knownFigures = new Map<string, readonly number[]>();
const MAX_KNOWN_FIGURES = 10_000;

/** Returns the possible values of digits: `1.500` is one and a half, or fifteen hundred. */
function valuesOf(figure: string): readonly number[] {
  const known = knownFigures.get(figure);
  if (known !== undefined) return known;
  const values = statedNumbers(figure).flatMap((stated) => stated.values);
  if (knownFigures.size >= MAX_KNOWN_FIGURES) knownFigures.clear();
  knownFigures.set(figure, values);
  return values;
}

/** Reports whether two numbers are equal in their most likely reading: `3,000` is three thousand. */
function areEqual(a: string, b: string): boolean {
  const [[x], [y]] = [valuesOf(a), valuesOf(b)];
  return x !== undefined && y !== undefined && isSameValue(x, y);
}

/** Factors between a number in thousands, millions, or percent, and the same number written out. */
const SCALES: readonly number[] = [1, 100, 1e3, 1e6, 1e9];

/**
 * Reports whether two numbers can mean the same: one is the other rounded, or in another unit such as thousands or
 * percent, or one isn't a plain number, such as a version.
 */
function isRounding(a: string, b: string): boolean {
  const [as, bs] = [valuesOf(a), valuesOf(b)];
  if (as.length === 0 || bs.length === 0) return true;
  return as.some((x) =>
    bs.some((y) =>
      SCALES.some((scale) =>
        [
          [x * scale, y],
          [x, y * scale],
        ].some(([p = 0, q = 0]) => isRounded(p, q, 1) || isRounded(q, p, 1)),
      ),
    ),
  );
}

/**
 * Reports whether a number is an exact one, rounded to its own digits. It needs at least `minDigits` digits before
 * zeros.
 */
function isRounded(rounded: number, exact: number, minDigits: number): boolean {
  // Rounding changes a number by half at most. Formatting numbers below is slow.
  if (Math.abs(rounded - exact) > 0.5 * Math.abs(exact)) return false;
  const [mantissa = ''] = rounded.toExponential().split('e');
  const digits = mantissa.replace('.', '').length;
  return (
    digits >= minDigits && isSameValue(Number(exact.toPrecision(Math.min(15, Math.max(1, digits)))), rounded)
  );
}

function unitSupport({ source: { passage }, start, end }: EvidenceUnit): Support {
  return { passage, span: { start: passage.start + start, end: passage.start + end } };
}

function wholePassage({ passage }: EvidencePassage): Support {
  return { passage, span: { start: passage.start, end: passage.end } };
}

/** Returns the text of a passage nearest to a claim; undefined if no sentence of it matches. */
function nearestIn(match: Match, source: EvidencePassage): Support[] | undefined {
  const chosen = chooseCandidates(rankCandidates(match, [source]));
  const [best] = joinNeighbors(chosen);
  return best === undefined ? undefined : [best];
}

/** Returns the text with the best coverage of a claim in any passage. */
function nearestOf(match: Match): Support[] {
  const chosen = chooseCandidates(rankCandidates(match, match.evidence.passages));
  const [best] = chosen.toSorted((a, b) => b.coverageUnderHeading - a.coverageUnderHeading);
  return best !== undefined && best.coverageUnderHeading >= MIN_UNCITED_COVERAGE ? [toSupport(best)] : [];
}

/** Days, months, durations, and units of the evidence, for comparison with every sentence of an answer. */
interface KnownForms {
  readonly days: readonly StatedDay[];
  /** Values of the durations, in minutes. */
  readonly durations: readonly number[];
  readonly months: ReadonlySet<number>;
  readonly units: ReadonlySet<string>;
  /** `true` if the names of its months and units are known in all its languages. */
  readonly isReadable: boolean;
}

const knownForms = new WeakMap<Evidence, KnownForms>();

function formsOf(evidence: Evidence): KnownForms {
  const known = knownForms.get(evidence);
  if (known !== undefined) return known;
  const texts = evidence.passages.map(textWithTitles).join('\n');
  const days = statedDays(texts);
  const months = texts.match(/\p{L}{3,9}/gu)?.flatMap((word) => monthOf(word) ?? []) ?? [];
  const forms = {
    days,
    durations: statedDurations(texts).flatMap(({ minutes }) => minutes),
    months: new Set([...months, ...days.flatMap((day) => day.days.map((each) => Number.parseInt(each)))]),
    units: unitsIn(texts),
    isReadable: [...evidence.languages].every((index) =>
      LANGUAGES_OF_DAYS.includes(LANGUAGES[index]?.code ?? ''),
    ),
  };
  knownForms.set(evidence, forms);
  return forms;
}

function textWithTitles({ passage }: EvidencePassage): string {
  return [passage.text, passage.documentTitle, ...passage.headings].join('\n');
}

/** Returns the numbers in digits, and the days, names, and units of a claim, that no passage or title has. */
function unknownTerms(
  { claim, credits, evidence }: Match,
  sentence: string,
): { readonly numbers: readonly Span[]; readonly others: readonly Span[] } {
  const anywhere = new Float64Array(claim.terms.length);
  for (const own of credits.values())
    for (const [i, credit] of own.entries()) anywhere[i] = Math.max(anywhere[i] ?? 0, credit);
  const isInTitles = (term: string): boolean =>
    evidence.passages.some(({ context }) => hasTerm(context, term));
  const isKnown = (term: string, minCredit: number): boolean => {
    const index = claim.terms.findIndex((each) => each.term === term);
    return (anywhere[index] ?? 0) >= minCredit || isInTitles(term);
  };
  const signs = new Set(
    claim.terms.flatMap(({ kind, counted }) => (kind === 'number' ? (counted ?? []) : [])),
  );
  const forms = formsOf(evidence);
  const days = statedDays(sentence);
  const isStatedDay = ({ days: own, year }: StatedDay): boolean =>
    forms.days.some(
      (day) =>
        own.some((each) => day.days.includes(each)) &&
        (year === undefined || day.year === undefined || year === day.year),
    );
  const knownDays = days.filter(isStatedDay);
  // "3.2." without a year can be a version at the end of a sentence.
  const unknownDays = days.filter(
    (day) => !knownDays.includes(day) && /\p{L}|\d\D+\d+\D+\d/u.test(sentence.slice(day.start, day.end)),
  );
  const durations = forms.durations.length > 0 ? statedDurations(sentence) : [];
  const knownDurations = durations.filter(({ minutes }) =>
    minutes.some((each) => forms.durations.some((known) => isSameValue(each, known))),
  );
  const isKnownTime = (place: Span): boolean =>
    [...knownDays, ...knownDurations].some(({ start, end }) => start <= place.start && place.end <= end);
  // "4:20 pm" is 16:20.
  const isAfternoon = (hour: string, end = 0): boolean =>
    /^(?::\d\d)? ?p\.?m\b/i.test(sentence.slice(end, end + 9)) &&
    evidence.numbers.has(String(Number(hour) + 12));
  const claimed = statedNumbers(sentence);
  const isInexact = INEXACT_NUMBER.test(claim.wording);
  const terms = claim.terms.filter(({ term, kind, places }) => {
    if (places.every(isKnownTime)) return false;
    const [place] = places;
    const word = sentence.slice(place?.start, place?.end);
    if (kind === 'number')
      return (
        isFigure(term) &&
        !isAfternoon(word, place?.end) &&
        places.some(({ start, end }) => /\d/.test(sentence.slice(start, end))) &&
        ![...evidence.numbers].some((number) => isSameNumber(term, number)) &&
        !isInTitles(term) &&
        !places.every((each) =>
          claimed.some(
            ({ start, end, values }) =>
              start <= each.start &&
              each.end <= end &&
              values.some((value) => isStated(value, evidence, isInexact)),
          ),
        )
      );
    if (kind === 'name') {
      const parts = claim.names.find((name) => name.term === term)?.parts ?? [];
      const { sameName, there } = CHECKING_WEIGHTS;
      const month = monthOf(word);
      return (
        claim.names.some((name) => name.term === term) &&
        !isKnown(term, sameName) &&
        !(parts.length > 1 && parts.every((part) => isKnown(part, there))) &&
        (month === undefined || !forms.months.has(month))
      );
    }
    if (!signs.has(term) || isKnown(term, CHECKING_WEIGHTS.there) || CLOCK.test(word)) return false;
    const unit = unitForms(word);
    return unit === undefined
      ? UNIT_SIGN.test(word) && !SHORT_WORD.test(word)
      : (forms.isReadable || UNIT_SIGN.test(word)) && ![...unit].some((form) => forms.units.has(form));
  });
  const numbers = terms
    .filter(({ kind }) => kind === 'number')
    .flatMap(({ places }) => places)
    .map((place) => claimed.find(({ start, end }) => start <= place.start && place.end <= end) ?? place);
  const others = terms.filter(({ kind }) => kind !== 'number').flatMap(({ places }) => places);
  return { numbers: [...new Set(numbers)], others: [...others, ...(forms.isReadable ? unknownDays : [])] };
}

/** Returns the numbers in words, from `MIN_RESULT` on, that no passage states. */
function unknownInWords({ claim, evidence }: Match, sentence: string): readonly Span[] {
  const isInexact = INEXACT_NUMBER.test(claim.wording);
  return statedNumbers(sentence).filter(
    ({ isInDigits, values }) =>
      !isInDigits &&
      (values[0] ?? 0) >= MIN_RESULT &&
      !values.some((value) => isStated(value, evidence, isInexact)),
  );
}

/** Words that scale numbers elsewhere in the text to thousands or more, such as in the header of a column. */
const SCALE_WORDS: readonly (readonly [scale: number, words: RegExp])[] = [
  [1e3, /\b(?:thousands?|tausend|tsd|milliers?)\b/i],
  [1e6, /\b(?:millions?|millionen|mio|mn)\b/i],
  [1e9, /\b(?:billions?|bn|milliarden?|milliards?|mrd)\b/i],
];

/** Match a year and the sign of a rank, which other numbers only combine to by chance: "2022" isn't 2,021 + 1. */
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const RANK_SIGN = /(?:[#№]|n[°º])\s?$/iu;

/**
 * Returns the forms of a number that other numbers may combine to: as it is, and without its scale if the evidence has
 * that for other numbers, such as "in thousands" above a table.
 */
function formsToCompute(number: Span, sentence: string, { passages }: Evidence): readonly string[] {
  const written = sentence.slice(number.start, number.end);
  const isOfDay = statedDays(sentence).some(({ start, end }) => start <= number.start && number.end <= end);
  const before = sentence.slice(0, number.start);
  if (isOfDay || YEAR.test(written) || RANK_SIGN.test(before) || NUMBER_LABEL.test(before.trimEnd()))
    return [];
  const figure = figureOf(number, sentence);
  const isScaled = SCALE_WORDS.some(
    ([, words]) =>
      words.test(sentence.slice(figure.end, number.end)) &&
      passages.some((source) => words.test(textWithTitles(source))),
  );
  return isScaled ? [written, sentence.slice(figure.start, figure.end)] : [written];
}

/** Cache of the numbers in the evidence, for comparison with every sentence of an answer. */
const knownValues = new WeakMap<Evidence, readonly number[]>();

/**
 * Reports whether passages state a number in any form, or one that rounds to it. An inexact number such as "about 2,000"
 * may have a single digit, if the other number is close.
 */
function isStated(value: number, evidence: Evidence, isInexact: boolean): boolean {
  let known = knownValues.get(evidence);
  if (known === undefined) {
    known = evidence.passages.flatMap((source) => {
      const texts = textWithTitles(source);
      const scales = [1, ...SCALE_WORDS.flatMap(([scale, words]) => (words.test(texts) ? [scale] : []))];
      const values = new Set(statedNumbers(texts).flatMap((stated) => stated.values));
      return [...values].flatMap((each) => scales.map((scale) => each * scale));
    });
    knownValues.set(evidence, known);
  }
  return known.some(
    (each) =>
      isSameValue(value, each) ||
      isRounded(value, each, 2) ||
      (isInexact && isRounded(value, each, 1) && Math.abs(value - each) <= MAX_INEXACT_RATIO * each),
  );
}

/** Rows and sentences whose numbers a claim can combine. */
interface NearUnits {
  readonly supporting: readonly EvidenceUnit[];
  readonly near: readonly EvidenceUnit[];
}

/** Returns the rows and sentences that support a claim, and those near it. */
function unitsNear(match: Match, own: readonly EvidencePassage[], supports: readonly Support[]): NearUnits {
  const { units } = match.evidence;
  const isSupport = ({ source: { passage }, start, end }: EvidenceUnit): boolean =>
    supports.some(
      (support) =>
        support.passage === passage &&
        support.span.start < passage.start + end &&
        passage.start + start < support.span.end,
    );
  const candidates = rankCandidates(match, own);
  const isRowWithNumber = ({ kind, numbers }: EvidenceUnit): boolean => kind === 'row' && numbers.length > 0;
  // The heading and the header of a table often have more words of the claim than its rows.
  const rows = candidates.filter((candidate) => candidate.units.some(isRowWithNumber));
  const near = new Set([...candidates.slice(0, MAX_COMPUTED_UNITS), ...rows.slice(0, MAX_COMPUTED_UNITS)]);
  return { supporting: units.filter(isSupport), near: [...near].flatMap((candidate) => candidate.units) };
}

/**
 * Returns the numbers that a claim can combine, in groups: those of its supporting text, of each row or sentence near
 * it, and of each column of these rows.
 */
function numbersIn({ supporting, near }: NearUnits): readonly (readonly string[])[] {
  const rows = near
    .filter(({ kind }) => kind === 'row')
    .map(({ text }) => rowCells(text).map((cell) => (isAmount(cell) ? numbersOf(cell) : [])));
  const columns = Array.from({ length: Math.max(0, ...rows.map((cells) => cells.length)) }, (_, i) =>
    rows.flatMap((cells) => cells[i] ?? []),
  );
  return [
    supporting.flatMap(({ text }) => numbersOf(text)),
    ...near.filter(({ kind }) => kind !== 'row').map(({ text }) => numbersOf(text)),
    ...rows.map((cells) => cells.flat()),
    ...columns,
  ];
}

/** Returns the numbers of a text as they are written. */
function numbersOf(text: string): string[] {
  return statedNumbers(text).map(({ start, end }) => text.slice(start, end));
}

/** Returns a number without the scale behind it: "3.2" of "3.2 million". */
function figureOf({ start, end }: Span, sentence: string): Span {
  const figure = /^.*\d/u.exec(sentence.slice(start, end));
  return { start, end: figure === null ? end : start + figure[0].length };
}

/** Returns distinct spans in order, without those inside another. */
function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (span.start >= (joined.at(-1)?.end ?? 0)) joined.push(span);
  return joined;
}

/** Finds words in a text, ignoring case, punctuation, and line breaks; undefined if they aren't there. */
export function findWords(words: string, text: string): Span | undefined {
  const searchedWords = foldedWords(splitWords(words));
  if (searchedWords.length === 0) return undefined;
  const textWords = splitWords(text);
  const folded = ` ${foldedWords(textWords).join(' ')} `;
  const at = folded.indexOf(` ${searchedWords.join(' ')} `);
  if (at < 0) return undefined;
  const first = folded.slice(0, at).split(' ').length - 1;
  const [start, end] = [textWords[first]?.start, textWords[first + searchedWords.length - 1]?.end];
  return start === undefined || end === undefined ? undefined : { start, end };
}

function foldedWords(words: readonly Word[]): string[] {
  return words.map(({ folded }) => folded);
}
