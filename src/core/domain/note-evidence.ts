import type { Citation } from './answer.ts';
import { citationLinks, removeCitations, type CitationLink } from './citation-links.ts';
import { verdictExplanation, verdictMarksIn, type PlacedVerdictMark } from './verdict-marks.ts';

/** Maximum length of the text that is searched for a statement, in UTF-16 code units. */
const MAX_TEXT_BEFORE = 8_000;

/** Mark of a verdict with its explanation, and the IDs of the citations between its statement and the mark. */
interface ExplainedMark extends PlacedVerdictMark {
  readonly explanation: string;
  readonly citationIds: readonly string[];
}

/** Returns the mark at an offset of a note's text; undefined if there is none. */
export function verdictMarkAt(text: string, offset: number): ExplainedMark | undefined {
  const mark = verdictMarksIn(text).find(({ start, end }) => start <= offset && offset < end);
  if (mark === undefined) return undefined;
  return {
    ...mark,
    explanation: verdictExplanation(mark.verdict),
    citationIds: linksBefore(text, mark.start).map(({ id }) => id),
  };
}

/**
 * Returns the text of a source that decides the verdict on the last statement before an offset of a note's text. Links
 * and marks may follow the statement. Undefined if the citations have no evidence for it, for example because the user
 * has edited the statement.
 */
export function decidingText(
  text: string,
  offset: number,
  citations: readonly Citation[],
): string | undefined {
  const allEvidence = citations.flatMap(({ evidence = [] }) => evidence);
  if (allEvidence.length === 0) return undefined;
  const before = removeCitations(text.slice(Math.max(0, offset - MAX_TEXT_BEFORE), offset));
  const words = ` ${wordsOf(before)}`;
  return (
    allEvidence
      .map(({ statement, deciding }) => ({ stated: wordsOf(statement), deciding }))
      .filter(({ stated }) => stated !== '' && words.endsWith(` ${stated}`))
      // A short statement may also be the end of a longer one.
      .toSorted((a, b) => b.stated.length - a.stated.length)[0]?.deciding
  );
}

/** Returns the links with nothing between them and an offset. */
function linksBefore(text: string, offset: number): CitationLink[] {
  const before: CitationLink[] = [];
  let from = offset;
  for (const link of citationLinks(text).toReversed())
    if (link.end <= from && text.slice(link.end, from).trim() === '') {
      before.push(link);
      from = link.start;
    }
  return before;
}

/** Returns the words and numbers of a text, because an answer and its note differ in other characters. */
function wordsOf(text: string): string {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');
}
