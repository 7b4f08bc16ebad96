import { firstIndex } from '../../core/language/first-index.ts';
import type { Span } from '../../core/language/span.ts';
import { WordTokenizer } from '../../core/language/words/tokenizer.ts';
import { findTables } from '../../core/language/tables.ts';
import type { Hit } from './lexical/passage-index.ts';
import type { RankedHit } from './signals.ts';
import { TABLE_WEIGHTS } from './table-weights.ts';

/** Markdown text that may contain tables. */
export interface TableSource {
  readonly text: string;
  /** Context of its first table outside of this text: caption, header, and group row. */
  readonly around: string;
  /** Nearest heading above the whole text, or ''. */
  readonly heading: string;
}

/** Question with its years, and with its terms and their inverse document frequency. */
export interface TableQuery {
  readonly years: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
}

/** Row of a table with the share of its score that is added. */
export interface RowGain extends Span {
  readonly gain: number;
}

/** Returns the years in a question: "2022", "FY2022". */
export function yearsIn(question: string): string[] {
  return [...new Set(question.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g))];
}

/** Returns the greatest gain of the rows in a span; 0 without any. Rows are in ascending order. */
export function gainIn(rows: readonly RowGain[], { start, end }: Span): number {
  let greatest = 0;
  const first = firstIndex(rows.length, (index) => (rows[index]?.start ?? 0) >= start);
  for (let at = first; (rows[at]?.end ?? Infinity) <= end; at++)
    greatest = Math.max(greatest, rows[at]?.gain ?? 0);
  return greatest;
}

/**
 * Ranking of tables by signals that a bag of words lacks: a column for the year in the question, and the share of the
 * question that one row matches together with its headers.
 */
export class TableRanking {
  readonly #tokenizer = new WordTokenizer();

  /** Returns the hits, best first, with higher scores for those with a matching row. */
  rank(
    hits: readonly Hit[],
    query: TableQuery,
    findSource: (id: number) => TableSource | undefined,
  ): RankedHit[] {
    if (query.years.length === 0)
      return hits.map(({ id, score }) => ({ id, score, signals: { words: score } }));
    return hits
      .map(({ id, score }) => {
        const source = findSource(id);
        const gains = source === undefined ? [] : this.gains(source, query).map(({ gain }) => gain);
        const table = score * Math.max(0, ...gains);
        return { id, score: score + table, signals: { words: score, table } };
      })
      .toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  /** Returns the rows of tables with a column for a year in the question, in order. */
  gains({ text, around, heading }: TableSource, { years, weights }: TableQuery): RowGain[] {
    if (years.length === 0) return [];
    const joinSpans = (spans: readonly Span[]): string =>
      spans.map(({ start, end }) => text.slice(start, end)).join('\n');
    return findTables(text).flatMap(({ caption, header, rows }, index) => {
      const above = [joinSpans(caption), joinSpans(header), index === 0 ? around : ''].join('\n');
      if (!years.some((year) => above.includes(year))) return [];
      return rows.map((row): RowGain => {
        const said = [heading, above, joinSpans(row.under === undefined ? [row] : [row.under, row])].join(
          '\n',
        );
        const share = this.#shareIn(said, weights);
        return { start: row.start, end: row.end, gain: TABLE_WEIGHTS.row * share };
      });
    });
  }

  /** Returns the share of a question that a text contains, by the weights of its terms. */
  #shareIn(text: string, weights: ReadonlyMap<string, number>): number {
    let [sum, all] = [0, 0];
    const terms = new Set(this.#tokenizer.termsOfPassage(text));
    for (const [term, weight] of weights) {
      all += weight;
      if (terms.has(term)) sum += weight;
    }
    return all > 0 ? sum / all : 0;
  }
}
