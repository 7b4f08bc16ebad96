// A model for research projects that answers each kind of request by its first line, as a test specifies.
import { judgeStatements } from './judge.ts';
import type { ChatRequest, Script } from './openai-server.ts';
import { requestPurpose } from './research-requests.ts';

/** A step of the model's plan; omitted fields have defaults. */
export interface ScriptedStep {
  readonly target: string;
  readonly produces: string;
  readonly action?: string;
  readonly materials?: readonly string[];
  readonly quantity?: number;
}

export interface ScriptedResearch {
  /** First plan of the model. A comment of the user can lead to another one. */
  plan: readonly ScriptedStep[];
  /** Results by words in the step's target, either the same each time or one after the other. */
  products: Readonly<Record<string, Script | ((request: ChatRequest) => Script | Promise<Script>)>>;
  /** The title of the report. */
  title?: string;
}

/** Answers requests of a research by its script. */
export function scriptedResearcher(research: ScriptedResearch): (request: ChatRequest) => Promise<Script> {
  return async (request) => {
    switch (requestPurpose(request.messages)) {
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
        // The first line is the step, and its inputs follow.
        const [step = ''] = (request.messages.find(({ role }) => role === 'user')?.content ?? '').split('\n');
        const words = Object.keys(research.products).find((key) => step.includes(key));
        const product = words === undefined ? undefined : research.products[words];
        if (product === undefined) return 'I do not know what to do.';
        return typeof product === 'function' ? await product(request) : product;
      }
      case 'explain':
        return 'I wrote what no passage says.';
      case 'fact-check':
        return judgeStatements(request.messages.at(-1)?.content ?? '');
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
