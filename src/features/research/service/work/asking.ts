import type {
  ChatMessage,
  LanguageModel,
  ModelTool,
  ToolCall,
} from '../../../../answers/models/language-model.ts';
import { withoutThinking } from '../../../../answers/models/without-thinking.ts';
import { boundedModel, type BudgetReserve } from './budget.ts';
import { recordedModel, type Recorder } from './record.ts';
import type { ResearchServices } from './services.ts';

/** Context of work on a research project: its services, its budget, and the recorder of events. */
export interface WorkContext {
  readonly services: ResearchServices;
  readonly budget: BudgetReserve;
  readonly record: Recorder;
  readonly signal: AbortSignal;
}

/**
 * Returns a model for one purpose, by default the model of the project. Its requests stay within the budget and are
 * recorded.
 */
export function workModel(
  { services, budget, record }: WorkContext,
  purpose: string,
  { model, prices }: Pick<ResearchServices, 'model' | 'prices'> = services,
): LanguageModel {
  return boundedModel(recordedModel(model, purpose, record, services.now), budget, prices);
}

export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/**
 * Sends one request and returns its whole reply, without the model's reasoning.
 * @throws NotebookError, `BudgetExceededError`
 */
export async function ask(
  context: WorkContext,
  purpose: string,
  messages: readonly ChatMessage[],
  options: { readonly mostTokens?: number; readonly tools?: readonly ModelTool[] } = {},
): Promise<Reply> {
  const calls: ToolCall[] = [];
  let text = '';
  const pieces = workModel(context, purpose).stream(messages, {
    ...options,
    temperature: 0,
    acceptsPartial: true,
    signal: context.signal,
    onToolCall: (call) => {
      calls.push(call);
    },
  });
  for await (const piece of withoutThinking(pieces)) text += piece;
  return { text: text.trim(), calls };
}
