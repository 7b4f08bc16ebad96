import { t } from '@vscode/l10n';
import {
  ALL_SOURCES,
  ANY_QUANTITY,
  SOURCE_PREFIX,
  type Objection,
  type Plan,
  type PlanStep,
} from '../../model/project.ts';
import type { ComposedSkill, SkillLibrary } from '../skills/skill.ts';
import { freeName, isSource, nameKey } from './names.ts';

/** Maximum nesting of composed skills, and maximum number of steps that one step expands to. */
const MAX_DEPTH = 6;
const MAX_STEPS = 120;

/**
 * Expands each step with a composed skill into the steps of the skill: `s3.1`, `s3.2`, and so on. The last one makes
 * the product of the original step. An input that the materials don't name is the product of that name, if there is
 * one. Otherwise a skill whose product has that name makes it first, or the remaining materials are used. Leaves steps
 * of endlessly recursive skills unchanged; the critic reports them.
 */
export function expandComposed(plan: Plan, library: SkillLibrary): Plan {
  const composed = new Map(library.composed.map((skill) => [skill.name, skill]));
  const usedNames = new Set(plan.steps.flatMap(({ produces, materials }) => [produces, ...materials]));
  let stepCount = plan.steps.length;
  const expand = (step: PlanStep, within: readonly string[]): PlanStep[] => {
    const skill = composed.get(step.action);
    const isAtEnd = within.length >= MAX_DEPTH || stepCount >= MAX_STEPS;
    if (skill === undefined || skill.steps.length === 0 || isAtEnd || within.includes(skill.name))
      return [step];
    const inner = [...within, skill.name];
    const inputs = resolveInputs(skill, step, { plan, library, usedNames, within: inner });
    stepCount += inputs.first.length + skill.steps.length;
    const steps = [...inputs.first, ...ownSteps(skill, step, inputs, usedNames)];
    return steps.flatMap((each, i) => expand({ ...each, id: `${step.id}.${String(i + 1)}` }, inner));
  };
  return {
    ...plan,
    steps: plan.steps.flatMap((step) =>
      explainCycle(composed.get(step.action), library) === undefined ? expand(step, []) : [step],
    ),
  };
}

/** Returns the issues of a plan, with those of an expanded step attached to its first part. */
export function objectionsTo({ steps }: Plan, objections: readonly Objection[]): readonly Objection[] {
  return objections.map((objection) => {
    const { stepId } = objection;
    if (stepId === undefined || steps.some(({ id }) => id === stepId)) return objection;
    return { ...objection, stepId: steps.find(({ id }) => id.startsWith(`${stepId}.`))?.id };
  });
}

/** Explains in one sentence why a composed skill can't be expanded into steps; undefined if it can. */
export function explainCycle(skill: ComposedSkill | undefined, library: SkillLibrary): string | undefined {
  const composed = new Map(library.composed.map((each) => [each.name, each]));
  let visitedCount = 0;
  const look = (each: ComposedSkill, within: readonly string[]): string | undefined => {
    if (within.includes(each.name))
      return t('The skill “{0}” contains itself: {1}.', each.name, [...within, each.name].join(' → '));
    if (within.length >= MAX_DEPTH || ++visitedCount > MAX_STEPS)
      return t('The skill “{0}” contains too many other skills.', within[0] ?? each.name);
    for (const { action } of each.steps) {
      const inner = composed.get(action);
      const why = inner === undefined ? undefined : look(inner, [...within, each.name]);
      if (why !== undefined) return why;
    }
    return undefined;
  };
  return skill === undefined ? undefined : look(skill, []);
}

/** Returns the final product of a composed skill. */
function finalProduct({ steps }: ComposedSkill): string | undefined {
  return steps.findLast(({ produces }) => !steps.some(({ materials }) => materials.includes(produces)))
    ?.produces;
}

interface ExpansionContext {
  readonly plan: Plan;
  readonly library: SkillLibrary;
  readonly usedNames: Set<string>;
  /** Skills that are being expanded. None of them can make an input. */
  readonly within: readonly string[];
}

interface Inputs {
  /** Material for each input. */
  readonly filled: ReadonlyMap<string, string>;
  /** Steps that produce missing inputs. */
  readonly first: readonly PlanStep[];
  /** Products among the step's materials that no input uses. */
  readonly rest: readonly string[];
}

/**
 * Finds the material for each input of a skill: a material of the step, a product of the plan, or a product to make
 * first.
 */
function resolveInputs(
  { inputs }: ComposedSkill,
  step: PlanStep,
  { plan, library, usedNames, within }: ExpansionContext,
): Inputs {
  const filled = new Map<string, string>();
  const first: PlanStep[] = [];
  const unusedInputs = [...step.materials];
  const take = (name: string, matches: (material: string) => boolean): boolean => {
    const at = unusedInputs.findIndex(matches);
    const [material] = at < 0 ? [] : unusedInputs.splice(at, 1);
    if (material !== undefined) filled.set(name, material);
    return material !== undefined;
  };
  for (const { name } of inputs) take(name, (material) => nameKey(material) === nameKey(name));
  const later = dependentProducts(plan, step.produces);
  for (const { name, description } of inputs) {
    if (filled.has(name) || take(name, (material) => !isSource(material) && sharesWord(material, name)))
      continue;
    const producingStep = plan.steps.find(
      ({ produces }) => nameKey(produces) === nameKey(name) && !later.has(produces),
    );
    const maker = producingStep === undefined ? findMaker(name, library, within) : undefined;
    if (producingStep !== undefined) filled.set(name, producingStep.produces);
    else if (maker !== undefined) {
      const produces = freeName(name, usedNames);
      usedNames.add(produces);
      filled.set(name, produces);
      const sources = step.materials.filter(isSource);
      first.push({
        id: '',
        action: maker,
        target: `${description}: ${step.target}`,
        materials: sources.length === 0 ? [ALL_SOURCES] : sources,
        tools: [],
        produces,
        quantity: ANY_QUANTITY,
      });
    } else if (
      !take(name, (material) => !isSource(material)) &&
      !take(name, isSource) &&
      nameKey(name) === ALL_SOURCES
    )
      filled.set(name, ALL_SOURCES);
  }
  return { filled, first, rest: unusedInputs.filter((material) => !isSource(material)) };
}

/** Reports whether two names share a word: `terms-found` and `terms-explained`. */
function sharesWord(a: string, b: string): boolean {
  const words = new Set(a.split('-'));
  return b.split('-').some((word) => words.has(word));
}

/** Returns a product and everything that depends on it. */
function dependentProducts({ steps }: Plan, product: string): ReadonlySet<string> {
  const derived = new Set([product]);
  // The loop also visits products that it adds to the set.
  for (const each of derived)
    for (const { produces, materials } of steps) if (materials.includes(each)) derived.add(produces);
  return derived;
}

/** Finds the composed skill whose final product has a name. */
function findMaker(input: string, library: SkillLibrary, within: readonly string[]): string | undefined {
  const key = nameKey(input);
  const makes = (skill: ComposedSkill): boolean =>
    !within.includes(skill.name) && nameKey(finalProduct(skill) ?? '') === key;
  return library.composed.find(makes)?.name;
}

/** Returns the steps of a composed skill, with its inputs filled in and with unique product names. */
function ownSteps(
  skill: ComposedSkill,
  step: PlanStep,
  { filled, rest }: Inputs,
  usedNames: Set<string>,
): PlanStep[] {
  const final = finalProduct(skill) ?? skill.steps.at(-1)?.produces;
  const names = new Map(filled);
  for (const { produces } of skill.steps) {
    if (names.has(produces) && produces !== final) continue;
    const name = produces === final ? step.produces : freeName(`${step.produces}-${produces}`, usedNames);
    usedNames.add(name);
    names.set(produces, name);
  }
  const sources = step.materials.filter(isSource);
  // Materials that no input uses go to the steps that read the sources, or else to the first step.
  const reading = skill.steps.filter(({ materials }) => materials.includes(ALL_SOURCES));
  const readsRest = new Set(reading.length > 0 ? reading : skill.steps.slice(0, 1));
  return skill.steps.map((each) => ({
    id: '',
    action: each.action,
    target: filledWords(each.target, step, skill, filled),
    materials: [
      ...new Set([
        ...each.materials.flatMap((material) =>
          material === ALL_SOURCES && sources.length > 0 ? sources : [names.get(material) ?? material],
        ),
        ...(readsRest.has(each) ? rest : []),
      ]),
    ],
    tools: each.tools,
    produces: names.get(each.produces) ?? each.produces,
    quantity: each.produces === final && step.quantity !== ANY_QUANTITY ? step.quantity : each.quantity,
    ...(each.produces === final && step.columns !== undefined && { columns: step.columns }),
  }));
}

/** Fills in a target: the step's own words for `{target}`, and a product's name for an input. Other braces stay. */
function filledWords(
  target: string,
  step: PlanStep,
  { inputs }: ComposedSkill,
  filled: ReadonlyMap<string, string>,
): string {
  return target.replaceAll(/\{([^{}]{1,60})\}/g, (whole, name: string) => {
    if (name === 'target') return step.target;
    const product = filled.get(name);
    if (product?.startsWith(SOURCE_PREFIX) !== true) return product ?? whole;
    return inputs.find((input) => input.name === name)?.description ?? whole;
  });
}
