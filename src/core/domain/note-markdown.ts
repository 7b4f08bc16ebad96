import { createHash } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { Answer, Citation, StatementEvidence } from './answer.ts';
import { footnote, footnoteMark, locationOfFootnote, markedBody, withFootnotes } from './answer-markdown.ts';
import { citationLink, citationLinks } from './citation-links.ts';
import { isDeck, withSourceSlides } from './deck.ts';
import { sanitizeMarkdown, sanitizeWords } from './sanitize-markdown.ts';
import type { StoredCitation } from './note.ts';
import { withoutPictures } from './note-pictures.ts';
import { verdictFootnotes, type VerdictMarkStyle } from './verdict-marks.ts';

/** Part of a note: its Markdown, and the citations of its links. */
export interface NotePart {
  readonly text: string;
  readonly citations: readonly StoredCitation[];
}

/** Returns the ID of a citation, which depends on the document, the cited text, and its picture. */
export function citationId({ documentId, span, quote, picture }: Citation): string {
  const words = [documentId, span.start, span.end, quote, ...(picture ? [picture.data] : [])].join(' ');
  return createHash('sha256').update(words).digest('hex').slice(0, 16);
}

/**
 * Returns a question and its answer as a part of a note, with the question as a heading. Each citation is a link to its
 * own text. Nothing in it loads or runs when it is shown.
 * @param level of the heading
 * @param above the note's text so far: numbers and footnotes continue it
 */
export function answerAsNote(
  question: string,
  answer: Answer,
  style: VerdictMarkStyle,
  { level = 1, above = '' }: { readonly level?: number; readonly above?: string } = {},
): NotePart {
  const before = lastNumber(above);
  const { text, citations } = bodyAsNote(answer, style, (order) => String(before + order + 1));
  const heading = `${'#'.repeat(level)} ${sanitizeWords(firstParagraph(question))}`;
  const footnotes = verdictFootnotes(text, above).join('\n');
  // The user's next text is a separate paragraph, also below a quotation.
  return { text: `${`${heading}\n\n${text.trim()}\n\n${footnotes}`.trim()}\n\n`, citations };
}

/**
 * Returns an answer as a part of a note without a heading and without the footnotes of verdicts. `makeLabel` returns
 * the label of a citation's link, from the order of its first occurrence, counted from 0, and its ID.
 */
export function bodyAsNote(
  answer: Answer,
  style: VerdictMarkStyle,
  makeLabel: (order: number, id: string) => string,
): NotePart {
  const citationsById = new Map<string, { readonly citation: Citation; readonly label: string }>();
  const marks = (indexes: readonly number[]): string => {
    const ids = new Set<string>();
    for (const index of indexes) {
      const citation = answer.citations[index];
      if (citation === undefined) continue;
      const id = citationId(citation);
      ids.add(id);
      if (!citationsById.has(id))
        citationsById.set(id, { citation, label: makeLabel(citationsById.size, id) });
    }
    const links = Array.from(ids, (id) => {
      const { citation, label } = citationsById.get(id) ?? {};
      return citation === undefined || label === undefined ? '' : ` ${citationLink(label, id, citation)}`;
    });
    return links.join('');
  };
  const text = markedBody(answer, style, marks);
  const evidenceById = evidenceOf(answer);
  const citations = Array.from(citationsById, ([id, { citation }]) => ({
    id,
    citation: withEvidence(citation, evidenceById.get(id)),
  }));
  return { text, citations };
}

/** Returns the evidence for the statements of an answer by the IDs of the citations that contain it. */
function evidenceOf(answer: Answer): ReadonlyMap<string, readonly StatementEvidence[]> {
  const evidenceById = new Map<string, StatementEvidence[]>();
  for (const { start, end, deciding, citations } of answer.kind === 'written' ? answer.statements : []) {
    if (deciding === undefined) continue;
    const cited = citations.flatMap((index) => answer.citations[index] ?? []);
    const citation = cited.find(({ quote }) => quote.includes(deciding)) ?? cited[0];
    if (citation === undefined) continue;
    const id = citationId(citation);
    const evidence = { statement: answer.text.slice(start, end).trim(), deciding };
    evidenceById.set(id, [...(evidenceById.get(id) ?? []), evidence]);
  }
  return evidenceById;
}

/** Returns a citation with more evidence. New evidence for a statement replaces earlier evidence. */
export function withEvidence(citation: Citation, added: readonly StatementEvidence[] = []): Citation {
  if (added.length === 0) return citation;
  const byStatement = new Map([...(citation.evidence ?? []), ...added].map((each) => [each.statement, each]));
  return { ...citation, evidence: [...byStatement.values()] };
}

/** Returns the first paragraph of a question on one line. Selected text is below it. */
export function firstParagraph(question: string): string {
  const [first = ''] = question.trim().split(/\n\s*\n/, 1);
  return first.replaceAll(/\s+/g, ' ');
}

/** Returns a function that labels citations by their IDs: as in a note, or with the next number. */
export function continueLabels(note: string): (order: number, id: string) => string {
  const labels = new Map(
    citationLinks(note).map(({ id, start, labelEnd }) => [id, note.slice(start + 1, labelEnd - 1)]),
  );
  let next = lastNumber(note);
  return (_, id) => {
    const label = labels.get(id) ?? String(++next);
    labels.set(id, label);
    return label;
  };
}

/** Returns the greatest number of a citation's link in a note; 0 if there are no numbers. */
export function lastNumber(text: string): number {
  return Math.max(
    0,
    ...citationLinks(text).map(({ start, labelEnd }) => {
      const label = text.slice(start + 1, labelEnd - 1);
      return /^\d{1,6}$/.test(label) ? Number(label) : 0;
    }),
  );
}

/**
 * Returns a note as standalone Markdown with its citations as numbered footnotes. Slides have a list of sources at the
 * end instead, because Marp doesn't support footnotes. Nothing in it loads or runs when it is shown, wherever its text
 * is from.
 */
export function noteAsMarkdown(text: string, citations: readonly StoredCitation[]): string {
  if (isDeck(text)) {
    const { text: numbered, citations: cited } = withNumberedCitations(
      text,
      citations,
      (number) => ` \\[${String(number)}\\]`,
    );
    const sources = cited.map(({ citation }) => sanitizeWords(locationOfFootnote(citation)));
    return withSourceSlides(sanitizeMarkdown(withoutPictures(numbered)), t('Sources'), sources);
  }
  const numbered = withNumberedCitations(text, citations, footnoteMark);
  const footnotes = numbered.citations.map(({ citation }, index) => footnote(citation, index + 1));
  return withFootnotes(sanitizeMarkdown(withoutPictures(numbered.text)), footnotes);
}

/**
 * Returns a note's text with a mark directly after the word in place of each link to a citation, and the citations in
 * the order of their numbers, which start with 1. Links to unknown citations stay.
 */
export function withNumberedCitations(
  text: string,
  citations: readonly StoredCitation[],
  mark: (number: number) => string,
): NotePart {
  const byId = new Map(citations.map((stored) => [stored.id, stored]));
  const numbers = new Map<string, number>();
  const cited: StoredCitation[] = [];
  let result = '';
  let from = 0;
  for (const { start, end, id } of citationLinks(text)) {
    const stored = byId.get(id);
    if (stored === undefined) continue;
    const number = numbers.get(id) ?? numbers.size + 1;
    if (!numbers.has(id)) {
      numbers.set(id, number);
      cited.push(stored);
    }
    // A footnote's mark follows the word without a space.
    const between = text.slice(from, start);
    const followsMark = from > 0 && /^[ \t]*$/.test(between);
    result += (followsMark ? '' : between.replace(/(?<=\S)[ \t]+$/, '')) + mark(number);
    from = end;
  }
  return { text: result + text.slice(from), citations: cited };
}
