import type { Heading } from '../../core/domain/document.ts';
import { BOILERPLATE_WORDS, isBoilerplate } from '../../core/language/boilerplate.ts';
import { cutUnits, type TextFormat } from '../../core/language/units.ts';
import { isComment } from '../../core/language/code-lines.ts';
import { linesIn } from '../../core/language/markdown-lines.ts';
import { cutSentences } from '../../core/language/sentences.ts';
import { overlap, type Span } from '../../core/language/span.ts';
import type { PlaceSignals } from '../../core/domain/passage.ts';
import type { ScoredPassage } from './narrowing.ts';
import { WordTokenizer, type CountedTerms } from '../../core/language/words/tokenizer.ts';
import type { Hit } from './lexical/passage-index.ts';
import { NAMED_WEIGHTS } from './lexical/named-weights.ts';
import { MARK_WEIGHTS, PLACE_WEIGHTS } from './place-weights.ts';
import {
  addCounts,
  afterHeading,
  around,
  blocksIn,
  isBareTitle,
  isContentsList,
  leadsIn,
  windowsIn,
  type Block,
} from './place-windows.ts';
import { headingSpan } from '../documents/heading-lines.ts';
import { Sections, type Section } from '../documents/splitter-sections.ts';
import { specificityOf } from '../../core/language/words/general-words.ts';
import { ENGLISH, STOP_MARK } from '../../core/language/words/word-terms.ts';
import { languageOfText } from '../../core/language/words/words.ts';
import { gainIn, TableRanking, type TableQuery, type RowGain } from './table-ranking.ts';
import { TABLE_WEIGHTS } from './table-weights.ts';
import { bm25, stretches, type TermCounts } from './term-windows.ts';
import { fuse } from './vectors/fusion.ts';
import { fuseSignals } from './signals.ts';

/** Document data for the ranking. */
export interface PlaceSource {
  readonly format: TextFormat;
  readonly headings: readonly Heading[];
  /** Length in UTF-16 code units. */
  readonly length: number;
  slice(start: number, end: number): string;
  /** Returns related spans elsewhere that help to understand a range. */
  understoodWith(stretch: Span): readonly Span[];
}

/** Part of a section with words of a question. */
interface Excerpt extends ScoredPassage {
  /** Titles from the outermost to the nearest heading. */
  readonly headings: readonly string[];
  /** Section below the nearest heading. */
  readonly section: Span;
  readonly signals: PlaceSignals;
  /** See `FoundPlace`. */
  readonly marks: readonly Span[];
}

/** Maximum number of excerpts, and of their UTF-16 code units in total. */
const MAX_EXCERPTS = 60;
const MAX_CHARACTERS = 16_000;
/** Maximum number of UTF-16 code units read for one question. */
const MAX_READ_CHARACTERS = 600_000;
/**
 * Number of the best passages that are read with all text that can be shown around them. The others are read alone, which
 * takes an eighth less time and finds as many answers. See test/support/fit-reading.ts.
 */
const WIDELY_READ = 40;

/** Question for the ranking of places. */
export interface PlaceQuery extends TableQuery {
  readonly question: string;
  /** Shares that count of the weights of its terms, 0 to 1: other forms of its words count less. */
  readonly shares: ReadonlyMap<string, number>;
  /** See `mayAskForCode`. */
  readonly mayAskForCode: boolean;
  /** The documents that it names; others count less. */
  readonly named: ReadonlySet<number> | undefined;
}

/** Question for the marks of excerpts. */
interface MarkedQuestion {
  readonly weights: ReadonlyMap<string, number>;
  /** Reports whether a text is legal boilerplate that the question doesn't ask about. */
  readonly isLegal: (text: string) => boolean;
}

/** Sequence of blocks in a section. */
interface Run {
  readonly documentId: number;
  readonly isCode: boolean;
  readonly section: Section;
  readonly blocks: readonly Block[];
  /** Rows of tables with a higher score. */
  readonly rows: readonly RowGain[];
}

/** Window with its score for a question. */
interface RankedWindow extends Span {
  readonly run: Run;
  /** Counts of the question's terms in the window and its related spans. */
  readonly counts: TermCounts;
  readonly score: number;
  readonly signals: PlaceSignals;
}

type SectionSignals = Required<Pick<PlaceSignals, 'headings' | 'section'>>;

/** Ranking of the places in a notebook that are most relevant to a question, by its words. */
export class PlaceRanking {
  readonly #tokenizer = new WordTokenizer();
  readonly #tables = new TableRanking();

  /**
   * Returns excerpts of found passages, best first, without overlap. The first is long enough to read, and the others
   * are short. `query` has the years and terms of the question with their inverse document frequency. `near` has the
   * semantically closest passages, which must be among the found ones. Code counts less unless the question may ask for
   * it.
   */
  rank(
    retrieved: readonly ScoredPassage[],
    query: PlaceQuery,
    near: readonly Hit[],
    findSource: (documentId: number) => PlaceSource | undefined,
  ): Excerpt[] {
    const { rarity, firstRarity, firstGeneral } = PLACE_WEIGHTS;
    const { blockK, blockB, longestFirst, longestOther, lookedAt, begins, weakest } = PLACE_WEIGHTS;
    const asksLegal = this.#tokenizer
      .termsOfPassage(BOILERPLATE_WORDS)
      .some((term) => query.weights.has(term));
    const isLegal = (text: string): boolean => !asksLegal && isBoilerplate(text);
    const dampen = (exponent: number): ReadonlyMap<string, number> =>
      new Map(
        Array.from(query.weights, ([term, weight]) => {
          const share = query.shares.get(term) ?? 1;
          return [term, share * (weight / share) ** exponent];
        }),
      );
    const damped = dampen(rarity);
    const specific = scaleTo(lowerGeneral(dampen(firstRarity), query.question, firstGeneral), damped);
    const runs = this.#readRuns(retrieved, { ...query, weights: damped, isLegal }, findSource);
    const { code, comments } = PLACE_WEIGHTS;
    const codeShares = query.mayAskForCode ? { code: 1, comments: 1 } : { code, comments };
    const makeWindows = (longest: number, weights: ReadonlyMap<string, number>): readonly RankedWindow[] =>
      withMeaning(
        rankWindows(
          runs,
          weights,
          { sections: this.#sectionSignals(runs, weights), codeShares, named: query.named },
          { longest, k: blockK, b: blockB },
        ),
        retrieved,
        near,
      );
    const long = this.#raiseForPairs(makeWindows(longestFirst, specific), query, findSource);
    const short = makeWindows(longestOther, damped);
    const leading = earliest(
      short.slice(0, lookedAt).filter((window) => {
        if (window.counts.size < damped.size) return false;
        const source = findSource(window.run.documentId);
        return (
          source !== undefined &&
          this.#leadsWithQuery(source.slice(window.start, window.end), source.format, damped)
        );
      }),
    );
    const [best] = long;
    const beginning = raiseForLead(
      long.find(({ run, start }) => run === leading?.run && start === leading.start),
      begins * (best?.score ?? 0),
    );
    const first = (beginning?.score ?? 0) > (best?.score ?? 0) ? beginning : best;
    const chosen: RankedWindow[] = first === undefined ? [] : [first];
    let remainingCharacters = MAX_CHARACTERS;
    const least = weakest * (short[0]?.score ?? 0);
    for (const window of short) {
      if (chosen.length === MAX_EXCERPTS || remainingCharacters <= 0 || window.score < least) break;
      if (
        chosen.some((other) => other.run.documentId === window.run.documentId && overlap(other, window) > 0)
      )
        continue;
      remainingCharacters -= window.end - window.start;
      chosen.push(window);
    }
    return chosen.flatMap((window) => {
      const source = findSource(window.run.documentId);
      return source === undefined
        ? []
        : [this.#makeExcerpt(window, source, { weights: damped, isLegal }, retrieved)];
    });
  }

  /**
   * Raises the scores of the best windows by the share of the question's pairs of neighboring words that follow each
   * other there, too: "dry years" rather than "dry" and "years".
   */
  #raiseForPairs(
    ranked: readonly RankedWindow[],
    { question, weights }: PlaceQuery,
    findSource: (documentId: number) => PlaceSource | undefined,
  ): readonly RankedWindow[] {
    const questionTerms = this.#tokenizer.termsOfPassage(question).filter((term) => weights.has(term));
    const pairs = questionTerms.flatMap((term, i) => {
      const next = questionTerms[i + 1];
      return next === undefined || next === term ? [] : [[term, next] as const];
    });
    const best = ranked[0]?.score ?? 0;
    if (pairs.length === 0 || best === 0) return ranked;
    const { lookedAt, pairs: weight } = PLACE_WEIGHTS;
    const raised = ranked.slice(0, lookedAt).map((window) => {
      const presentPairs = pairs.filter(
        ([first, second]) => window.counts.has(first) && window.counts.has(second),
      );
      if (presentPairs.length === 0) return window;
      const text = findSource(window.run.documentId)?.slice(window.start, window.end) ?? '';
      const terms = this.#tokenizer.termsOfPassage(text);
      const matchingPairs = presentPairs.filter(([first, second]) =>
        terms.some((term, i) => term === first && (terms[i + 1] === second || terms[i + 2] === second)),
      );
      const gain = (weight * best * matchingPairs.length) / pairs.length;
      const signals = { ...window.signals, words: window.signals.words + gain };
      return { ...window, score: window.score + gain, signals };
    });
    return [...raised.toSorted((a, b) => b.score - a.score), ...ranked.slice(lookedAt)];
  }

  /** Returns the blocks of the found passages by section. */
  #readRuns(
    retrieved: readonly ScoredPassage[],
    query: PlaceQuery & Pick<MarkedQuestion, 'isLegal'>,
    findSource: (documentId: number) => PlaceSource | undefined,
  ): Run[] {
    const runs: Run[] = [];
    const best = new Set(retrieved.slice(0, WIDELY_READ));
    const reachOf = (passage: ScoredPassage): number => (best.has(passage) ? PLACE_WEIGHTS.longestFirst : 0);
    let remainingCharacters = MAX_READ_CHARACTERS;
    for (const [documentId, passages] of Map.groupBy(retrieved, (passage) => passage.documentId)) {
      const source = findSource(documentId);
      if (source === undefined) continue;
      const sections = new Sections(source.headings, source.length);
      for (const stretch of stretches(passages.map((passage) => around(passage, source, reachOf(passage))))) {
        if ((remainingCharacters -= stretch.end - stretch.start) < 0) return runs;
        for (const section of sections.touchedBy(stretch)) {
          const start = Math.max(afterHeading(source, section), stretch.start);
          const end = Math.min(section.end, stretch.end);
          if (start >= end) continue;
          const text = source.slice(start, end);
          const spans = blocksIn(text, source.format).filter(
            (block) => !isContentsList(text.slice(block.start, block.end)),
          );
          const blocks = spans.map((block): Block => {
            const span = { start: start + block.start, end: start + block.end };
            const words = text.slice(block.start, block.end);
            const whole = this.#countTerms(source, span, query.weights);
            const isLegal = whole.counts.size > 0 && query.isLegal(words);
            const terms = isLegal ? { ...whole, counts: scaleCounts(whole.counts) } : whole;
            const isDemoted = source.format === 'code' && !query.mayAskForCode && terms.counts.size > 0;
            return {
              ...span,
              ...terms,
              leadsIn: source.format !== 'code' && leadsIn(words),
              commented: isDemoted ? this.#countInComments(words, query.weights) : 0,
            };
          });
          if (blocks.length === 0) continue;
          const around = contextAt(passages, start)
            .map((span) => source.slice(span.start, span.end))
            .join('\n');
          const heading = section.headings.at(-1) ?? '';
          const gains =
            source.format === 'markdown' ? this.#tables.gains({ text, around, heading }, query) : [];
          const rows = gains.map((row) => ({ ...row, start: start + row.start, end: start + row.end }));
          runs.push({ documentId, isCode: source.format === 'code', section, blocks, rows });
        }
      }
    }
    return runs;
  }

  #countInComments(code: string, weights: ReadonlyMap<string, number>): number {
    const comments = code.split('\n').filter(isComment);
    return comments.length === 0
      ? 0
      : sumCounts(this.#tokenizer.countTerms(comments.join('\n'), weights).counts);
  }

  /** Counts the question's terms in a range, and a share of those in its related spans. */
  #countTerms(source: PlaceSource, stretch: Span, weights: ReadonlyMap<string, number>): CountedTerms {
    const own = this.#tokenizer.countTerms(source.slice(stretch.start, stretch.end), weights);
    const spans = source.understoodWith(stretch);
    if (spans.length === 0) return own;
    const words = spans.map(({ start, end }) => source.slice(start, end)).join('\n');
    const elsewhere = this.#tokenizer.countTerms(words, weights);
    const counts = new Map(own.counts);
    for (const [term, count] of elsewhere.counts)
      counts.set(term, (counts.get(term) ?? 0) + PLACE_WEIGHTS.elsewhere * count);
    return { counts, length: own.length + elsewhere.length };
  }

  /** Returns the signals that a section gives to all its windows: from its text and its headings. */
  #sectionSignals(
    runs: readonly Run[],
    weights: ReadonlyMap<string, number>,
  ): ReadonlyMap<Section, SectionSignals> {
    const bySection = Map.groupBy(runs, ({ section }) => section);
    const sums = Array.from(bySection, ([section, own]) => ({
      section,
      ...addCounts(own.flatMap(({ blocks }) => blocks)),
    }));
    const usual = sums.reduce((sum, { length }) => sum + length, 0) / sums.length;
    const { section: share, sectionK: k, sectionB: b, heading } = PLACE_WEIGHTS;
    return new Map(
      sums.map(({ section, counts, length }) => [
        section,
        {
          section: share * bm25(counts, length / usual, weights, { k, b }),
          headings: heading * this.#weightIn(section.headings.join('\n'), weights),
        },
      ]),
    );
  }

  #weightIn(text: string, weights: ReadonlyMap<string, number>): number {
    let sum = 0;
    for (const term of this.#tokenizer.countTerms(text, weights).counts.keys()) sum += weights.get(term) ?? 0;
    return sum;
  }

  #makeExcerpt(
    window: RankedWindow,
    source: PlaceSource,
    question: MarkedQuestion,
    retrieved: readonly ScoredPassage[],
  ): Excerpt {
    const { run, end, score, signals } = window;
    const { documentId, section } = run;
    const start = behindRepeatedHeading(source, section, window);
    return {
      documentId,
      passageId: passageAround(window, retrieved)?.passageId ?? 0,
      start,
      end,
      score,
      signals,
      headings: section.headings,
      section: { start: section.start, end: section.end },
      marks: this.#marksIn({ start, end }, source, question),
    };
  }

  /**
   * Reports whether a sentence, row, or label begins with all terms of the question: "A factor is…", `-n, --dry-run`.
   */
  #leadsWithQuery(text: string, format: TextFormat, weights: ReadonlyMap<string, number>): boolean {
    return unitsIn(text, format).some(({ start, end }) => {
      const lead = this.#tokenizer
        .termsOfPassage(text.slice(start, end))
        .filter((term) => !term.startsWith(STOP_MARK))
        .slice(0, weights.size);
      return [...weights.keys()].every((term) => lead.includes(term));
    });
  }

  #marksIn(window: Span, source: PlaceSource, { weights, isLegal }: MarkedQuestion): Span[] {
    const text = source.slice(window.start, window.end);
    const units = unitsIn(text, source.format);
    const isTitle = (unit: Span): boolean =>
      source.format !== 'code' && isBareTitle(text.slice(unit.start, unit.end));
    const weighed = units.flatMap((unit, i) => {
      // A title is marked by the sentence that it introduces.
      if (isTitle(unit) && !units.every(isTitle)) return [];
      const span = { start: window.start + unit.start, end: window.start + unit.end };
      const title = units[i - 1];
      const above = title !== undefined && isTitle(title) ? text.slice(title.start, title.end) : '';
      const own = this.#weightIn(`${above}\n${textWithContext(source, span)}`, weights);
      return [
        {
          ...span,
          weight:
            own > 0 && isLegal(text.slice(unit.start, unit.end)) ? PLACE_WEIGHTS.boilerplate * own : own,
        },
      ];
    });
    const best = Math.max(0, ...weighed.map(({ weight }) => weight));
    const strongest = weighed
      .filter(({ weight }) => weight > 0 && weight >= MARK_WEIGHTS.shareOfBest * best)
      .toSorted((a, b) => b.weight - a.weight || a.start - b.start)
      .slice(0, MARK_WEIGHTS.mostMarks);
    const marks = stretches(strongest).map(({ start, end }) => ({ start, end }));
    const isFirst = (mark: Span): boolean => strongest[0] !== undefined && overlap(mark, strongest[0]) > 0;
    return [...marks.filter(isFirst), ...marks.filter((mark) => !isFirst(mark))];
  }
}

/**
 * Lowers the weights of general words, by up to a share, in a question that isn't in another language than English.
 * "Show" and "put" are rare in many notebooks, but don't belong to the subject of any.
 */
function lowerGeneral(
  weights: ReadonlyMap<string, number>,
  question: string,
  share: number,
): ReadonlyMap<string, number> {
  if (languageOfText(question) !== ENGLISH) return weights;
  return new Map(
    Array.from(weights, ([term, weight]) => [term, weight * (1 - share * (1 - specificityOf(term)))]),
  );
}

/** Scales weights to the sum of others, so that scores by both are comparable. */
function scaleTo(
  weights: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const factor = sumCounts(others) / (sumCounts(weights) || 1);
  return new Map(Array.from(weights, ([term, weight]) => [term, factor * weight]));
}

/** Returns the words of a range and of its related spans. */
function textWithContext(source: PlaceSource, stretch: Span): string {
  return [stretch, ...source.understoodWith(stretch)]
    .map(({ start, end }) => source.slice(start, end))
    .join('\n');
}

/** Returns the start of a window, after its first line if that is its heading, which is already shown above. */
function behindRepeatedHeading(source: PlaceSource, { own }: Section, { start, end }: Span): number {
  const heading = own === undefined ? undefined : headingSpan(source, own);
  if (heading === undefined || heading.start !== start) return start;
  const [line] = linesIn(source.slice(start, end));
  if (line === undefined || start + line.end > heading.end) return start;
  const rest = source.slice(heading.end, end);
  return rest.trim() === '' ? start : heading.end + rest.length - rest.trimStart().length;
}

/** Returns the context of the table at the start of a text, from the first passage there. */
function contextAt(passages: readonly ScoredPassage[], start: number): readonly Span[] {
  const [first] = passages.filter((passage) => passage.end > start).toSorted((a, b) => a.start - b.start);
  return first?.context ?? [];
}

/** Returns the counts of legal boilerplate. */
function scaleCounts(counts: TermCounts): TermCounts {
  return new Map(Array.from(counts, ([term, count]) => [term, PLACE_WEIGHTS.boilerplate * count]));
}

function unitsIn(text: string, format: TextFormat): Span[] {
  return format === 'code' ? cutUnits(text, format, []) : cutSentences(text);
}

/** Score factors for code with all its matches in statements, or in comments. */
interface CodeShares {
  readonly code: number;
  readonly comments: number;
}

function mixShares({ code, comments }: CodeShares, inComments: number): number {
  return code + (comments - code) * Math.min(1, inComments);
}

/** Inputs of a window's score besides its own words. */
interface WindowSurroundings {
  readonly sections: ReadonlyMap<Section, SectionSignals>;
  readonly codeShares: CodeShares;
  readonly named: ReadonlySet<number> | undefined;
}

/** Returns the windows of runs with their scores, best first. */
function rankWindows(
  runs: readonly Run[],
  weights: ReadonlyMap<string, number>,
  { sections, codeShares, named }: WindowSurroundings,
  { longest, k, b }: { readonly longest: number; readonly k: number; readonly b: number },
): RankedWindow[] {
  const candidates = windowsIn(runs, longest);
  const usual = candidates.reduce((sum, { length }) => sum + length, 0) / candidates.length;
  return candidates
    .map(({ run, start, end, counts, length, commented }) => {
      const gain = TABLE_WEIGHTS.place * gainIn(run.rows, { start, end });
      const words = bm25(counts, length / usual, weights, { k, b });
      const table = gain * words;
      const { section, headings } = sections.get(run.section) ?? { section: 0, headings: 0 };
      const ofCode = run.isCode ? mixShares(codeShares, commented / Math.max(1, sumCounts(counts))) : 1;
      const share = (named?.has(run.documentId) ?? true) ? ofCode : NAMED_WEIGHTS.others * ofCode;
      return {
        run,
        start,
        end,
        counts,
        score: share * (words + table + section + headings),
        signals: {
          words: share * words,
          section: share * section,
          headings: share * headings,
          ...(table > 0 && { table: share * table }),
        },
      };
    })
    .toSorted((a, b) => b.score - a.score || a.start - b.start);
}

/** Raises the score of a window that begins with all terms of the question. */
function raiseForLead(window: RankedWindow | undefined, begins: number): RankedWindow | undefined {
  return window && { ...window, score: window.score + begins, signals: { ...window.signals, begins } };
}

/** Returns the earliest window in the document of the best one, as terms are defined before they are used. */
function earliest(leading: readonly RankedWindow[]): RankedWindow | undefined {
  const [best] = leading;
  return leading
    .filter(({ run }) => run.documentId === best?.run.documentId)
    .toSorted((a, b) => a.start - b.start)[0];
}

function sumCounts(counts: TermCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Ranks windows by their passages' semantic scores, too, best first. If a passage was only found by meaning, its
 * beginning becomes a window. Leaves out windows without any score.
 */
function withMeaning(
  byWords: readonly RankedWindow[],
  retrieved: readonly ScoredPassage[],
  near: readonly Hit[],
): readonly RankedWindow[] {
  if (near.length === 0) return byWords.filter(({ score }) => score > 0);
  const bestByPassage = new Map<number, RankedWindow>();
  const placed = byWords.flatMap((window) => {
    const passage = passageAround(window, retrieved);
    if (passage === undefined) return [];
    const best = bestByPassage.get(passage.passageId) ?? window;
    bestByPassage.set(passage.passageId, best);
    const share = best.score > 0 ? window.score / best.score : Number(window === best);
    return [{ window, id: passage.passageId, share }];
  });
  const hits = Array.from(bestByPassage, ([id, { score }]) => ({ id, score })).filter(
    ({ score }) => score > 0,
  );
  const fused = new Map(fuse(hits, near, hits.length + near.length).map((hit) => [hit.id, hit]));
  return placed
    .flatMap(({ window, id, share }) => {
      const hit = fused.get(id);
      if (hit === undefined) return [];
      const signals = fuseSignals(window.signals, { words: share * hit.words, meaning: share * hit.meaning });
      return { ...window, score: share * hit.score, signals };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
}

function passageAround(window: RankedWindow, retrieved: readonly ScoredPassage[]): ScoredPassage | undefined {
  return retrieved.find(
    (passage) => passage.documentId === window.run.documentId && overlap(passage, window) > 0,
  );
}
