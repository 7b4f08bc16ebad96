import { cutBlocks, cutSentences } from '../../core/language/sentences.ts';
import { endOfMarks, isTableRow } from '../../core/language/markdown-lines.ts';
import type { Span } from '../../core/language/span.ts';
import type { Answer, Statement } from '../../core/domain/answer.ts';
import { citationLinks } from '../../core/domain/citation-links.ts';
import { bodyAsNote, continueLabels, type NotePart } from '../../core/domain/note-markdown.ts';
import type { StoredCitation } from '../../core/domain/note.ts';
import {
  verdictMarksIn,
  withoutUnusedVerdictFootnotes,
  withVerdictFootnotes,
  type PlacedVerdictMark,
  type VerdictMarkStyle,
} from '../../core/domain/verdict-marks.ts';
import { applyEdits, removalSpan } from './cited-text.ts';

type WrittenAnswer = Extract<Answer, { kind: 'written' }>;

/** Statement of a note with a mark of the fact check. */
interface MarkedStatement {
  /** The note without links and marks, with the statement and the one before it. */
  readonly answer: WrittenAnswer;
  /** Index of the statement in the answer. */
  readonly index: number;
  /** Statement in the note's text, with its links and its mark. */
  readonly span: Span;
}

/** Returns the first mark of a statement in a span of a note that a model can correct; undefined if there is none. */
export function correctableMark(text: string, { start, end }: Span): PlacedVerdictMark | undefined {
  return verdictMarksIn(text).find(
    (mark) => mark.verdict !== 'unchecked' && mark.start <= end && start <= mark.end,
  );
}

/**
 * Returns the statement that a mark in a note belongs to: the sentence, or the cell of a table, before the mark and its
 * links. Undefined if there is no text before the mark.
 */
export function markedStatement(
  text: string,
  mark: PlacedVerdictMark,
  stored: readonly StoredCitation[],
): MarkedStatement | undefined {
  const links = citationLinks(text);
  const marks = verdictMarksIn(text);
  const block = cutBlocks(text).find(({ start, end }) => start <= mark.start && mark.end <= end);
  if (block === undefined) return undefined;
  let { start: linksStart } = mark;
  for (const link of links.toReversed())
    if (link.end <= linksStart && text.slice(link.end, linksStart).trim() === '') linksStart = link.start;
  const end = block.start + text.slice(block.start, linksStart).trimEnd().length;
  const before = [...links, ...marks].map((each) => each.end).filter((each) => each <= end);
  const isRow = block.kind === 'row' || isTableRow(text.slice(block.start, block.end));
  const from = Math.max(block.start, ...before, ...(isRow ? [text.lastIndexOf('|', end - 1) + 1] : []));
  const sentence = isRow ? { start: from, end } : cutSentences(text, { start: from, end }).at(-1);
  if (sentence === undefined) return undefined;
  const words = text.slice(sentence.start, sentence.end);
  const start = sentence.start + (/^\s*/.exec(words)?.[0].length ?? 0) + endOfMarks(words.trimStart());
  if (start >= end) return undefined;
  const [previous] = isRow ? [] : cutSentences(text, { start: block.start, end: start }).slice(-1);
  const citationsIn = (span: Span): number[] =>
    links
      .filter((link) => span.start <= link.start && link.end <= span.end)
      .map(({ id }) => stored.findIndex((each) => each.id === id))
      .filter((index) => index >= 0);
  const statements: Statement[] = [
    ...(previous === undefined
      ? []
      : [{ ...previous, verdict: 'none' as const, citations: citationsIn({ ...previous, end: start }) }]),
    { start, end, verdict: mark.verdict, citations: citationsIn({ start: end, end: mark.start }) },
  ];
  const gaps = [...links, ...marks].map((each) => {
    const to = text.slice(0, each.start).trimEnd().length;
    return { start: Math.max(to, text.lastIndexOf('\n', each.start) + 1), end: each.end, text: '' };
  });
  const citations = stored.map(({ citation }) => citation);
  const plain = applyEdits({ text, statements, citations }, gaps);
  return {
    answer: { kind: 'written', model: '', ...plain },
    index: statements.length - 1,
    span: { start, end: mark.end },
  };
}

/** Corrected statement of a note, and the citations of the note that it refers to. */
interface StatementCorrection {
  readonly answer: WrittenAnswer;
  /** Empty to remove the statement. */
  readonly text: string;
  readonly statement: Statement | undefined;
}

/**
 * Returns a note with a statement corrected, and the citations of the statement. Citations that the note contains keep
 * their numbers.
 */
export function correctedNote(
  note: string,
  { start, end }: Span,
  { answer, text, statement }: StatementCorrection,
  style: VerdictMarkStyle,
): NotePart {
  if (text === '')
    return { text: withoutUnusedVerdictFootnotes(withoutStatement(note, { start, end })), citations: [] };
  const statements = statement === undefined ? [] : [{ ...statement, start: 0, end: text.length }];
  const part = bodyAsNote({ ...answer, text, statements }, style, continueLabels(note));
  const whole = note.slice(0, start) + part.text.trim() + note.slice(end);
  return { ...part, text: withVerdictFootnotes(withoutUnusedVerdictFootnotes(whole)) };
}

/** Returns a note without a statement. */
function withoutStatement(note: string, span: Span): string {
  const { start, end } = removalSpan(note, span);
  return note.slice(0, start) + note.slice(end);
}
