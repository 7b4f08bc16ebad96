import type { Estimate } from '../../core/domain/estimates.ts';

/** Estimated tokens of a statement in a text. */
export const STATEMENT_TOKENS = 30;

/** Estimated tokens of a statement's evidence with the marks around it, of its verdict, and of a request's frame. */
const EVIDENCE_TOKENS = 700;
const VERDICT_TOKENS = 50;
const FRAME_TOKENS = 250;
const STATEMENTS_PER_REQUEST = 10;

/** Estimates the fact check of some statements by a model. */
export function estimateStatementChecks(statements: number): Estimate {
  const requests = Math.ceil(statements / STATEMENTS_PER_REQUEST);
  return {
    requests,
    input: statements * (STATEMENT_TOKENS + EVIDENCE_TOKENS) + requests * FRAME_TOKENS,
    output: statements * VERDICT_TOKENS,
  };
}
