import { pausing } from '../../../core/rpc/pausing.ts';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import { overlap, type Span } from '../../../core/language/span.ts';
import {
  MAX_SECTIONS,
  type CoverageCounts,
  type CoverageQueries,
  type DocumentCount,
  type PastQuestion,
  type SectionCount,
} from '../model/coverage.ts';
import type { Row } from '../../../index/store/database/database.ts';
import { storedTexts, readJson } from '../../../index/store/database/stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/** SQL columns for the span of a citation, which is JSON in a row `c`. */
const SPAN_OF_CITATION = `c.value ->> '$.documentId' AS document_id, c.value ->> '$.span.start' AS start,
  c.value ->> '$.span.end' AS "end"`;

/** Coverage of a notebook: its cited passages and past questions. */
export class Coverage {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Counts passages and the cited ones. Yields to other requests between documents. */
  async counts(sourceIds: readonly string[] | undefined): Promise<CoverageCounts> {
    const pause = pausing();
    const spans = this.#citedSpans();
    const counted: { readonly document: DocumentCount; readonly sections: readonly SectionCount[] }[] = [];
    const rows = this.#sql.all(
      `SELECT d.id, d.source_id, d.key, d.title, s.title AS source FROM documents d JOIN sources s ON s.id = d.source_id
       WHERE ?1 IS NULL OR s.id IN (SELECT value FROM json_each(?1)) ORDER BY s.added_at, s.rowid, d.key`,
      sourceIds === undefined ? null : JSON.stringify(sourceIds),
    );
    let sections = 0;
    let omitted = 0;
    for (const row of rows) {
      await pause();
      const counts = this.#document(row, spans.get(Number(row['id'])) ?? []);
      counted.push(counts);
      sections += counts.sections.length;
      // Limit the memory for large notebooks.
      if (sections > 2 * MAX_SECTIONS) {
        omitted += dropMost(counted);
        sections = counted.reduce((sum, documentCounts) => sum + documentCounts.sections.length, 0);
      }
    }
    omitted += dropMost(counted);
    return {
      documents: counted.map(({ document }) => document),
      sections: counted.flatMap((documentCounts) => documentCounts.sections),
      omitted,
    };
  }

  /** Returns the latest `limit` questions with their outcomes. */
  pastQuestions(limit: number): PastQuestion[] {
    return this.#sql
      .all(
        `SELECT id, conversation_id, question, asked_at, rating, state ->> '$.kind' AS state, answer ->> '$.kind' AS kind,
           coalesce(json_array_length(answer, '$.citations'), 0) AS citations
         FROM turns WHERE json_valid(state) AND (answer IS NULL OR json_valid(answer))
           AND state ->> '$.kind' <> 'answering'
         ORDER BY asked_at DESC, rowid DESC LIMIT ?`,
        limit,
      )
      .map((row) => ({
        conversationId: String(row['conversation_id']),
        turnId: String(row['id']),
        question: String(row['question']),
        askedAt: Number(row['asked_at']),
        outcome: readOutcome(row),
      }));
  }

  /** Returns the spans cited by answers, notes, and results, by document. Answers that found nothing don't count. */
  #citedSpans(): ReadonlyMap<number, readonly Span[]> {
    const rows = [
      ...this.#sql.all(
        `SELECT ${SPAN_OF_CITATION} FROM turns t, json_each(t.answer, '$.citations') c
         WHERE json_valid(t.answer) AND t.answer ->> '$.kind' <> 'nothing'`,
      ),
      ...this.#sql.all(
        `SELECT ${SPAN_OF_CITATION} FROM (SELECT citation AS value FROM note_citations WHERE json_valid(citation)) c`,
      ),
      ...this.#sql.all(
        `SELECT ${SPAN_OF_CITATION} FROM research_products p, json_each(p.citations) c WHERE json_valid(p.citations)`,
      ),
    ];
    const spans = new Map<number, Span[]>();
    for (const row of rows) {
      const documentId = Number(row['document_id']);
      const span = { start: Number(row['start']), end: Number(row['end']) };
      const known = spans.get(documentId);
      if (known === undefined) spans.set(documentId, [span]);
      else known.push(span);
    }
    return new Map([...spans].map(([documentId, all]) => [documentId, joinSpans(all)]));
  }

  #document(
    row: Row,
    cited: readonly Span[],
  ): { readonly document: DocumentCount; readonly sections: readonly SectionCount[] } {
    const documentId = Number(row['id']);
    const sections = new Map<string, SectionCount>();
    let next = 0;
    let passages = 0;
    let citedPassages = 0;
    for (const passageRow of this.#sql.all(
      'SELECT start, "end", headings FROM passages WHERE document_id = ? ORDER BY start',
      documentId,
    )) {
      const span = { start: Number(passageRow['start']), end: Number(passageRow['end']) };
      while ((cited[next]?.end ?? Infinity) <= span.start) next++;
      const isCited = cited[next] !== undefined && overlap(span, cited[next] ?? span) > 0;
      const name = String(passageRow['headings']);
      const section = sections.get(name);
      sections.set(name, {
        documentId,
        headings: section?.headings ?? readJson(storedTexts, name, []),
        start: section?.start ?? span.start,
        length: (section?.length ?? 0) + span.end - span.start,
        passages: (section?.passages ?? 0) + 1,
        cited: (section?.cited ?? 0) + Number(isCited),
      });
      passages++;
      citedPassages += Number(isCited);
    }
    const document = {
      ...{ documentId, passages, cited: citedPassages },
      sourceId: String(row['source_id']),
      sourceTitle: String(row['source']),
      key: String(row['key']),
      title: String(row['title']),
    };
    return { document, sections: [...sections.values()] };
  }
}

/**
 * Drops the sections of the documents with the highest cited share until few enough are left. Returns the number of
 * dropped sections.
 */
function dropMost(counted: { document: DocumentCount; sections: readonly SectionCount[] }[]): number {
  let remainingSections = counted.reduce((sum, { sections }) => sum + sections.length, 0);
  let dropped = 0;
  const share = ({ passages, cited }: DocumentCount): number => cited / Math.max(1, passages);
  const byShare = counted.toSorted((a, b) => share(b.document) - share(a.document));
  for (const documentCounts of byShare) {
    if (remainingSections <= MAX_SECTIONS) break;
    remainingSections -= documentCounts.sections.length;
    dropped += documentCounts.sections.length;
    documentCounts.sections = [];
  }
  return dropped;
}

/** Returns spans in order, with adjoining ones merged. */
function joinSpans(spans: readonly Span[]): Span[] {
  const joinedSpans: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joinedSpans.at(-1);
    if (last === undefined || span.start > last.end) joinedSpans.push(span);
    else joinedSpans[joinedSpans.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return joinedSpans;
}

function readOutcome({ rating, state, kind, citations }: Row): PastQuestion['outcome'] {
  if (rating === 'bad') return 'bad';
  if (kind === null) return 'failed';
  if (kind === 'nothing' || Number(citations) === 0) return state === 'done' ? 'nothing' : 'failed';
  return 'answered';
}

/** Returns the index worker's handlers for the coverage of the open notebook. */
export function coverageHandlers(notebook: () => { readonly sql: Statements }): Handlers<CoverageQueries> {
  return {
    coverageCounts: ({ sourceIds }) => new Coverage(notebook().sql).counts(sourceIds),
    pastQuestions: ({ limit }) => new Coverage(notebook().sql).pastQuestions(limit),
  };
}
