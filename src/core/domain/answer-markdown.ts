import { fenceText, isTableRow, linesIn, openedFence } from '../language/markdown-lines.ts';
import {
  quotesAtFirst,
  standingCitations,
  withShownVerdicts,
  type Answer,
  type Citation,
  type Quote,
  type Turn,
  type Verdict,
} from './answer.ts';
import { excerptOf, foldedMarkdown } from './excerpt.ts';
import { selectedPart } from './question-parts.ts';
import { sanitizeMarkdown, sanitizeWords } from './sanitize-markdown.ts';
import { verdictFootnotes, verdictMark, type VerdictMarkStyle } from './verdict-marks.ts';

/** Maximum length of a quote in a footnote, in UTF-16 code units. */
const MAX_QUOTE_LENGTH = 200;

/**
 * Returns a conversation as Markdown: each question is a heading with its answer below. The footnotes of all answers
 * are numbered in one sequence. Nothing in it loads or runs when it is shown.
 */
export function conversationAsMarkdown(
  title: string,
  turns: readonly Turn[],
  style: VerdictMarkStyle,
): string {
  let before = 0;
  const parts = turns.map(({ question, answer }) => {
    const text = answer === undefined ? '' : citedMarkdown(withShownVerdicts(answer), style, before);
    before += Math.max(0, ...(answer?.citations.map(({ number }) => number) ?? []));
    return `## ${sanitizeWords(ownWords(question))}\n\n${selectedText(question)}${text}`;
  });
  const text = `# ${sanitizeWords(title)}\n\n${parts.join('\n')}`;
  return withFootnotes(text, verdictFootnotes(text));
}

/** Returns a question without the selected text at its end, unless it consists only of that. */
function ownWords(question: string): string {
  return question.slice(0, selectedPart(question)?.start).trim() || question;
}

/** Returns the selected text at the end of a question as a separate paragraph; empty if there is none. */
function selectedText(question: string): string {
  const selected = selectedPart(question);
  if (selected === undefined) return '';
  const block =
    selected.kind === 'code'
      ? fenceText(selected.text, selected.languageId)
      : sanitizeMarkdown(selected.text).replace(/^/gm, '> ');
  return `${block}\n\n`;
}

/**
 * Returns an answer as Markdown of its own, with its citations as footnotes and the verdicts of the fact check marked.
 * Nothing in it loads or runs when it is shown.
 */
export function answerAsMarkdown(answer: Answer, style: VerdictMarkStyle): string {
  const { text, footnotes } = withCitations(answer, style, 0);
  return withFootnotes(text, [...footnotes, ...verdictFootnotes(text)]);
}

/** Like `answerAsMarkdown`, but without the footnotes of verdicts; numbers of citations begin after `before`. */
export function citedMarkdown(answer: Answer, style: VerdictMarkStyle, before: number): string {
  const { text, footnotes } = withCitations(answer, style, before);
  return withFootnotes(text, footnotes);
}

/** Returns an answer's marked words, and the footnotes of its citations. */
function withCitations(
  answer: Answer,
  style: VerdictMarkStyle,
  before: number,
): { readonly text: string; readonly footnotes: readonly string[] } {
  const { citations } = answer;
  const marks = (indexes: readonly number[]): string => {
    const numbers = new Set(indexes.flatMap((index) => citations[index]?.number ?? []));
    return Array.from(numbers, (number) => footnoteMark(number + before)).join('');
  };
  const footnotes = distinctCitations(answer).flatMap((index) => {
    const citation = citations[index];
    return citation === undefined ? [] : [footnote(citation, citation.number + before)];
  });
  return { text: markedBody(answer, style, marks), footnotes };
}

/** Returns a text with its footnotes below. */
export function withFootnotes(text: string, footnotes: readonly string[]): string {
  const parts = [text.trim(), ...(footnotes.length > 0 ? [footnotes.join('\n')] : [])];
  return `${parts.join('\n\n')}\n`;
}

/** Returns the marks of a statement's citations, which are given by their indexes; '' if it has none. */
type CitationMarks = (indexes: readonly number[]) => string;

/** Returns all marks of a statement; '' if it has none. */
type StatementMarks = (indexes: readonly number[], verdict: Verdict) => string;

/**
 * Returns an answer's text as Markdown with its citations and the verdicts of the fact check marked. Every copy, note,
 * and export of an answer uses it, so that no statement loses its verdict. Nothing in it loads or runs.
 */
export function markedBody(answer: Answer, style: VerdictMarkStyle, citationMarks: CitationMarks): string {
  const body = answerBody(answer, (indexes, verdict) => citationMarks(indexes) + verdictMark(verdict, style));
  // Each quote was sanitized separately, so that nothing in one quote affects the next.
  return answer.kind === 'quotes' ? body : sanitizeMarkdown(body);
}

/** Returns an answer's text as Markdown with its citations marked. Nothing in quotes loads or runs. */
function answerBody(answer: Answer, marks: StatementMarks): string {
  switch (answer.kind) {
    case 'written':
      return withMarks(answer, marks);
    case 'quotes':
      return [
        sanitizeWords(answer.text),
        ...quotesAtFirst(answer).map((quote) => quoteToMarkdown(quote, answer.citations, marks)),
      ].join('\n\n');
    case 'nothing':
      return answer.text;
  }
}

/** Returns a written text with its citations marked, each after the statement that cites it. */
export function withMarks(
  { text, statements }: Pick<Extract<Answer, { kind: 'written' }>, 'statements' | 'text'>,
  marks: StatementMarks,
): string {
  let result = '';
  let from = 0;
  for (const statement of statements.toSorted((a, b) => a.end - b.end)) {
    const written = marks(statement.citations, statement.verdict);
    if (written === '') continue;
    const end = statement.start + text.slice(statement.start, statement.end).trimEnd().length;
    const part = text.slice(from, end);
    // After the last bar of a row, the mark would be an extra cell, which isn't shown.
    const isRow = part.endsWith('|') && !part.endsWith('\\|') && isTableRow(text.slice(statement.start, end));
    if (isRow) result += `${part.slice(0, -1).trimEnd()}${written} |`;
    else
      result +=
        part + (beginsWithFence(text.slice(statement.start, end)) ? `\n\n${written.trim()}` : written);
    // Without a space, the next character would turn the mark into another kind of link.
    if (/^[(:[]/.test(text.slice(end))) result += ' ';
    from = end;
  }
  return result + text.slice(from);
}

function beginsWithFence(markdown: string): boolean {
  const [line] = linesIn(markdown);
  return openedFence(markdown.slice(0, line?.end)) !== undefined;
}

function quoteToMarkdown(quote: Quote, citations: readonly Citation[], marks: StatementMarks): string {
  const { citation: index, format, languageId } = quote;
  const citation = citations[index];
  if (citation === undefined) return '';
  const mark = marks([index], 'supported');
  const excerpt = excerptOf(quote, citation.quote);
  const words = sanitizeMarkdown(foldedMarkdown(excerpt));
  const block = words.replace(/^/gm, '> ');
  // After the last row of a table, the mark would be an extra cell, which isn't shown.
  if (format !== 'code') return words.endsWith('|') ? `${block}\n>\n> ${mark.trim()}` : block + mark;
  return `${fenceText(excerpt.text, languageId)}\n\n${mark.trim()}`;
}

/** Returns the mark of a footnote. */
export function footnoteMark(number: number): string {
  return `[^${String(number)}]`;
}

/** Returns a footnote with the location and the quote of a citation. */
export function footnote(citation: Citation, number: number): string {
  const words = `${locationOfFootnote(citation)}: “${quoteOfFootnote(citation.quote)}”`;
  return `${footnoteMark(number)}: ${sanitizeWords(words)}`;
}

/** Returns the source and the location of a citation on one line, with its address if there is one. */
export function locationOfFootnote(citation: Citation): string {
  const { uri } = citation;
  return [titleAndPlace(citation), /^https?:/i.test(uri) ? `<${uri}>` : uri]
    .filter((part) => part !== '')
    .join(', ');
}

/** Returns the source and the place of a citation: `report.pdf, p. 12`, or `talk.wav [12:34]` for a recording. */
export function titleAndPlace({ title, place, locator }: Citation): string {
  if (locator.kind === 'saved' && locator.time !== undefined) return `${title} [${place}]`;
  return [title, place].filter((part) => part !== '').join(', ');
}

/** Returns a quote on one line, shortened for a footnote. */
export function quoteOfFootnote(quote: string): string {
  const words = quote.replaceAll(/\s+/g, ' ').trim();
  return words.length > MAX_QUOTE_LENGTH ? `${words.slice(0, MAX_QUOTE_LENGTH).trimEnd()}…` : words;
}

/** Returns the cited passages of an answer, each once, by number, as indexes into its citations. */
export function distinctCitations(answer: Answer): number[] {
  const firstOfNumber = new Map<number, number>();
  for (const index of standingCitations(answer)) {
    const number = answer.citations[index]?.number;
    if (number !== undefined && !firstOfNumber.has(number)) firstOfNumber.set(number, index);
  }
  return [...firstOfNumber].sort(([a], [b]) => a - b).map(([, index]) => index);
}
