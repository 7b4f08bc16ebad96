import type { ComposedSkill, Skill, SkillLibrary } from './skill.ts';
import { computeSkill } from './compute-skill.ts';
import { readingSkills } from './reading-skills.ts';
import { pageSkills } from './page-skills.ts';
import type { SkillParts } from './skill-parts.ts';
import { tableSkills } from './table-skills.ts';
import { writingSkills } from './writing-skills.ts';
import { languageOfText, termsIn, weighTerms } from '../../../../core/language/words/words.ts';

/** Skills whose steps only people can do. */
const PERSON_SKILLS: readonly Skill[] = [
  {
    name: 'ask-user',
    description:
      'Asks the user for something that no source says, such as a choice or a preference. The answer is the result.',
    guide: 'Answer the question in one or more sentences. Your answer counts as your own statement.',
    isForUser: true,
  },
  {
    name: 'do-by-hand',
    description:
      'Asks the user to do something that no skill can do, such as run a program or take a measurement. The outcome is the result.',
    guide: 'Do the task of the step, then write down the outcome: figures, output, and observations.',
    isForUser: true,
  },
];

/** Returns the skills that composed skills consist of. */
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

/**
 * Builds the library of skills for a research project. Ignores a composed skill if another skill or an earlier
 * composed one has its name, or if it needs a missing skill. A missing tool only means that steps can't use it.
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
  // Removing a skill also removes those that use it.
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

/** Returns the composed skills whose names and descriptions best match a goal or a step, best first. */
export function findSkills(words: string, { composed }: SkillLibrary, limit = 5): readonly ComposedSkill[] {
  return bestDescribed(words, composed, limit);
}

/** Returns the items whose names and descriptions best match some words, best first. */
export function bestDescribed<Described extends { readonly name: string; readonly description: string }>(
  words: string,
  skills: readonly Described[],
  limit: number,
): readonly Described[] {
  const language = languageOfText(words);
  const queryTerms = [...new Set(termsIn(words, language))];
  const units = skills.map(
    ({ name, description }) => new Set(termsIn(`${name.replaceAll('-', ' ')} ${description}`, language)),
  );
  const weight = weighTerms(units);
  return skills
    .map((skill, i) => {
      const matchedTerms = queryTerms.filter((term) => units[i]?.has(term) === true);
      return { one: skill, score: matchedTerms.reduce((sum, term) => sum + weight(term), 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ one }) => one);
}
