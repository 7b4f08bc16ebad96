import { fenced, isTableRow, linesIn, openedFence } from '../language/markdown-lines.ts';
import {
  quotesAtFirst,
  standingCitations,
  type Answer,
  type Citation,
  type Turn,
  type Verdict,
} from './answer.ts';
import { selectedPart } from './question-parts.ts';
import { harmlessMarkdown, harmlessWords } from './harmless-markdown.ts';

/** A footnote quotes so many UTF-16 code units. */
const LONGEST_QUOTE = 200;

/**
 * A conversation as Markdown: each question a heading with its answer below, the footnotes of all in one row. Nothing in
 * it loads or runs when it is shown.
 */
export function conversationAsMarkdown(title: string, turns: readonly Turn[]): string {
  let before = 0;
  const parts = turns.map(({ question, answer }) => {
    const text = answer === undefined ? '' : answerAsMarkdown(answer, before);
    before += Math.max(0, ...(answer?.citations.map(({ number }) => number) ?? []));
    return `## ${harmlessWords(ownWords(question))}\n\n${selectedText(question)}${text}`;
  });
  return `# ${harmlessWords(title)}\n\n${parts.join('\n')}`;
}

/** A question without the selected text that it ends with, unless it consists of that alone. */
function ownWords(question: string): string {
  return question.slice(0, selectedPart(question)?.start).trim() || question;
}

/** The selected text that a question ends with, as a paragraph of its own; empty if there is none. */
function selectedText(question: string): string {
  const selected = selectedPart(question);
  if (selected === undefined) return '';
  const block =
    selected.kind === 'code'
      ? fenced(selected.text, selected.languageId)
      : harmlessMarkdown(selected.text).replace(/^/gm, '> ');
  return `${block}\n\n`;
}

/**
 * An answer as Markdown of its own, its citations as footnotes, whose numbers begin after `before`. Nothing in it loads or
 * runs when it is shown.
 */
export function answerAsMarkdown(answer: Answer, before = 0): string {
  const { citations } = answer;
  const marks = (indexes: readonly number[]): string => {
    const numbers = new Set(indexes.flatMap((index) => citations[index]?.number ?? []));
    return Array.from(numbers, (number) => footnoteMark(number + before)).join('');
  };
  const list = distinctCitations(answer).flatMap((index) => {
    const citation = citations[index];
    return citation === undefined ? [] : [footnote(citation, citation.number + before)];
  });
  return withFootnotes(harmlessBody(answer, marks), list);
}

/** A text with its footnotes below. */
export function withFootnotes(text: string, footnotes: readonly string[]): string {
  const parts = [text.trim(), ...(footnotes.length > 0 ? [footnotes.join('\n')] : [])];
  return `${parts.join('\n\n')}\n`;
}

/** How a statement's citations, given by their indexes, and its verdict are marked; empty where there is nothing to mark. */
type CitationMarks = (indexes: readonly number[], verdict: Verdict) => string;

/** An answer's words as Markdown with its citations marked, of which nothing loads or runs. */
export function harmlessBody(answer: Answer, marks: CitationMarks): string {
  const body = answerBody(answer, marks);
  // Quotes are harmless one by one: what one of them leaves open ends with it.
  return answer.kind === 'quotes' ? body : harmlessMarkdown(body);
}

/** An answer's words as Markdown with its citations marked. Of quotes nothing loads or runs. */
function answerBody(answer: Answer, marks: CitationMarks): string {
  switch (answer.kind) {
    case 'written':
      return withMarks(answer, marks);
    case 'quotes':
      return [
        harmlessWords(answer.text),
        ...quotesAtFirst(answer).map((quote) => quoted(quote, answer.citations, marks)),
      ].join('\n\n');
    case 'nothing':
      return answer.text;
  }
}

/** A written text with its citations marked, each behind the statement that rests on it. */
export function withMarks(
  { text, statements }: Pick<Extract<Answer, { kind: 'written' }>, 'statements' | 'text'>,
  marks: CitationMarks,
): string {
  let result = '';
  let from = 0;
  for (const statement of statements.toSorted((a, b) => a.end - b.end)) {
    const written = marks(statement.citations, statement.verdict);
    if (written === '') continue;
    const end = statement.start + text.slice(statement.start, statement.end).trimEnd().length;
    const part = text.slice(from, end);
    // Behind the last bar of a row it would be a cell too many, which is not shown.
    const isRow = part.endsWith('|') && !part.endsWith('\\|') && isTableRow(text.slice(statement.start, end));
    if (isRow) result += `${part.slice(0, -1).trimEnd()}${written} |`;
    else
      result +=
        part + (beginsWithFence(text.slice(statement.start, end)) ? `\n\n${written.trim()}` : written);
    // What follows directly would make another kind of link of the mark.
    if (/^[(:[]/.test(text.slice(end))) result += ' ';
    from = end;
  }
  return result + text.slice(from);
}

function beginsWithFence(markdown: string): boolean {
  const [line] = linesIn(markdown);
  return openedFence(markdown.slice(0, line?.end)) !== undefined;
}

function quoted(
  {
    citation: index,
    format,
    languageId,
    header,
    around,
  }: Extract<Answer, { kind: 'quotes' }>['quotes'][number],
  citations: readonly Citation[],
  marks: CitationMarks,
): string {
  const citation = citations[index];
  if (citation === undefined) return '';
  const mark = marks([index], 'supported');
  const text = around?.text ?? citation.quote;
  const words = harmlessMarkdown(header === undefined ? text : `${header}\n${text}`);
  const block = words.replace(/^/gm, '> ');
  // Behind a table's last row it would be a cell too many, which is not shown.
  if (format !== 'code') return words.endsWith('|') ? `${block}\n>\n> ${mark.trim()}` : block + mark;
  return `${fenced(text, languageId)}\n\n${mark.trim()}`;
}

/** The mark of a footnote. */
export function footnoteMark(number: number): string {
  return `[^${String(number)}]`;
}

/** A footnote that tells where a citation stands and what it quotes. */
export function footnote({ title, place, uri, quote }: Citation, number: number): string {
  const where = [title, place, /^https?:/i.test(uri) ? `<${uri}>` : uri]
    .filter((part) => part !== '')
    .join(', ');
  return `${footnoteMark(number)}: ${harmlessWords(`${where}: “${quoteOfFootnote(quote)}”`)}`;
}

/** What a footnote shows of a quote: on one line, and no more of it than a footnote holds. */
export function quoteOfFootnote(quote: string): string {
  const words = quote.replaceAll(/\s+/g, ' ').trim();
  return words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE).trimEnd()}…` : words;
}

/** The passages of an answer, each once, by number: indexes into its citations. */
export function distinctCitations(answer: Answer): number[] {
  const firstOfNumber = new Map<number, number>();
  for (const index of standingCitations(answer)) {
    const number = answer.citations[index]?.number;
    if (number !== undefined && !firstOfNumber.has(number)) firstOfNumber.set(number, index);
  }
  return [...firstOfNumber].sort(([a], [b]) => a - b).map(([, index]) => index);
}
