import type { FocusWish } from '../../src/features/research/protocol.ts';

/** Element to focus. The count grows with each request. */
export interface Focus extends FocusWish {
  readonly count: number;
}
