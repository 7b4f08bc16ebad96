import type { FocusWish } from '../../src/messages/research.ts';

/** What is to have the focus; the count grows with each wish. */
export interface Focus extends FocusWish {
  readonly count: number;
}
