// Purposes of a research project's requests to a model, identified by the first line of each.
import type { ChatMessage } from '../../src/answers/models/language-model.ts';
import { FACT_CHECK_LINE } from '../../src/answers/checking/model-verdicts.ts';
import { CRITIC_LINE } from '../../src/features/research/service/plan/critic.ts';
import { PARTS_LINE } from '../../src/features/research/service/plan/goal-parts.ts';
import { PLAN_LINE } from '../../src/features/research/service/plan/plan-prompt.ts';
import { OUTLINE, VOICE } from '../../src/features/research/service/report/report.ts';
import { ACT } from '../../src/features/research/service/work/actor.ts';
import { EXPLAIN, SELF_CHECK } from '../../src/features/research/service/work/explain.ts';

const LINES = {
  act: ACT,
  critic: CRITIC_LINE,
  explain: EXPLAIN,
  'fact-check': FACT_CHECK_LINE,
  outline: OUTLINE,
  parts: PARTS_LINE,
  plan: PLAN_LINE,
  'self-check': SELF_CHECK,
  voice: VOICE,
} as const;

export type RequestPurpose = keyof typeof LINES;

/** Returns the purpose of a request; undefined if it isn't from a research project. */
export function requestPurpose(
  messages: readonly Pick<ChatMessage, 'content'>[],
): RequestPurpose | undefined {
  const first = messages[0]?.content ?? '';
  return (Object.keys(LINES) as RequestPurpose[]).find((purpose) => first.startsWith(LINES[purpose]));
}
