import { t } from '@vscode/l10n';
import { endOfMarks, endWithout, isTableRow } from '../../../core/language/markdown-lines.ts';
import { cutSentences } from '../../../core/language/sentences.ts';
import type { Answer, Statement, Verdict } from '../../../core/domain/answer.ts';
import { citationLinks } from '../../../core/domain/citation-links.ts';
import { decidingText } from '../../../core/domain/note-evidence.ts';
import type { StoredCitation } from '../../../core/domain/note.ts';
import { verdictMarksIn, withoutUnusedVerdictFootnotes } from '../../../core/domain/verdict-marks.ts';

/** Text of a note without links and marks, with the statements that had them. */
export type NoteAnswer = Pick<
  Extract<Answer, { readonly kind: 'written' }>,
  'citations' | 'statements' | 'text'
>;

/**
 * Returns a note as an answer, so that a page can show it with chips. The sentence, or the cell of a table, before
 * links to citations and marks of the fact check becomes a statement. A link without text before it leaves its label,
 * and links to unknown citations stay.
 */
export function noteAsAnswer(note: string, stored: readonly StoredCitation[]): NoteAnswer {
  const indexes = new Map(stored.map(({ id }, index) => [id, index]));
  const labels = new Map<string, string>();
  const ends: { start: number; end: number; id?: string; verdict?: Verdict }[] = [
    ...citationLinks(note).filter(({ id }) => indexes.has(id)),
    ...verdictMarksIn(note),
  ].toSorted((a, b) => a.start - b.start);
  const statements: (Statement & { verdict: Verdict; citations: number[] })[] = [];
  // A note doesn't name the model that checked it.
  const checkedBy = t('the fact check');
  let text = '';
  let from = 0;
  for (const { start, end, id, verdict } of ends) {
    const label = id === undefined ? undefined : note.slice(start, note.indexOf(']', start) + 1);
    const between = note.slice(from, start);
    from = end;
    let last = statements.at(-1);
    if (last === undefined || last.end !== text.length || !/^[ \t]*$/.test(between)) {
      text += between.slice(0, endWithout(between, between.length, ' \t'));
      const span = lastStatement(text, last?.end ?? 0);
      if (span === undefined && label !== undefined) text += label;
      const { start: begin, end: stop } = span ?? {
        start: text.length - (label ?? '').length,
        end: text.length,
      };
      if (begin < stop) {
        last = { start: begin, end: stop, verdict: 'supported', checkedBy, citations: [] };
        statements.push(last);
      } else last = undefined;
    }
    if (last === undefined) continue;
    if (verdict !== undefined) last.verdict = verdict;
    const index = id === undefined ? undefined : indexes.get(id);
    if (index !== undefined && !last.citations.includes(index)) last.citations.push(index);
    if (id !== undefined && label !== undefined) labels.set(id, label.slice(1, -1));
  }
  text += note.slice(from);
  const citations = stored.map(({ id, citation }) => {
    const number = Number(labels.get(id));
    return Number.isSafeInteger(number) && number > 0 ? { ...citation, number } : citation;
  });
  const checked = statements.map((statement) => {
    const cited = statement.citations.flatMap((index) => citations[index] ?? []);
    const deciding = decidingText(text, statement.end, cited);
    return deciding === undefined ? statement : { ...statement, deciding };
  });
  return { text: withoutUnusedVerdictFootnotes(text), statements: checked, citations };
}

/** Returns the span of the sentence or cell at the end of a text, after an offset; undefined if there is none. */
function lastStatement(text: string, after: number): { start: number; end: number } | undefined {
  const end = text.length;
  const lineStart = text.lastIndexOf('\n') + 1;
  const line = text.slice(lineStart);
  const isRow = isTableRow(line);
  const cell = isRow ? Array.from(line.matchAll(/(?<!\\)\|/g), ({ index }) => index + 1).at(-1) : 0;
  const from = Math.max(after, lineStart + (cell ?? 0));
  const sentence = isRow ? { start: from, end } : cutSentences(text, { start: from, end }).at(-1);
  if (sentence === undefined) return undefined;
  const words = text.slice(sentence.start, end);
  const blanks = words.length - words.trimStart().length;
  const marks = sentence.start === lineStart ? endOfMarks(words.trimStart()) : 0;
  const start = sentence.start + blanks + marks;
  return start < end ? { start, end } : undefined;
}
