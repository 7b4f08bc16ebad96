import type { FocusRequest } from '../../src/features/research/protocol.ts';

/** Element to focus. The count grows with each request. */
export interface Focus extends FocusRequest {
  readonly count: number;
}
