import type { ModelTool, ToolCall } from '../../answering/models/language-model.ts';
import { isCancelled, NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import type { Skill, SkillContext, SkillResult } from './skill.ts';

/** UTF-16 code units that the text of a result has at most; what is more is cut, and told. */
const LONGEST_TEXT = 24_000;

/** What came of a call; `error` is what was told instead of a result. */
export interface CalledSkill extends SkillResult {
  readonly error?: string;
}

/** The skills that can be called, as models are told them. */
export function callableTools(skills: readonly Skill[]): ModelTool[] {
  return skills.flatMap(({ name, description, input, run }) =>
    input === undefined || run === undefined ? [] : [{ name, description, input }],
  );
}

/**
 * Does what a model called. Whatever is wrong with the call, or goes wrong with it, is told to the model.
 * @throws NotebookError `cancelled` alone
 */
export async function callSkill(
  skills: readonly Skill[],
  call: Pick<ToolCall, 'input' | 'name' | 'problem'>,
  context: SkillContext,
): Promise<CalledSkill> {
  throwIfCancelled(context.signal);
  const run = skills.find(({ name }) => name === call.name)?.run;
  const names = callableTools(skills).map(({ name }) => name);
  if (run === undefined)
    return failed(
      names.length === 0
        ? `There is no tool ${shortened(call.name)}, and no other.`
        : `There is no tool ${shortened(call.name)}; there are ${names.join(', ')}.`,
    );
  if (call.problem !== undefined) return failed(call.problem);
  try {
    const result = await run(call.input, context);
    return { ...result, text: bounded(result.text) };
  } catch (error) {
    throwIfCancelled(context.signal);
    if (isCancelled(error)) return failed(`${call.name} was stopped.`);
    // Only what we say ourselves is told: other errors may name what is none of the model's business.
    return failed(error instanceof NotebookError ? bounded(error.message) : `${call.name} failed.`);
  }
}

function failed(error: string): CalledSkill {
  return { text: error, error };
}

function bounded(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const left = text.length - LONGEST_TEXT;
  return `${text.slice(0, LONGEST_TEXT)}\n… ${String(left)} more characters were left out: ask for less at once.`;
}

function shortened(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
