import { negationsIn } from '../../../../core/language/negations.ts';
import { languageOfText, splitWords, termsIn } from '../../../../core/language/words/words.ts';
import type { Product } from '../../model/project.ts';
import type { CitedText } from '../../../../answers/writing/cited-text.ts';

/** Computation with figures of the sources. */
export interface Computation {
  /** Formatted computation: `(305 - 91) / 91 * 100 = 235.16…`. */
  readonly formula: string;
  readonly results: readonly number[];
}

const NUMBER = /\d[\d,]{0,30}(?:\.\d{1,30})?/g;
/** Numbers allowed in computations without a source: percent, thousands, time units. */
const CONSTANTS: ReadonlySet<number> = new Set([
  0, 1, 2, 7, 10, 12, 24, 30, 52, 60, 100, 365, 1000, 3600, 1_000_000,
]);
/** Maximum length of a formatted result, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 300;
/** Minimum share of known words from the sources in a sentence with a computed figure. */
const SHARE_KNOWN = 0.5;

/**
 * Returns a computation if each of its figures is in a text of the sources or was computed before. Undefined if the
 * model invented figures.
 */
export function findComputation(
  input: Readonly<Record<string, unknown>>,
  result: string,
  sources: string,
  before: readonly Computation[],
): Computation | undefined {
  const known = new Set([...numbersIn(sources), ...before.flatMap(({ results }) => results)]);
  const inputNumbers = numbersIn(JSON.stringify(input));
  if (!inputNumbers.every((number) => known.has(number) || CONSTANTS.has(number))) return undefined;
  const results = numbersIn(result).filter((number) => !inputNumbers.includes(number));
  return results.length === 0 ? undefined : { formula: result.slice(0, MAX_SHOWN_LENGTH), results };
}

/**
 * Marks unsupported sentences as supported by a computation if they contain its result, all their other figures are
 * known, and they use words of the sources. Also returns the sources of these figures.
 */
export function withComputed(
  cited: CitedText,
  computations: readonly Computation[],
  sources: string,
): { readonly cited: CitedText; readonly restsOn: readonly string[] } {
  if (computations.length === 0) return { cited, restsOn: [] };
  const numbers = new Set(numbersIn(sources));
  const usual = languageOfText(sources);
  const terms = new Set(termsIn(sources, usual));
  const restsOn = new Set<string>();
  const statements = cited.statements.map((statement) => {
    if (statement.verdict === 'supported' || statement.verdict === 'none') return statement;
    const sentence = cited.text.slice(statement.start, statement.end);
    const figures = [...sentence.matchAll(NUMBER)].map(([number]) => {
      const from = computations.find(({ results }) => results.some((result) => isRounded(number, result)));
      return { isKnown: numbers.has(parseNumber(number)), from };
    });
    // A computation doesn't support a negated sentence.
    const language = languageOfText(sentence, usual);
    if (negationsIn(splitWords(sentence, language), sentence, language).length > 0) return statement;
    const own = termsIn(sentence, usual, language).filter((term) => !/^\d/.test(term));
    const isOnTopic = own.filter((term) => terms.has(term)).length >= SHARE_KNOWN * own.length;
    if (!isOnTopic || !figures.every(({ isKnown, from }) => isKnown || from)) return statement;
    const froms = figures.flatMap(({ isKnown, from }) => (!isKnown && from ? [from] : []));
    if (froms.length === 0) return statement;
    for (const { formula } of froms) restsOn.add(formula);
    const { start, end, citations } = statement;
    const computed = [...new Set(froms.map(({ formula }) => formula))].join('; ');
    return { start, end, citations, verdict: 'supported' as const, computed };
  });
  return { cited: { ...cited, statements }, restsOn: [...restsOn] };
}

/** Returns the computations of a product for those that use it. */
export function listComputations({ statements }: Pick<Product, 'statements'>): Computation[] {
  return statements.flatMap(({ computed }) =>
    computed === undefined ? [] : [{ formula: computed, results: resultsIn(computed) }],
  );
}

/**
 * Returns the numbers after the last equals sign of each line. A line without one is a row of a query, and all its
 * numbers count.
 */
function resultsIn(text: string): number[] {
  return text.split(/\n|; /).flatMap((line) => numbersIn(line.slice(line.lastIndexOf('=') + 1)));
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(NUMBER)].map(([number]) => parseNumber(number));
}

function parseNumber(number: string): number {
  return Number(number.replaceAll(',', ''));
}

/** Reports whether a number as written is another one, rounded to its decimals. */
function isRounded(written: string, exact: number): boolean {
  const decimals = written.split('.')[1]?.length ?? 0;
  return Math.abs(parseNumber(written) - exact) <= 0.5 * 10 ** -decimals + 1e-9;
}
