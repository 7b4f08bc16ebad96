import type { Answer, Citation } from '../../src/notebook/answer.ts';
import { distinctCitations } from './words.ts';

/** An answer as Markdown of its own, its citations as numbers in brackets with the list of sources below. */
export function answerAsMarkdown(answer: Answer): string {
  const parts = [body(answer).trim()];
  const list = distinctCitations(answer).flatMap((index) => sourceLine(answer.citations[index]));
  if (list.length > 0) parts.push(list.join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function body(answer: Answer): string {
  switch (answer.kind) {
    case 'written':
      return withNumbers(answer);
    case 'quotes':
      return [answer.text, ...answer.quotes.map((quote) => quoted(quote, answer.citations))].join('\n\n');
    case 'nothing':
      return answer.text;
  }
}

function withNumbers({ text, statements, citations }: Extract<Answer, { kind: 'written' }>): string {
  let result = '';
  let from = 0;
  for (const statement of statements.toSorted((a, b) => a.end - b.end)) {
    const numbers = new Set(statement.citations.flatMap((index) => citations[index]?.number ?? []));
    if (numbers.size === 0) continue;
    const end = statement.start + text.slice(statement.start, statement.end).trimEnd().length;
    const marks = [...numbers].map((number) => `[${String(number)}]`).join('');
    const before = text.slice(from, end);
    result += before + (/(?:```|~~~)$/.test(before) ? `\n\n${marks}` : ` ${marks}`);
    from = end;
  }
  return result + text.slice(from);
}

function quoted(
  { citation: index, format, languageId }: Extract<Answer, { kind: 'quotes' }>['quotes'][number],
  citations: readonly Citation[],
): string {
  const citation = citations[index];
  if (citation === undefined) return '';
  const mark = `[${String(citation.number)}]`;
  if (format !== 'code') return `${citation.quote.replace(/^/gm, '> ')} ${mark}`;
  const longest = Math.max(2, ...Array.from(citation.quote.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${languageId ?? ''}\n${citation.quote}\n${fence}\n\n${mark}`;
}

function sourceLine(citation: Citation | undefined): string[] {
  if (citation === undefined) return [];
  const { number, title, place, uri } = citation;
  const where = [title, place, uri === '' ? '' : `<${uri}>`].filter((part) => part !== '').join(', ');
  return [`[${String(number)}]: ${where}`];
}
