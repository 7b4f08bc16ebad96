import type { ResearchEntry } from './research.ts';

/*
 * How much of a notebook answers, notes and products ever rested on: what the picture of it is drawn from, and what is
 * to be looked at next. A passage is cited where the words of any citation, kept anywhere, overlap it.
 */

/** At most so many sections are counted at once; those of the documents whose passages are cited least come first. */
export const MOST_SECTIONS = 4_000;

/** A document's passages. */
export interface DocumentCount {
  readonly documentId: number;
  readonly sourceId: string;
  readonly sourceTitle: string;
  /** As in its list: a relative path, or '' where the source is one document. */
  readonly key: string;
  readonly title: string;
  readonly passages: number;
  readonly cited: number;
}

/** The passages of a document that stand directly under one path of headings. */
export interface SectionCount {
  readonly documentId: number;
  /** From the outermost to the nearest; none for what stands before the first heading. */
  readonly headings: readonly string[];
  /** Where the first of them begins, in UTF-16 code units of the document's text. */
  readonly start: number;
  /** How long they are together, in UTF-16 code units. */
  readonly length: number;
  readonly passages: number;
  readonly cited: number;
}

export interface CoverageCounts {
  /** All documents of the sources that are asked for. */
  readonly documents: readonly DocumentCount[];
  /** In the documents' order; `MOST_SECTIONS` at most. */
  readonly sections: readonly SectionCount[];
  /** How many sections were left out. */
  readonly omitted: number;
}

/**
 * A question that was asked, and what came of it. `answered`: with citations, and nobody thought badly of it. `nothing`:
 * the notebook did not answer. `bad`: the user rated the answer so. `failed`: no answer came.
 */
export interface PastQuestion {
  readonly conversationId: string;
  readonly turnId: string;
  readonly question: string;
  readonly askedAt: number;
  readonly outcome: 'answered' | 'bad' | 'failed' | 'nothing';
}

/** What is asked of the store for coverage and curriculum. */
export interface CoverageQueries {
  /** Of these sources, or of all. */
  readonly coverageCounts: (params: { readonly sourceIds?: readonly string[] | undefined }) => CoverageCounts;
  /** The last asked first, at most so many. */
  readonly pastQuestions: (params: { readonly most: number }) => readonly PastQuestion[];
}

/** A source, a document or a section as the picture shows it, with what is beneath it. */
export interface CoverageNode {
  readonly kind: 'document' | 'section' | 'source';
  readonly title: string;
  readonly sourceId: string;
  /** Undefined of a source. */
  readonly documentId: number | undefined;
  /** Where it begins in its document; undefined of a source. */
  readonly start: number | undefined;
  /** With those beneath it. */
  readonly passages: number;
  readonly cited: number;
  readonly children: readonly CoverageNode[];
}

/**
 * Something to look at next. `section`: what no answer ever touched. `question`: one that failed. `goal`: one of a
 * research that did not come to its end.
 */
export interface NextLook {
  readonly kind: 'goal' | 'question' | 'section';
  /** What would be asked or researched, in words that can be sent as they are. */
  readonly goal: string;
  /** Why it is proposed: one sentence for the user. */
  readonly why: string;
  /** From 0, the easiest, to 1: short steps from what is known come first. */
  readonly effort: number;
  /** Where it stands, where it is a section. */
  readonly place?:
    | { readonly sourceId: string; readonly documentId: number; readonly start: number }
    | undefined;
  readonly researchId?: ResearchEntry['id'] | undefined;
}
