import type { Answer, Citation, Turn } from './answer.ts';

/** A footnote quotes so many UTF-16 code units. */
const LONGEST_QUOTE = 200;

/** A conversation as Markdown: each question a heading with its answer below, the footnotes of all in one row. */
export function conversationAsMarkdown(title: string, turns: readonly Turn[]): string {
  let before = 0;
  const parts = turns.map(({ question, answer }) => {
    const text = answer === undefined ? '' : answerAsMarkdown(answer, before);
    before += Math.max(0, ...(answer?.citations.map(({ number }) => number) ?? []));
    return `## ${question.replaceAll(/\s+/g, ' ').trim()}\n\n${text}`;
  });
  return `# ${title.replaceAll(/\s+/g, ' ').trim()}\n\n${parts.join('\n')}`;
}

/** An answer as Markdown of its own, its citations as footnotes, whose numbers begin after `before`. */
export function answerAsMarkdown(answer: Answer, before = 0): string {
  const parts = [body(answer, before).trim()];
  const list = distinctCitations(answer).flatMap((index) => footnote(answer.citations[index], before));
  if (list.length > 0) parts.push(list.join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function body(answer: Answer, before: number): string {
  switch (answer.kind) {
    case 'written':
      return withMarks(answer, before);
    case 'quotes':
      return [answer.text, ...answer.quotes.map((quote) => quoted(quote, answer.citations, before))].join(
        '\n\n',
      );
    case 'nothing':
      return answer.text;
  }
}

function withMarks(
  { text, statements, citations }: Extract<Answer, { kind: 'written' }>,
  before: number,
): string {
  let result = '';
  let from = 0;
  for (const statement of statements.toSorted((a, b) => a.end - b.end)) {
    const numbers = new Set(statement.citations.flatMap((index) => citations[index]?.number ?? []));
    if (numbers.size === 0) continue;
    const end = statement.start + text.slice(statement.start, statement.end).trimEnd().length;
    const marks = [...numbers].map((number) => mark(number + before)).join('');
    const part = text.slice(from, end);
    result += part + (/(?:```|~~~)$/.test(part) ? `\n\n${marks}` : marks);
    from = end;
  }
  return result + text.slice(from);
}

function quoted(
  { citation: index, format, languageId }: Extract<Answer, { kind: 'quotes' }>['quotes'][number],
  citations: readonly Citation[],
  before: number,
): string {
  const citation = citations[index];
  if (citation === undefined) return '';
  const note = mark(citation.number + before);
  if (format !== 'code') return `${citation.quote.replace(/^/gm, '> ')}${note}`;
  const longest = Math.max(2, ...Array.from(citation.quote.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${languageId ?? ''}\n${citation.quote}\n${fence}\n\n${note}`;
}

function mark(number: number): string {
  return `[^${String(number)}]`;
}

function footnote(citation: Citation | undefined, before: number): string[] {
  if (citation === undefined) return [];
  const { number, title, place, uri, quote } = citation;
  const where = [title, place, uri === '' ? '' : `<${uri}>`].filter((part) => part !== '').join(', ');
  const words = quote.replaceAll(/\s+/g, ' ').trim();
  const shown = words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE).trimEnd()}…` : words;
  return [`${mark(number + before)}: ${where}: “${shown}”`];
}

/** The passages of an answer, each once, by number: indexes into its citations. */
export function distinctCitations(answer: Answer): number[] {
  const firstOfNumber = new Map<number, number>();
  for (const [index, { number }] of answer.citations.entries()) {
    if (!firstOfNumber.has(number)) firstOfNumber.set(number, index);
  }
  return [...firstOfNumber].sort(([a], [b]) => a - b).map(([, index]) => index);
}
