import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { NotebookError } from '../../../../core/domain/errors.ts';
import type { Skill, SkillContext, SkillResult } from './skill.ts';

interface CheckedSkill<Schema extends v.GenericSchema> extends Pick<Skill, 'description' | 'guide' | 'name'> {
  readonly input: Schema;
  readonly run: (input: v.InferOutput<Schema>, context: SkillContext) => Promise<SkillResult>;
}

/** Wraps a skill so that it only runs with input that fits its schema. Reports other input in one sentence. */
export function checkedSkill<Schema extends v.GenericSchema>({
  input,
  run,
  ...definition
}: CheckedSkill<Schema>): Skill {
  // JSON Schema is for the model. Constraints that it can't express are reported at the call.
  const schema = Object.entries(toJsonSchema(input, { errorMode: 'ignore' }));
  return {
    ...definition,
    input: Object.fromEntries(schema.filter(([key]) => key !== '$schema')),
    run: async (values, context) => {
      const read = v.safeParse(input, values);
      if (!read.success)
        throw new NotebookError('unsupported', describeIssue(definition.name, read.issues[0]));
      return await run(read.output, context);
    },
  };
}

function describeIssue(name: string, issue: v.BaseIssue<unknown>): string {
  const at = v.getDotPath(issue);
  const where = at === null ? '' : `"${at}" `;
  const expected = issue.expected === null ? issue.message : `must be ${issue.expected}`;
  return `${name} doesn’t accept this input: ${where}${expected}, but received ${issue.received}.`;
}
