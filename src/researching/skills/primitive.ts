import { computeSkill } from './compute-skill.ts';
import { readingSkills } from './reading-skills.ts';
import { personSkills } from './person-skills.ts';
import type { Skill } from './skill.ts';
import type { SkillParts } from './skill-parts.ts';
import { writingSkills } from './writing-skills.ts';

/** The skills that all others are made of. */
export function primitiveSkills({ notebook, more = [] }: SkillParts): readonly Skill[] {
  return [...readingSkills(notebook), computeSkill, ...writingSkills(notebook), ...personSkills, ...more];
}
