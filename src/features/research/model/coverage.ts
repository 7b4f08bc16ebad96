import type { ResearchEntry } from './project.ts';

/*
 * Coverage: the share of a notebook that answers, notes, and results cite, for the coverage view and its suggestions. A
 * passage counts as cited if the text of any stored citation overlaps it.
 */

/** Maximum number of counted sections; those of the least cited documents come first. */
export const MAX_SECTIONS = 4_000;

/** Passage counts of a document. */
export interface DocumentCount {
  readonly documentId: number;
  readonly sourceId: string;
  readonly sourceTitle: string;
  /** Key in the list of its source: a relative path, or '' if the source is one document. */
  readonly key: string;
  readonly title: string;
  readonly passages: number;
  readonly cited: number;
}

/** Counts of a document's passages directly under one path of headings. */
export interface SectionCount {
  readonly documentId: number;
  /** Headings from the outermost to the nearest; empty for text before the first heading. */
  readonly headings: readonly string[];
  /** Start of the first passage, in UTF-16 code units of the document's text. */
  readonly start: number;
  /** Total length of the passages, in UTF-16 code units. */
  readonly length: number;
  readonly passages: number;
  readonly cited: number;
}

export interface CoverageCounts {
  /** All documents of the sources in question. */
  readonly documents: readonly DocumentCount[];
  /** Sections in document order; at most `MAX_SECTIONS`. */
  readonly sections: readonly SectionCount[];
  /** Number of omitted sections. */
  readonly omitted: number;
}

/**
 * Earlier question and its outcome. `answered`: with citations, and without a bad rating. `nothing`: the notebook has
 * no answer. `bad`: the user gave the answer a bad rating. `failed`: no answer arrived.
 */
export interface PastQuestion {
  readonly conversationId: string;
  readonly turnId: string;
  readonly question: string;
  readonly askedAt: number;
  readonly outcome: 'answered' | 'bad' | 'failed' | 'nothing';
}

/** Store queries for coverage and curriculum. */
export interface CoverageQueries {
  /** Returns the counts of these sources, or of all. */
  readonly coverageCounts: (params: { readonly sourceIds?: readonly string[] | undefined }) => CoverageCounts;
  /** Returns at most `limit` questions, latest first. */
  readonly pastQuestions: (params: { readonly limit: number }) => readonly PastQuestion[];
}

/** Source, document, or section in the coverage view, with its children. */
export interface CoverageNode {
  readonly kind: 'document' | 'section' | 'source';
  readonly title: string;
  readonly sourceId: string;
  /** Undefined for a source. */
  readonly documentId: number | undefined;
  /** Start in its document; undefined for a source. */
  readonly start: number | undefined;
  /** Count including the children. */
  readonly passages: number;
  readonly cited: number;
  readonly children: readonly CoverageNode[];
}

/**
 * Suggestion for the next step. `section`: no answer ever cited it. `question`: it failed. `goal`: its project didn't
 * end.
 */
export interface NextLook {
  readonly kind: 'goal' | 'question' | 'section';
  /** Text of the question or goal, ready to be sent. */
  readonly goal: string;
  /** Reason for the suggestion: one sentence for the user. */
  readonly why: string;
  /** Estimated effort from 0 to 1. Goals close to known content need the least effort and come first. */
  readonly effort: number;
  /** Location, if it's a section. */
  readonly place?:
    | { readonly sourceId: string; readonly documentId: number; readonly start: number }
    | undefined;
  readonly researchId?: ResearchEntry['id'] | undefined;
}
