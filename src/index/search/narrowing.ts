import type { TextFormat } from '../../core/language/units.ts';
import { cutSentences } from '../../core/language/sentences.ts';
import type { Span } from '../../core/language/span.ts';
import type { PlaceSignals } from '../../core/domain/passage.ts';
import { WordTokenizer, type CountedTerms } from '../../core/language/words/tokenizer.ts';
import { NARROWING_WEIGHTS } from './narrowing-weights.ts';
import { gainIn, TableRanking, type RowGain } from './table-ranking.ts';
import { bm25, stretches, type Stretch } from './term-windows.ts';

/** Passage found for a question, with its score. */
export interface ScoredPassage extends Span {
  readonly documentId: number;
  readonly passageId: number;
  readonly score: number;
  readonly signals?: PlaceSignals | undefined;
  readonly headings?: readonly string[];
  readonly context?: readonly Span[];
}

/** Text of a span in a document. */
export interface NarrowingSource {
  readonly text: string;
  readonly format: TextFormat;
}

/** Passage length for which the weights were chosen, in UTF-16 code units. */
const USUAL_SIZE = 1_500;
/**
 * For each this many characters, one more sentence is kept after the last one with a term of the question, and one
 * fewer before the first: answers often follow.
 */
const CHARACTERS_PER_UNIT = 800;
/** Approximate number of characters per term. */
const CHARACTERS_PER_TERM = 6;

type Unit = CountedTerms & Span;

interface Window extends ScoredPassage {
  /** Terms of the question in it; none if its passage only matched by path or headings. */
  readonly terms: readonly string[];
}

/** Narrowing of found passages to the sentences that answer the question. */
export class Narrowing {
  readonly #tokenizer = new WordTokenizer();
  readonly #tables = new TableRanking();

  /**
   * Returns the best windows of whole sentences within the found passages, best first, without overlap. A window's
   * score is BM25 over its own terms plus a share of its passage's score. Passages of code stay whole. `weights` has
   * the question's terms with their inverse document frequency. `size` is the maximum length of a passage in UTF-16
   * code units. With `byPassage`, returns the best window of each passage, or the passage itself, with the passage's
   * score. That suits passages that weren't only found by terms. With `holding`, windows must match all these patterns.
   * Table rows with a column for one of `years` count more.
   */
  narrow(
    ranked: readonly ScoredPassage[],
    weights: ReadonlyMap<string, number>,
    sourceAt: (documentId: number, span: Span) => NarrowingSource | undefined,
    options: {
      readonly size: number;
      readonly limit: number;
      readonly byPassage?: boolean;
      readonly holding?: readonly RegExp[];
      readonly years?: readonly string[];
    },
  ): ScoredPassage[] {
    const { years = [] } = options;
    const windows: Window[] = [];
    for (const [documentId, passages] of Map.groupBy(ranked, (passage) => passage.documentId))
      // Adjoining passages become one stretch, so that windows can cross their borders.
      for (const stretch of stretches(passages)) {
        const source = sourceAt(documentId, stretch);
        if (source === undefined) continue;
        const textIn = ({ start, end }: Span): string =>
          source.text.slice(start - stretch.start, end - stretch.start);
        const units = this.#cutUnits(stretch, source, weights);
        const [first] = stretch.parts;
        const around = (first?.context ?? [])
          .map((span) => sourceAt(documentId, span)?.text ?? '')
          .join('\n');
        const heading = first?.headings?.at(-1) ?? '';
        const gains =
          source.format === 'markdown'
            ? this.#tables.gains({ text: source.text, around, heading }, { years, weights })
            : [];
        const rows = gains.map(({ start, end, gain }) => ({
          start: start + stretch.start,
          end: end + stretch.start,
          gain,
        }));
        const scored = windowsIn(stretch, units, weights, { size: options.size, rows });
        windows.push(...scored.filter((window) => holds(textIn(window), options.holding ?? [])));
      }
    windows.sort((a, b) => b.score - a.score);
    if (options.byPassage === true) return apart(windowOfEach(ranked, windows), options.limit);
    const { cut: usual, cutLess } = NARROWING_WEIGHTS;
    const cut = usual - cutLess * Math.log2(options.size / USUAL_SIZE);
    return apart(strongOrNew(windows, weights, cut), options.limit);
  }

  #cutUnits(
    stretch: Stretch<ScoredPassage>,
    { text, format }: NarrowingSource,
    weights: ReadonlyMap<string, number>,
  ): Unit[] {
    const spans =
      format === 'code'
        ? stretch.parts
        : cutSentences(text).map(({ start, end }) => ({
            start: start + stretch.start,
            end: end + stretch.start,
          }));
    return spans.map(({ start, end }) => ({
      start,
      end,
      ...this.#tokenizer.countTerms(text.slice(start - stretch.start, end - stretch.start), weights),
    }));
  }
}

/** Reports whether all patterns match a text. */
export function holds(text: string, patterns: readonly RegExp[]): boolean {
  return patterns.every((pattern) => pattern.test(text));
}

/**
 * Returns windows, best first, that are nearly as good as the best one, or that contain parts of the question that no
 * better one has.
 */
function strongOrNew(
  windows: readonly Window[],
  weights: ReadonlyMap<string, number>,
  cut: number,
): ScoredPassage[] {
  const sumWeights = (terms: Iterable<string>): number => {
    let sum = 0;
    for (const term of terms) sum += weights.get(term) ?? 0;
    return sum;
  };
  const { cutOfNew, partOfNew } = NARROWING_WEIGHTS;
  const best = windows[0]?.score ?? 0;
  const totalWeight = sumWeights(new Set(windows.flatMap(({ terms }) => terms)));
  const coveredTerms = new Set<string>();
  const selected: ScoredPassage[] = [];
  for (const { terms, ...window } of windows) {
    if (window.score < Math.min(cut, cutOfNew) * best) break;
    const lacking = cut - window.score / best;
    if (
      lacking > 0 &&
      sumWeights(terms.filter((term) => !coveredTerms.has(term))) <=
        (lacking / (cut - cutOfNew)) * partOfNew * totalWeight
    )
      continue;
    for (const term of terms) coveredTerms.add(term);
    selected.push(window);
  }
  return selected;
}

/** Returns the first windows that don't overlap. */
function apart(windows: readonly ScoredPassage[], limit: number): ScoredPassage[] {
  const chosen: ScoredPassage[] = [];
  for (const window of windows) {
    if (chosen.length === limit) break;
    if (!chosen.some((other) => overlaps(other, window))) chosen.push(window);
  }
  return chosen;
}

/** Returns the best window of each passage, or the passage itself, in the order of the passages. */
function windowOfEach(
  passages: readonly ScoredPassage[],
  windows: readonly ScoredPassage[],
): ScoredPassage[] {
  const firstByPassage = new Map<number, ScoredPassage>();
  for (const window of windows)
    if (!firstByPassage.has(window.passageId)) firstByPassage.set(window.passageId, window);
  return passages.map((passage) => ({
    ...(firstByPassage.get(passage.passageId) ?? passage),
    score: passage.score,
    signals: passage.signals,
  }));
}

/** Returns the longest possible window from each unit on, scored, and cut to the question's terms. */
function windowsIn(
  stretch: Stretch<ScoredPassage>,
  units: readonly Unit[],
  weights: ReadonlyMap<string, number>,
  { size, rows }: { readonly size: number; readonly rows: readonly RowGain[] },
): Window[] {
  const { k, b, window: share, context } = NARROWING_WEIGHTS;
  const longest = share * size;
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
    // Slide the window: add units while they fit, and drop its first unit at the end.
    for (let next = units[to]; next && (to === from || next.end - first.start <= longest); next = units[++to])
      take(next, 1);
    while ((hits[firstHit] ?? Infinity) < from) firstHit++;
    while ((hits[lastHit + 1] ?? Infinity) < to) lastHit++;
    if (firstHit <= lastHit) {
      const start = units[Math.max(from, (hits[firstHit] ?? 0) - after + 1)]?.start ?? first.start;
      const end = units[Math.min(to - 1, (hits[lastHit] ?? 0) + after)]?.end ?? first.end;
      const around = bestAround(stretch.parts, { start: first.start, end: units[to - 1]?.end ?? first.end });
      if (around !== undefined) {
        const words = bm25(counts, (length * CHARACTERS_PER_TERM) / longest, weights, { k, b });
        const table = words * gainIn(rows, { start, end });
        const section = context * around.score;
        windows.push({
          documentId: around.documentId,
          passageId: around.passageId,
          start,
          end,
          score: words + table + section,
          signals: { words, section, ...(table > 0 && { table }) },
          terms: Array.from(counts).flatMap(([term, count]) => (count > 0 ? [term] : [])),
        });
      }
    }
    take(first, -1);
  }
  // The passages matched only by path or headings.
  if (windows.length === 0)
    return stretch.parts.map((part) => {
      const section = context * part.score;
      return { ...part, score: section, signals: { words: 0, section }, terms: [] };
    });
  return windows;
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
