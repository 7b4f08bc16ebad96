import { estimateTokens } from '../../language/tokens.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { Prompt, PromptInput } from './prompt.ts';
import { buildPrompt, tokensForPrompt } from './prompt.ts';

/** A prompt is counted so many times at most: as estimated, and twice fitted by what the counts before said. */
const MOST_COUNTS = 3;
/** A prompt that left something out is worth building anew where its tokens were estimated so many times too high. */
const WORTH_GROWING = 1.15;
/** What counts say of one text is not exactly so for another. */
const MARGIN = 1.02;

/** The messages to a model within its window: by its own count of tokens where it counts, by our estimate otherwise. */
export async function measuredPrompt(
  model: LanguageModel,
  input: Omit<PromptInput, 'density' | 'windowTokens'>,
  signal: AbortSignal,
): Promise<Prompt> {
  const { windowTokens } = model;
  let prompt = buildPrompt({ ...input, windowTokens });
  if (model.countTokens === undefined || windowTokens === undefined) return prompt;
  const room = tokensForPrompt(windowTokens);
  let fitting: Prompt | undefined;
  let density = 0;
  for (let counts = 1; ; counts++) {
    const text = prompt.messages.map(({ content }) => content).join('\n\n');
    const counted = await model.countTokens(text, signal);
    if (counted === undefined) return fitting ?? prompt;
    const fits = counted <= room;
    if (fits) fitting = prompt;
    // What was left out may be less dense than what is always there; what is still too long is shortened by as much.
    density = counts === 1 ? counted / Math.max(1, estimateTokens(text)) : (density * counted) / room;
    density *= MARGIN;
    const mayGrow = counts === 1 && density * WORTH_GROWING < 1 && leavesOut(prompt, input);
    if ((fits && !mayGrow) || (counts > 1 && fitting !== undefined) || counts === MOST_COUNTS)
      return fitting ?? prompt;
    prompt = buildPrompt({ ...input, windowTokens, density });
  }
}

function leavesOut({ passages, isCut }: Prompt, input: Pick<PromptInput, 'passages'>): boolean {
  return (
    isCut ||
    passages.length < input.passages.length ||
    passages.some(({ text }, index) => text !== input.passages[index]?.text)
  );
}
