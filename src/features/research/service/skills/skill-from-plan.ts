import { plainWords } from '../../../../core/language/words/folding.ts';
import { ALL_SOURCES, ANY_QUANTITY, SOURCE_PREFIX, type Plan, type PlanStep } from '../../model/project.ts';
import type { ComposedSkill } from './skill.ts';

const MAX_NAME_LENGTH = 50;
const MAX_DESCRIPTION_LENGTH = 300;

/**
 * Converts the plan of a completed research project to a skill. Single sources become all sources, the goal becomes the
 * step's target, steps that don't contribute are omitted, and several ends are combined. Undefined for a plan without
 * steps.
 */
export function skillFromPlan({ steps, parts }: Plan, goal: string): ComposedSkill | undefined {
  const needed = stepsTo(
    steps,
    parts.map(({ product }) => product),
  );
  const ends = needed
    .map(({ produces }) => produces)
    .filter((product) => !needed.some(({ materials }) => materials.includes(product)));
  const skillSteps = needed.map(({ action, target, materials, tools, produces, quantity }) => ({
    action,
    target: withGoal(target, goal),
    materials: [
      ...new Set(materials.map((input) => (input.startsWith(SOURCE_PREFIX) ? ALL_SOURCES : input))),
    ],
    tools,
    produces,
    quantity,
  }));
  const last = skillSteps.at(-1);
  if (last === undefined) return undefined;
  const names = new Set(skillSteps.map(({ produces }) => produces));
  const whole = {
    action: 'write-section',
    target: '{target}',
    materials: ends,
    tools: [],
    produces: names.has('whole') ? `whole-${String(skillSteps.length)}` : 'whole',
    quantity: ANY_QUANTITY,
  };
  return {
    name: proposeName(goal),
    description: oneLine(goal).slice(0, MAX_DESCRIPTION_LENGTH),
    inputs: [],
    steps: ends.length > 1 ? [...skillSteps, whole] : skillSteps,
  };
}

/** Returns the steps that lead to some products, in order. */
function stepsTo(steps: readonly PlanStep[], products: readonly string[]): readonly PlanStep[] {
  const neededProducts = new Set(products);
  // The loop also visits products that it adds to the set.
  for (const product of neededProducts)
    for (const { produces, materials } of steps)
      if (produces === product) for (const material of materials) neededProducts.add(material);
  return steps.filter(({ produces }) => neededProducts.has(produces));
}

/** Replaces the goal in a step's target with a placeholder, and other braces, which look like placeholders. */
function withGoal(target: string, goal: string): string {
  const plain = oneLine(target);
  const words = oneLine(goal).replace(/[.?!]{1,3}$/, '');
  const at = words === '' ? -1 : plain.toLowerCase().indexOf(words.toLowerCase());
  const escapeBraces = (part: string): string => part.replaceAll('{', '(').replaceAll('}', ')');
  return at < 0
    ? escapeBraces(plain)
    : `${escapeBraces(plain.slice(0, at))}{target}${escapeBraces(plain.slice(at + words.length))}`;
}

function proposeName(goal: string): string {
  const words = plainWords(goal).filter((word) => /^[a-z\d]{1,40}$/.test(word));
  let name = '';
  for (const word of words.slice(0, 6)) {
    if (name.length + 1 + word.length > MAX_NAME_LENGTH) break;
    name += name === '' ? word : `-${word}`;
  }
  return name === '' ? 'saved-skill' : name;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
