import type { Citation, Statement } from '../../core/domain/answer.ts';
import type { FoundPassage } from '../../core/domain/passage.ts';
import type { Evidence } from '../checking/evidence.ts';
import { nearestSupports } from '../checking/nearest.ts';
import type { Check } from '../checking/rules.ts';
import type { Span } from '../../core/language/span.ts';
import type { MarkedSentence } from '../../core/language/streamed-sentences.ts';
import { cite, type Cited } from '../retrieving/cite.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';

/** Checked sentence, and its new citations. */
interface CitedStatement {
  readonly statement: Statement;
  readonly newCitations: readonly Citation[];
}

/**
 * Returns a function that turns checked sentences of a text into statements. It creates one citation for each cited
 * span, and one number for each passage, in the order of occurrence. Wait for each result before the next call.
 */
export function startCitations(
  finder: Pick<PassageFinder, 'cite'>,
): (sentence: Span, check: Check) => Promise<CitedStatement> {
  const numbers = new Map<FoundPassage, number>();
  const indexes = new Map<string, number>();
  return async ({ start, end }, { verdict, supports, missing = [], signals, moved, computed }) => {
    const added = supports.filter((support) => !indexes.has(makeKey(support)));
    for (const support of added) indexes.set(makeKey(support), indexes.size);
    const newCitations = await cite(finder, added, numbers);
    const statement = {
      start,
      end,
      verdict,
      citations: supports.map((support) => indexes.get(makeKey(support)) ?? 0),
      ...(missing.length > 0 && { missing: missing.map((words) => shiftSpan(words, start)) }),
      ...(signals && { signals }),
      ...(moved && { moved }),
      ...(computed !== undefined && { computed }),
    };
    return { statement, newCitations };
  };
}

/** Returns the same key for sentences that get the same check by rules. */
export function checkKey(words: string, { numbers, isInTable, isItem }: MarkedSentence): string {
  return [isInTable === true ? '|' : isItem === true ? '-' : '', numbers.join(), words].join(' ');
}

/**
 * Returns the check of a table's row or cell with all passages that it cites, in order, followed by other support that
 * the check found. A passage without any of its words is cited as a whole.
 * @param cited indexes into the evidence
 */
export function keepCited(words: string, check: Check, cited: readonly number[], evidence: Evidence): Check {
  if (cited.length === 0) return check;
  let nearest: ReturnType<typeof nearestSupports> | undefined;
  const own = cited.flatMap((index) => {
    const passage = evidence.passages[index]?.passage;
    if (passage === undefined) return [];
    const supportsInPassage = check.supports.filter((support) => support.passage === passage);
    if (supportsInPassage.length > 0) return supportsInPassage;
    nearest ??= nearestSupports(words, evidence);
    const near = nearest.find((support) => support.passage === passage);
    return [{ passage, span: near?.span ?? { start: passage.start, end: passage.end } }];
  });
  const others = check.supports.filter(({ passage }) => !own.some((support) => support.passage === passage));
  return { ...check, supports: [...own, ...others] };
}

function shiftSpan(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

function makeKey({ passage, span }: Cited): string {
  return `${String(passage.documentId)}:${String(span.start)}-${String(span.end)}`;
}
