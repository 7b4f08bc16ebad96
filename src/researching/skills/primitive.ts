import { computeSkill } from './compute-skill.ts';
import { readingSkills } from './reading-skills.ts';
import { pageSkills } from './page-skills.ts';
import { personSkills } from './person-skills.ts';
import type { Skill } from './skill.ts';
import type { SkillParts } from './skill-parts.ts';
import { tableSkills } from './table-skills.ts';
import { writingSkills } from './writing-skills.ts';

/** The skills that all others are made of. */
export function primitiveSkills({ notebook, tables, pages, more = [] }: SkillParts): readonly Skill[] {
  return [
    ...readingSkills(notebook),
    ...(tables === undefined ? [] : tableSkills(notebook, tables)),
    computeSkill,
    ...(pages === undefined ? [] : pageSkills(notebook, pages)),
    ...writingSkills(notebook),
    ...personSkills,
    ...more,
  ];
}
