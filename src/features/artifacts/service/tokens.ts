import { estimateStatementChecks, STATEMENT_TOKENS } from '../../../answers/checking/check-estimate.ts';
import { tokensToRead, USUAL_WINDOW } from '../../../answers/retrieving/reading-budget.ts';
import { estimateTokens } from '../../../core/language/tokens.ts';
import type { Template } from '../../../core/domain/template.ts';
import type { Estimate } from '../../../core/domain/estimates.ts';
import type { WritingPlan } from '../../../core/domain/writing.ts';
import { notesInstructions, writingInstructions } from './requests.ts';

/** Share of the notes in the tokens of their part, their maximum tokens, and the estimated tokens of a text. */
const SHARE_NOTED = 0.3;
export const MAX_NOTE_TOKENS = 600;
const WRITTEN = 1_500;
/** Tokens of a request besides passages and the template's own words. */
const FRAME = 250;
/** Share of the notes in the context window, and their maximum tokens. */
const SHARE_OF_NOTES = 0.5;
const MAX_NOTES = 24_000;

/** Returns the number of source tokens in a part, for a model's context window. */
export function tokensOfPart(windowTokens: number | undefined): number {
  return tokensToRead(windowTokens, undefined);
}

/** Returns the maximum tokens of notes for writing a text at once, for a model's context window. */
export function tokensOfNotes(windowTokens: number | undefined): number {
  return Math.min(MAX_NOTES, Math.floor(SHARE_OF_NOTES * (windowTokens ?? USUAL_WINDOW)));
}

/** Estimates the fact check of a text by a model. */
export function estimateTextCheck(): Estimate {
  return estimateStatementChecks(Math.ceil(WRITTEN / STATEMENT_TOKENS));
}

/** Estimates the cost of writing a text, without its fact check. Parts with saved notes are free. */
export function estimateWriting(
  template: Template,
  { parts, earlier }: Pick<WritingPlan, 'earlier' | 'parts'>,
  windowTokens: number | undefined,
): Estimate {
  const [only, ...others] = parts;
  const writing = FRAME + estimateTokens(writingInstructions(template)) + estimateTokens(earlier);
  if (only !== undefined && others.length === 0)
    return { requests: 1, input: writing + only.tokens, output: WRITTEN };
  const partsToWrite = parts.filter(({ isSaved }) => !isSaved);
  const framed = FRAME + estimateTokens(notesInstructions(template));
  let [requests, input] = [
    partsToWrite.length,
    partsToWrite.reduce((sum, { tokens }) => sum + tokens + framed, 0),
  ];
  let output = estimateNotes(partsToWrite);
  // Each merge halves the notes, until they fit.
  const room = tokensOfNotes(windowTokens);
  let notes = estimateNotes(parts);
  while (notes > room) {
    requests += Math.ceil(notes / room);
    input += notes + Math.ceil(notes / room) * FRAME;
    notes /= 2;
    output += notes;
  }
  return { requests: requests + 1, input: input + writing + notes, output: output + WRITTEN };
}

function estimateNotes(parts: WritingPlan['parts']): number {
  return parts.reduce((sum, { tokens }) => sum + Math.min(MAX_NOTE_TOKENS, SHARE_NOTED * tokens), 0);
}
