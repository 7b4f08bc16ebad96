// A model of a research that answers each kind of request by its first line, as a test tells it to.
import { CRITIC_LINE } from '../../src/researching/plan/critic.ts';
import { PARTS_LINE } from '../../src/researching/plan/goal-parts.ts';
import { PLAN_LINE } from '../../src/researching/plan/plan-prompt.ts';
import { OUTLINE, VOICE } from '../../src/researching/report/report.ts';
import { ACT } from '../../src/researching/work/actor.ts';
import { EXPLAIN, SELF_CHECK } from '../../src/researching/work/explain.ts';
import type { ChatRequest, Script } from './openai-server.ts';

/** A step as the model's plan has it; what is left out is usual. */
export interface ScriptedStep {
  readonly target: string;
  readonly produces: string;
  readonly action?: string;
  readonly materials?: readonly string[];
  readonly quantity?: number;
}

export interface ScriptedResearch {
  /** The plan that is made first; with what the user remarks a later one may be another. */
  plan: readonly ScriptedStep[];
  /** What is handed in, by words of the step's target; each time, or one after the other. */
  products: Readonly<Record<string, Script | ((request: ChatRequest) => Script | Promise<Script>)>>;
  /** The title of the report. */
  title?: string;
}

/** What a research asks a model for. */
export type Purpose = 'act' | 'critic' | 'explain' | 'outline' | 'parts' | 'plan' | 'self-check' | 'voice';

const LINES: Readonly<Record<Purpose, string>> = {
  act: ACT,
  critic: CRITIC_LINE,
  explain: EXPLAIN,
  outline: OUTLINE,
  parts: PARTS_LINE,
  plan: PLAN_LINE,
  'self-check': SELF_CHECK,
  voice: VOICE,
};

/** What a request is for; undefined where it is no research's. */
export function purposeOf({ messages }: ChatRequest): Purpose | undefined {
  const first = messages[0]?.content ?? '';
  return (Object.keys(LINES) as Purpose[]).find((purpose) => first.startsWith(LINES[purpose]));
}

/** Answers requests of a research by its script. */
export function scriptedResearcher(research: ScriptedResearch): (request: ChatRequest) => Promise<Script> {
  return async (request) => {
    switch (purposeOf(request)) {
      case 'parts':
        return fenced({ parts: [] });
      case 'plan':
        return fenced({
          steps: research.plan.map(
            ({ target, produces, action = 'summarize', materials = ['sources'], quantity = -1 }, index) => ({
              id: `s${String(index + 1)}`,
              action,
              target,
              materials,
              tools: [],
              produces,
              quantity,
            }),
          ),
          parts: [{ part: 'G1', product: research.plan.at(-1)?.produces ?? '' }],
        });
      case 'critic':
        return fenced({ objections: [] });
      case 'act': {
        // Its first line is the step; what it is made from stands below.
        const [step = ''] = (request.messages.find(({ role }) => role === 'user')?.content ?? '').split('\n');
        const words = Object.keys(research.products).find((key) => step.includes(key));
        const product = words === undefined ? undefined : research.products[words];
        if (product === undefined) return 'I do not know what to do.';
        return typeof product === 'function' ? await product(request) : product;
      }
      case 'explain':
        return 'I wrote what no passage says.';
      case 'self-check':
        return 'OK';
      case 'outline':
        return `TITLE: ${research.title ?? 'The report'}\n1. What was found`;
      case 'voice':
        return '';
      case undefined:
        return 'I have nothing to say.';
    }
  };
}

function fenced(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
}
