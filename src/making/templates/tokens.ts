import { tokensToRead, USUAL_WINDOW } from '../../answering/retrieving/reading-budget.ts';
import { estimateTokens } from '../../language/tokens.ts';
import type { Template } from '../../notebook/template.ts';
import type { WritingPlan } from '../../notebook/writing.ts';
import { notesInstructions, writingInstructions } from './requests.ts';

/** Notes have this share of the tokens of their part, but no more than so many; a text that is written of them has so many. */
const SHARE_NOTED = 0.3;
export const MOST_NOTED = 600;
const WRITTEN = 1_500;
/** Of a request what is neither passages nor the template's own words. */
const FRAME = 250;
/** Of the window notes get this share, but no more than so many tokens. */
const SHARE_OF_NOTES = 0.5;
const MOST_NOTES = 24_000;

/** How many tokens of the sources a part has, by a model's window. */
export function tokensOfPart(windowTokens: number | undefined): number {
  return tokensToRead(windowTokens, undefined);
}

/** How many tokens of notes a text is written from at once, by a model's window. */
export function tokensOfNotes(windowTokens: number | undefined): number {
  return Math.min(MOST_NOTES, Math.floor(SHARE_OF_NOTES * (windowTokens ?? USUAL_WINDOW)));
}

/** What will be asked of a model, estimated. */
export interface Estimate {
  readonly requests: number;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
}

/** What writing a text will take and give; of parts that are kept nothing. */
export function estimateWriting(
  template: Template,
  { parts, earlier }: Pick<WritingPlan, 'earlier' | 'parts'>,
  windowTokens: number | undefined,
): Estimate {
  const [only, ...others] = parts;
  const writing = FRAME + estimateTokens(writingInstructions(template)) + estimateTokens(earlier);
  if (only !== undefined && others.length === 0)
    return { requests: 1, input: writing + only.tokens, output: WRITTEN };
  const asked = parts.filter(({ isKept }) => !isKept);
  const framed = FRAME + estimateTokens(notesInstructions(template));
  let [requests, input] = [asked.length, asked.reduce((sum, { tokens }) => sum + tokens + framed, 0)];
  let output = estimateNotes(asked);
  // Merged notes are half as long, until they fit.
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
  return parts.reduce((sum, { tokens }) => sum + Math.min(MOST_NOTED, SHARE_NOTED * tokens), 0);
}
