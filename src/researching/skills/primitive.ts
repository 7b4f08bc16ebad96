import { computeSkill } from './compute-skill.ts';
import { readingSkills } from './reading-skills.ts';
import { pageSkills } from './page-skills.ts';
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
    ...PERSON_SKILLS,
    ...more,
  ];
}

/** The skills whose steps only people do. */
const PERSON_SKILLS: readonly Skill[] = [
  {
    name: 'ask-user',
    description:
      'Asks the user what no source can tell: a choice, a preference, what is known to them alone; the answer is the product.',
    guide: 'Answer the question in a sentence or more. What you write is taken as said by you.',
    isForUser: true,
  },
  {
    name: 'do-by-hand',
    description:
      'Has the user do what no skill does, such as to run a program, to measure or to look at a thing; what came of it is the product.',
    guide: 'Do what the step says, and write down what came of it: figures, output, what you saw.',
    isForUser: true,
  },
];
