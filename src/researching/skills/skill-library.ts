import type { ComposedSkill, Skill, SkillLibrary } from './skill.ts';

/**
 * All skills that a research may use. The first of several composed ones with a name is taken, and none with the name of
 * another skill; one that needs a skill that is not there is left out, whereas tools that are not there are only not used.
 */
export function skillLibrary(skills: readonly Skill[], composed: readonly ComposedSkill[]): SkillLibrary {
  const actions = new Set(
    skills
      .filter(({ guide, isForUser }) => guide !== undefined || isForUser === true)
      .map(({ name }) => name),
  );
  const tools = new Set(skills.filter(({ run }) => run !== undefined).map(({ name }) => name));
  const names = new Set(skills.map(({ name }) => name));
  const own = new Map<string, ComposedSkill>();
  for (const skill of composed)
    if (!names.has(skill.name) && !own.has(skill.name)) own.set(skill.name, skill);
  // One that is left out takes those along that are made of it.
  for (let before = -1; before !== own.size;) {
    before = own.size;
    for (const [name, { steps }] of own)
      if (!steps.every(({ action }) => actions.has(action) || own.has(action))) own.delete(name);
  }
  return {
    skills,
    composed: [...own.values()].map((skill) => ({
      ...skill,
      steps: skill.steps.map((step) => ({ ...step, tools: step.tools.filter((tool) => tools.has(tool)) })),
    })),
  };
}
