// A notebook in memory: small documents, each passage a span of one, found by the words that they share with a question.
import type { PassageFinder } from '../../src/answers/retrieving/passage-finder.ts';
import { headingSpansIn } from '../../src/index/documents/heading-lines.ts';
import { headingsOfMarkdown } from '../../src/parsers/markdown.ts';
import { termsIn } from '../../src/core/language/words/words.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import type { TextFormat } from '../../src/core/language/units.ts';
import type { FoundPassage } from '../../src/core/domain/passage.ts';
import type { Span } from '../../src/core/language/span.ts';

export interface TestDocument {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly format?: TextFormat;
  readonly headings?: readonly string[];
}

/** Returns a passage of a document; the whole document by default. */
export function makePassage(document: TestDocument, span?: Span, score = 1): FoundPassage {
  const { start, end } = span ?? { start: 0, end: document.text.length };
  return {
    passageId: document.id * 1000 + start,
    documentId: document.id,
    sourceId: `source-${String(document.id)}`,
    score,
    start,
    end,
    text: document.text.slice(start, end),
    format: document.format ?? 'prose',
    languageId: document.format === 'code' ? 'typescript' : undefined,
    sourceTitle: document.title,
    documentTitle: document.title,
    documentKey: '',
    headings: document.headings ?? [],
    headingSpans: document.format === 'markdown' ? markdownHeadingSpans(document.text, { start, end }) : [],
  };
}

/** Returns the spans of Markdown headings within a span. */
export function markdownHeadingSpans(text: string, span: Span): Span[] {
  const { length } = text;
  const slice = (start: number, end: number): string => text.slice(start, end);
  return headingSpansIn({ format: 'markdown', headings: headingsOfMarkdown(text), length, slice }, span);
}

interface TestNotebook extends PassageFinder {
  /** Questions that were searched. */
  readonly searches: readonly string[];
}

/** Returns a finder over passages. Passages of one document must have the same document text. */
export function makeNotebook(documents: readonly TestDocument[]): TestNotebook {
  const searches: string[] = [];
  const passages = documents.map((document) => makePassage(document));
  return {
    searches,
    find(question, limit) {
      searches.push(question);
      const questionTerms = new Set(termsIn(question));
      const scored = passages
        .map((passage) => ({
          ...passage,
          score: termsIn(passage.text).filter((term) => questionTerms.has(term)).length,
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score);
      return Promise.resolve(scored.slice(0, limit));
    },
    gather(lines) {
      searches.push(...lines);
      const termSets = lines.map((line) => new Set(termsIn(line)));
      const scored = passages
        .map((passage) => {
          const terms = new Set(termsIn(passage.text));
          const score = termSets.reduce(
            (sum, line) => sum + [...line].filter((term) => terms.has(term)).length,
            0,
          );
          return { ...passage, score };
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score);
      return Promise.resolve({ passages: scored, isAll: false });
    },
    async places(question, signal) {
      const matches = await this.find(question, passages.length, signal);
      return matches.map((passage) => ({ passage, section: passage, marks: [] }));
    },
    overview: (about, limit) =>
      Promise.resolve(
        passages.filter(({ sourceTitle }) => about === '' || sourceTitle === about).slice(0, limit),
      ),
    at: (places) =>
      Promise.resolve(
        places.flatMap(({ documentId, span }) => {
          const document = documents.find(({ id }) => id === documentId);
          if (document === undefined || span.start >= document.text.length) return [];
          return [
            makePassage(document, { start: span.start, end: Math.min(span.end, document.text.length) }),
          ];
        }),
      ),
    cite: (requests) =>
      Promise.resolve(
        requests.map(({ number, passage, span }): Citation => {
          const text = documents.find(({ id }) => id === passage.documentId)?.text ?? '';
          return {
            number,
            sourceId: passage.sourceId,
            sourceKind: 'text',
            documentId: passage.documentId,
            title: passage.sourceTitle,
            place: '',
            uri: '',
            mediaType: 'text/plain',
            passage: { start: passage.start, end: passage.end },
            span,
            quote: text.slice(span.start, span.end),
            locator: { kind: 'saved', span },
          };
        }),
      ),
  };
}
