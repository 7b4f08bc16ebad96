import type { TextFormat } from '../../language/units.ts';
import { sentencesOf } from '../../language/sentences.ts';
import type { Span } from '../../language/span.ts';
import { WordTokenizer } from '../../language/words/tokenizer.ts';
import { STOP_MARK } from '../../language/words/word-terms.ts';

/** A passage that a question found, with its score. */
export interface ScoredPassage extends Span {
  readonly documentId: number;
  readonly passageId: number;
  readonly score: number;
}

/** What stands in a span of a document. */
export interface NarrowingSource {
  readonly text: string;
  readonly format: TextFormat;
}

/** What was measured best on questions over prose: see `npm run bench -- passages`. */
const K = 1.5;
const B = 0.7;
/** A window's length as a share of the greatest length of a passage. */
const WINDOW = 0.8;
/** How much the score of the passage around it counts in a window's. */
const CONTEXT = 0.6;
/**
 * Windows under this share of the best one's score are left out: of long ones fewer, by so much less for twice the
 * length, as who wants long passages wants to miss nothing.
 */
const CUT = 0.635;
const CUT_LESS = 0.1;
const USUAL_SIZE = 1_500;
/** Weaker ones are kept where they alone hold a part of the question: the weaker, the more, and at this share so much of it. */
const CUT_OF_NEW = 0.4;
const NEW = 0.4;
/**
 * A sentence more for so many characters is kept after the last that holds a term of the question, and one less before
 * the first: what answers, often follows.
 */
const CHARACTERS_PER_UNIT = 800;
/** About as many characters make a term. */
const CHARACTERS_PER_TERM = 6;

interface Unit extends Span {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

interface Window extends ScoredPassage {
  /** The question's terms in it; none where its passage was found by path or headings alone. */
  readonly terms: readonly string[];
}

/** Neighbouring passages of one document, taken together. */
interface Stretch extends Span {
  readonly documentId: number;
  readonly parts: readonly ScoredPassage[];
}

/** Narrows found passages to the sentences that carry the question. */
export class Narrowing {
  readonly #tokenizer = new WordTokenizer();

  /**
   * The best windows of whole sentences within the found passages, best first, none overlapping another.
   * Each is scored by BM25 over its own terms plus a share of its passage's score; a passage of code stays whole.
   * `weights` are the question's terms with their inverse document frequency, `size` is the greatest length of
   * a passage in UTF-16 code units. With `byPassage` each passage gives its best window, or itself where it has none,
   * with its own score: for passages that were found by more than their terms. With `holding` windows have to hold all
   * of these patterns.
   */
  narrow(
    found: readonly ScoredPassage[],
    weights: ReadonlyMap<string, number>,
    sourceAt: (documentId: number, span: Span) => NarrowingSource | undefined,
    options: {
      readonly size: number;
      readonly limit: number;
      readonly byPassage?: boolean;
      readonly holding?: readonly RegExp[];
    },
  ): ScoredPassage[] {
    const windows: Window[] = [];
    for (const stretch of stretchesOf(found)) {
      const source = sourceAt(stretch.documentId, stretch);
      if (source === undefined) continue;
      const textIn = ({ start, end }: Span): string =>
        source.text.slice(start - stretch.start, end - stretch.start);
      const units = this.#unitsOf(stretch, source, weights);
      const found = windowsOf(units, stretch, weights, options.size);
      windows.push(...found.filter((window) => holds(textIn(window), options.holding ?? [])));
    }
    windows.sort((a, b) => b.score - a.score);
    if (options.byPassage === true) return apart(windowOfEach(found, windows), options.limit);
    const cut = CUT - CUT_LESS * Math.log2(options.size / USUAL_SIZE);
    return apart(strongOrNew(windows, weights, cut), options.limit);
  }

  #unitsOf(
    stretch: Stretch,
    { text, format }: NarrowingSource,
    weights: ReadonlyMap<string, number>,
  ): Unit[] {
    const spans =
      format === 'code'
        ? stretch.parts
        : sentencesOf(text).map(({ start, end }) => ({
            start: start + stretch.start,
            end: end + stretch.start,
          }));
    return spans.map(({ start, end }) => {
      const counts = new Map<string, number>();
      const terms = this.#tokenizer
        .termsOfPassage(text.slice(start - stretch.start, end - stretch.start))
        .filter((term) => !term.startsWith(STOP_MARK) || weights.has(term));
      for (const term of terms) if (weights.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
      return { start, end, counts, length: terms.length };
    });
  }
}

/** Whether all patterns find something in a text. */
export function holds(text: string, patterns: readonly RegExp[]): boolean {
  return patterns.every((pattern) => pattern.test(text));
}

/** The windows, best first, that are nearly as good as the best, or hold what no better one holds of a question of several parts. */
function strongOrNew(
  windows: readonly Window[],
  weights: ReadonlyMap<string, number>,
  cut: number,
): ScoredPassage[] {
  const weightOf = (terms: Iterable<string>): number => {
    let sum = 0;
    for (const term of terms) sum += weights.get(term) ?? 0;
    return sum;
  };
  const best = windows[0]?.score ?? 0;
  const all = weightOf(new Set(windows.flatMap(({ terms }) => terms)));
  const told = new Set<string>();
  const kept: ScoredPassage[] = [];
  for (const { terms, ...window } of windows) {
    if (window.score < Math.min(cut, CUT_OF_NEW) * best) break;
    const lacking = cut - window.score / best;
    if (
      lacking > 0 &&
      weightOf(terms.filter((term) => !told.has(term))) <= (lacking / (cut - CUT_OF_NEW)) * NEW * all
    )
      continue;
    for (const term of terms) told.add(term);
    kept.push(window);
  }
  return kept;
}

/** The first windows of which none overlaps another. */
function apart(windows: readonly ScoredPassage[], limit: number): ScoredPassage[] {
  const chosen: ScoredPassage[] = [];
  for (const window of windows) {
    if (chosen.length === limit) break;
    if (!chosen.some((other) => overlaps(other, window))) chosen.push(window);
  }
  return chosen;
}

/** Each passage's best window, or the passage, in the order of the passages. */
function windowOfEach(found: readonly ScoredPassage[], windows: readonly ScoredPassage[]): ScoredPassage[] {
  const firstOf = new Map<number, ScoredPassage>();
  for (const window of windows) if (!firstOf.has(window.passageId)) firstOf.set(window.passageId, window);
  return found.map((passage) => ({ ...(firstOf.get(passage.passageId) ?? passage), score: passage.score }));
}

/** Passages of one document that touch or overlap become one stretch, so that windows may cross their borders. */
function stretchesOf(found: readonly ScoredPassage[]): Stretch[] {
  const stretches: { documentId: number; start: number; end: number; parts: ScoredPassage[] }[] = [];
  for (const passage of found.toSorted((a, b) => a.documentId - b.documentId || a.start - b.start)) {
    const last = stretches.at(-1);
    // Blank lines between passages belong to none.
    if (last?.documentId === passage.documentId && passage.start <= last.end + 2) {
      last.end = Math.max(last.end, passage.end);
      last.parts.push(passage);
    } else {
      const { documentId, start, end } = passage;
      stretches.push({ documentId, start, end, parts: [passage] });
    }
  }
  return stretches;
}

/** From each unit on, the longest window that fits, scored, and then cut to where the question's terms are. */
function windowsOf(
  units: readonly Unit[],
  stretch: Stretch,
  weights: ReadonlyMap<string, number>,
  size: number,
): Window[] {
  const longest = WINDOW * size;
  const after = Math.max(1, Math.round(size / CHARACTERS_PER_UNIT));
  const windows: Window[] = [];
  const hits = units.flatMap(({ counts }, index) => (counts.size > 0 ? [index] : []));
  const counts = new Map<string, number>();
  let length = 0;
  const take = (unit: Unit, sign: 1 | -1): void => {
    length += sign * unit.length;
    for (const [term, count] of unit.counts) counts.set(term, (counts.get(term) ?? 0) + sign * count);
  };
  let to = 0;
  let firstHit = 0;
  let lastHit = -1;
  for (const [from, first] of units.entries()) {
    // The window slides: what follows is taken in while it fits, and its first unit is let go at the end.
    for (let next = units[to]; next && (to === from || next.end - first.start <= longest); next = units[++to])
      take(next, 1);
    while ((hits[firstHit] ?? Infinity) < from) firstHit++;
    while ((hits[lastHit + 1] ?? Infinity) < to) lastHit++;
    if (firstHit <= lastHit) {
      const start = units[Math.max(from, (hits[firstHit] ?? 0) - after + 1)]?.start ?? first.start;
      const end = units[Math.min(to - 1, (hits[lastHit] ?? 0) + after)]?.end ?? first.end;
      const around = bestAround(stretch.parts, { start: first.start, end: units[to - 1]?.end ?? first.end });
      const score = scoreOf(counts, length, weights, longest);
      if (around !== undefined)
        windows.push({
          documentId: stretch.documentId,
          passageId: around.passageId,
          start,
          end,
          score: score + CONTEXT * around.score,
          terms: Array.from(counts).flatMap(([term, count]) => (count > 0 ? [term] : [])),
        });
    }
    take(first, -1);
  }
  // Passages that were found by their path or headings alone.
  if (windows.length === 0)
    return stretch.parts.map((part) => ({ ...part, score: CONTEXT * part.score, terms: [] }));
  return windows;
}

/** BM25 of a window's own terms. */
function scoreOf(
  counts: ReadonlyMap<string, number>,
  length: number,
  weights: ReadonlyMap<string, number>,
  longest: number,
): number {
  const norm = K * (1 - B + (B * length * CHARACTERS_PER_TERM) / longest);
  let score = 0;
  for (const [term, count] of counts) score += ((weights.get(term) ?? 0) * count * (K + 1)) / (count + norm);
  return score;
}

function bestAround(parts: readonly ScoredPassage[], window: Span): ScoredPassage | undefined {
  let best: ScoredPassage | undefined;
  for (const part of parts)
    if (part.start < window.end && window.start < part.end && (best === undefined || part.score > best.score))
      best = part;
  return best;
}

function overlaps(a: ScoredPassage, b: ScoredPassage): boolean {
  return a.documentId === b.documentId && a.start < b.end && b.start < a.end;
}
