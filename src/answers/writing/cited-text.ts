import { endOfMarks, headingOfLine, markdownLines } from '../../core/language/markdown-lines.ts';
import type { Span } from '../../core/language/span.ts';
import type { Citation, Statement, StatementCounts } from '../../core/domain/answer.ts';

/** Markdown without citation marks; its statements contain their positions. */
export interface CitedText {
  readonly text: string;
  /** Statements in order. */
  readonly statements: readonly Statement[];
  readonly citations: readonly Citation[];
}

/** Reports whether a line has only marks of quotations, items, and emphasis left. */
function isOnlyMarks(line: string): boolean {
  return /^[\s>*+\-•◦▪‣_|]*$/.test(line.replaceAll(/\d{1,3}[.)]|\[[ xX]\]/g, ''));
}

/** Counts the statements that claim something, and those of each verdict among them. */
export function countClaims(statements: readonly Statement[]): StatementCounts {
  const count = (verdict: Statement['verdict']): number =>
    statements.filter((statement) => statement.verdict === verdict).length;
  return {
    claims: statements.length - count('none'),
    supported: count('supported'),
    partly: count('partly'),
    unchecked: count('unchecked'),
  };
}

/** Reports whether the fact check found a statement unsupported or contradicted. */
export function isRefuted({ verdict }: Statement): boolean {
  return verdict === 'contradicted' || verdict === 'not-found';
}

/** Reports whether a cited source or a computation supports a statement, or may support it. */
export function restsOnSource(statement: Statement): boolean {
  const { verdict, citations, computed } = statement;
  return verdict !== 'none' && !isRefuted(statement) && (citations.length > 0 || computed !== undefined);
}

/**
 * Returns a text without some of its statements, and without items, rows, tables, and headings that have nothing left.
 */
export function withoutStatements(
  cited: CitedText,
  shouldRemove: (statement: Statement) => boolean,
): CitedText {
  const { text, statements } = cited;
  const out = statements.filter(shouldRemove);
  if (out.length === 0) return cited;
  const ranges = [...out.map((span) => withBlanks(text, span)), ...emptyLines(text, out)];
  const first = withoutRanges(
    { ...cited, statements: statements.filter((each) => !out.includes(each)) },
    ranges,
  );
  // Merge the blank lines around the removed text.
  const blanks = [...first.text.matchAll(/\n[ \t]*\n(?:[ \t]*\n)+/g)].map(({ 0: run, index }) => ({
    start: index + 2,
    end: index + run.length,
  }));
  const edges = [
    { start: 0, end: first.text.length - first.text.trimStart().length },
    { start: first.text.trimEnd().length, end: first.text.length },
  ];
  return renumberCitations(withoutRanges(first, [...blanks, ...edges]));
}

/** Returns a sentence with the spaces that separate it from the next. */
function withBlanks(text: string, { start, end }: Span): Span {
  let to = end;
  while (text[to] === ' ' || text[to] === '\t') to++;
  if (to < text.length && text[to] !== '\n') return { start, end: to };
  let from = start;
  while (text[from - 1] === ' ' || text[from - 1] === '\t') from--;
  return { start: from, end: to };
}

/**
 * Returns the lines without any text after the removal of sentences, and the headings and tables that only have such
 * lines.
 */
function emptyLines(text: string, out: readonly Span[]): Span[] {
  const lines = Array.from(markdownLines(text), (line) => {
    const words = text.slice(line.start, line.end);
    let rest = words;
    let isTouched = false;
    for (const { start, end } of out) {
      if (end <= line.start || start >= line.end) continue;
      isTouched = true;
      const [from, to] = [Math.max(start, line.start) - line.start, Math.min(end, line.end) - line.start];
      rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to);
    }
    const isGone = isTouched && isOnlyMarks(rest);
    return { ...line, isGone, isBlank: words.trim() === '', level: headingOfLine(words)?.level };
  });
  const emptied = new Set<number>(lines.flatMap(({ isGone }, i) => (isGone ? [i] : [])));
  for (const [i, { kind }] of lines.entries()) {
    if (kind !== 'rule') continue;
    let end = i + 1;
    while (lines[end]?.kind === 'row') end++;
    const rows = Array.from({ length: end - i - 1 }, (_, row) => i + 1 + row);
    if (rows.length > 0 && rows.every((row) => emptied.has(row))) {
      emptied.add(i);
      if (lines[i - 1]?.kind === 'row') emptied.add(i - 1);
    }
  }
  for (let i = lines.length - 1; i >= 0; i--) {
    const level = lines[i]?.kind === 'heading' ? lines[i]?.level : undefined;
    if (level === undefined) continue;
    const next = lines.findIndex(
      (line, j) => j > i && line.kind === 'heading' && line.level !== undefined && line.level <= level,
    );
    const under = Array.from(lines.keys()).slice(i + 1, next < 0 ? undefined : next);
    const filled = under.filter((j) => lines[j]?.isBlank === false);
    if (filled.length > 0 && filled.every((j) => emptied.has(j))) emptied.add(i);
  }
  return [...emptied].flatMap((i) => {
    const line = lines[i];
    return line === undefined ? [] : [{ start: line.start, end: line.next }];
  });
}

function withoutRanges(cited: CitedText, ranges: readonly Span[]): CitedText {
  return applyEdits(
    cited,
    ranges.map(({ start, end }) => ({ start, end, text: '' })),
  );
}

/** Returns the span to delete so that a statement is gone: with its line if that has no other, or with its spaces. */
export function removalSpan(text: string, { start, end }: Span): Span {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const lineEnd = newline < 0 ? text.length : newline + 1;
  const before = text.slice(lineStart, start);
  const isFirst = endOfMarks(before) === before.length;
  if (isFirst && text.slice(end, lineEnd).trim() === '') return { start: lineStart, end: lineEnd };
  let [from, to] = [start, end];
  if (isFirst) while (text[to] === ' ') to++;
  else while (text[from - 1] === ' ') from--;
  return { start: from, end: to };
}

/** Span of a text, and its replacement. */
interface Edit extends Span {
  readonly text: string;
}

/** Applies edits to a text and keeps its statements at their words. If edits overlap, the first one counts. */
export function applyEdits(cited: CitedText, edits: readonly Edit[]): CitedText {
  const done: Edit[] = [];
  let text = '';
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const start = Math.max(edit.start, from);
    if (edit.end < start || (edit.end === start && edit.text === '')) continue;
    text += cited.text.slice(from, start) + edit.text;
    from = edit.end;
    done.push({ ...edit, start });
  }
  if (done.length === 0) return cited;
  text += cited.text.slice(from);
  const at = (offset: number): number =>
    done.reduce((moved, edit) => {
      if (edit.start >= offset && !(edit.start === edit.end && edit.start === offset)) return moved;
      return moved - (Math.min(offset, edit.end) - edit.start) + (offset >= edit.end ? edit.text.length : 0);
    }, offset);
  const shifted = <S extends Span>(span: S): S => ({ ...span, start: at(span.start), end: at(span.end) });
  const statements = cited.statements.map((statement) => {
    const { missing } = statement;
    return { ...shifted(statement), ...(missing && { missing: missing.map(shifted) }) };
  });
  return { ...cited, text, statements };
}

/** Removes unused citations and renumbers the others: one number for each passage, in order. */
export function renumberCitations({ text, statements, citations }: CitedText): CitedText {
  const indexes = new Map<string, number>();
  const numbers = new Map<string, number>();
  const compactCitations: Citation[] = [];
  const renumbered = statements.map((statement) => {
    const own = statement.citations.flatMap((index) => {
      const citation = citations[index];
      if (citation === undefined) return [];
      const { documentId, span, passage, quote } = citation;
      const key = `${String(documentId)} ${String(span.start)}-${String(span.end)} ${quote}`;
      const known = indexes.get(key);
      if (known !== undefined) return [known];
      const place = `${String(documentId)} ${String(passage.start)}-${String(passage.end)}`;
      const number = numbers.get(place) ?? numbers.size + 1;
      numbers.set(place, number);
      indexes.set(key, compactCitations.length);
      return [compactCitations.push({ ...citation, number }) - 1];
    });
    return { ...statement, citations: [...new Set(own)] };
  });
  return { text, statements: renumbered, citations: compactCitations };
}

/** Joins texts with a blank line between them, and combines their citations. */
export function joinTexts(parts: readonly CitedText[]): CitedText {
  let text = '';
  const statements: Statement[] = [];
  const citations: Citation[] = [];
  for (const part of parts) {
    if (part.text === '') continue;
    if (text !== '') text += '\n\n';
    const [by, before] = [text.length, citations.length];
    const moved = <S extends Span>(span: S): S => ({ ...span, start: span.start + by, end: span.end + by });
    for (const statement of part.statements)
      statements.push({
        ...moved(statement),
        citations: statement.citations.map((index) => index + before),
        ...(statement.missing && { missing: statement.missing.map(moved) }),
      });
    citations.push(...part.citations);
    text += part.text;
  }
  return renumberCitations({ text, statements, citations });
}
