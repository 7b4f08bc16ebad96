import type { Skill } from './skill.ts';

/** The skills whose steps only people do. */
export const personSkills: readonly Skill[] = [
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
