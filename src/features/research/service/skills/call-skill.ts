import type { ModelTool, ToolCall } from '../../../../answers/models/language-model.ts';
import { isCanceled, NotebookError, throwIfCanceled } from '../../../../core/domain/errors.ts';
import type { Skill, SkillContext, SkillResult } from './skill.ts';

/** Maximum length of a result's text, in UTF-16 code units. Longer text is cut, with a notice. */
const MAX_TEXT_LENGTH = 24_000;

/** Result of a call. `error` is set if it failed. */
export interface CalledSkill extends SkillResult {
  readonly error?: string;
}

/** Returns the callable skills as tools for a model. */
export function callableTools(skills: readonly Skill[]): ModelTool[] {
  return skills.flatMap(({ name, description, input, run }) =>
    input === undefined || run === undefined ? [] : [{ name, description, input }],
  );
}

/**
 * Runs a call of a model. Reports invalid calls and failures to the model as results.
 * @throws NotebookError `cancelled` alone
 */
export async function callSkill(
  skills: readonly Skill[],
  call: Pick<ToolCall, 'input' | 'name' | 'problem'>,
  context: SkillContext,
): Promise<CalledSkill> {
  throwIfCanceled(context.signal);
  const run = skills.find(({ name }) => name === call.name)?.run;
  const names = callableTools(skills).map(({ name }) => name);
  if (run === undefined)
    return failedCall(
      names.length === 0
        ? `There is no tool ${shortenName(call.name)}, and there are no other tools.`
        : `There is no tool ${shortenName(call.name)}. The tools are ${names.join(', ')}.`,
    );
  if (call.problem !== undefined) return failedCall(call.problem);
  try {
    const result = await run(call.input, context);
    return { ...result, text: limitResult(result.text) };
  } catch (error) {
    throwIfCanceled(context.signal);
    if (isCanceled(error)) return failedCall(`${call.name} was stopped.`);
    // Report only our own messages. Other errors may contain details that the model shouldn't see.
    return failedCall(error instanceof NotebookError ? limitResult(error.message) : `${call.name} failed.`);
  }
}

function failedCall(error: string): CalledSkill {
  return { text: error, error };
}

function limitResult(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const omittedLength = text.length - MAX_TEXT_LENGTH;
  return `${text.slice(0, MAX_TEXT_LENGTH)}\n… ${String(omittedLength)} more characters were omitted. Request less at a time.`;
}

function shortenName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
