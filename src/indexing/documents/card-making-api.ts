import type { Report } from '../../messages/rpc.ts';
import type { Citation } from '../../notebook/answer.ts';
import type { StudioScope } from '../../notebook/studio.ts';
import type { AddedCards } from '../store/cards-api.ts';
import type { StudioProgress } from './studio-api.ts';

/** A term with a definition of it, gaps where the term stands. */
export interface CitedDefinition {
  readonly term: string;
  /** Markdown. */
  readonly front: string;
  readonly citation: Citation;
}

/** What became of the cards of a deck that was brought up to date. */
export interface RefreshedCards {
  readonly same: number;
  readonly changed: number;
  /** Their words do not stand in the sources any more. */
  readonly stale: number;
  readonly added: number;
}

/** What the index worker makes cards of without a model. */
export interface CardMakingApi {
  /** @throws NotebookError `empty` where the sources define nothing. */
  readonly makeCards: (
    params: StudioScope & { readonly title: string },
    report: Report<StudioProgress>,
  ) => AddedCards;
  readonly refreshCards: (
    params: { readonly deckId: string },
    report: Report<StudioProgress>,
  ) => RefreshedCards;
  /** Words as they stand in the document at a URI, nearest to an offset; undefined where they don't. */
  readonly citeWords: (params: {
    readonly uri: string;
    readonly words: string;
    readonly near: number;
  }) => Citation | undefined;
  readonly definitions: (params: StudioScope, report: Report<StudioProgress>) => readonly CitedDefinition[];
}
