import { t } from '@vscode/l10n';
import {
  ALL_SOURCES,
  ANY_QUANTITY,
  SOURCE_PREFIX,
  type GoalPart,
  type Objection,
  type Plan,
  type PlanStep,
} from '../../model/project.ts';
import type { Source } from '../../../../core/domain/source.ts';
import type { SkillLibrary } from '../skills/skill.ts';
import { expandComposed, explainCycle } from './expand-composed.ts';
import { isSource, findMakers, nameKey } from './names.ts';

interface Criticized {
  readonly goal: string;
  readonly sources: readonly Pick<Source, 'id'>[];
  readonly library: SkillLibrary;
}

type Rule = Objection['rule'];

/** Returns the issues of a plan that rules can find. Empty if all steps can be done. */
export function critiquePlan(plan: Plan, { goal, sources, library }: Criticized): readonly Objection[] {
  const { steps } = plan;
  const object = (rule: Rule, text: string, stepId?: string): Objection => ({ stepId, rule, text });
  if (steps.length === 0) return [object('empty', t('The plan has no steps.'))];
  const known = new Set(sources.map(({ id }) => SOURCE_PREFIX + id));
  const makers = findMakers(steps);
  const skills = new Map(library.skills.map((skill) => [skill.name, skill]));
  const composed = new Map(library.composed.map((skill) => [skill.name, skill]));
  const isSkill = (name: string): boolean => skills.has(name) || composed.has(name);
  const names = [...makers.keys()];
  const circular = circles(steps, makers);
  const deeds = new Map(steps.toReversed().map((step) => [stepDeed(step), step]));
  const used = usedIn(plan);
  const lacking = inputsThatLack(plan, library);
  const ids = new Map(steps.toReversed().map((step) => [step.id, step]));

  const ofStep = (step: PlanStep, index: number): Objection[] => {
    const { id, action, target, materials, tools, produces, quantity } = step;
    const issues: Objection[] = [];
    const add = (rule: Rule, text: string): void => void issues.push(object(rule, text, id));
    if (id === '') add('empty', t('Step {0} has no ID.', index + 1));
    if (ids.get(id) !== step) add('duplicate', t('Two steps have the ID {0}.', id));

    const composedAction = composed.get(action);
    if (action === '') add('empty', t('Step {0} has no skill.', id));
    else if (!isSkill(action))
      add('skill', t('Step {0} uses the skill “{1}”, which doesn’t exist.', id, action));
    else if (composedAction === undefined && !isAction(skills.get(action)))
      add(
        'skill',
        t('Step {0} can’t use the skill “{1}” because it’s only available as a tool.', id, action),
      );
    else if (composedAction !== undefined) {
      const why = explainCycle(composedAction, library);
      if (why !== undefined) add('circle', why);
      for (const input of lacking.get(id) ?? [])
        add(
          'material',
          t(
            'The skill “{1}” of step {0} needs “{2}”. Add a step that produces it, and add it to the inputs of step {0}.',
            id,
            action,
            input,
          ),
        );
    }

    if (target.trim() === '') add('empty', t('Step {0} has no task description.', id));
    const pointed = pointsTo(target, ids, id);
    if (pointed !== undefined)
      add(
        'words',
        t(
          'The task of step {0} refers to “{1}”, which isn’t visible when the step runs. Describe what you mean instead.',
          id,
          pointed,
        ),
      );

    for (const material of new Set(materials)) {
      if (material === ALL_SOURCES || known.has(material)) continue;
      if (material.trim() === '') add('empty', t('Step {0} has an input without a name.', id));
      else if (material.startsWith(SOURCE_PREFIX))
        add('material', t('Step {0} uses a source that isn’t in the notebook: “{1}”.', id, material));
      else if (makers.has(material)) continue;
      else if (isSkill(material))
        add('material-or-tool', t('Step {0} uses “{1}” as an input, but “{1}” is a skill.', id, material));
      else add('material', missing(id, material, names));
    }
    if (new Set(materials).size < materials.length)
      add('duplicate', t('Step {0} lists the same input twice.', id));

    for (const tool of new Set(tools)) {
      if (skills.get(tool)?.run !== undefined) continue;
      if (makers.has(tool) || isSource(tool))
        add(
          'material-or-tool',
          t('Step {0} uses “{1}” as a tool, but “{1}” is a source or a result.', id, tool),
        );
      else if (isSkill(tool))
        add(
          'skill',
          t('Step {0} can’t use the skill “{1}” as a tool because it’s only available as a step.', id, tool),
        );
      else add('skill', t('Step {0} uses the tool “{1}”, which doesn’t exist.', id, tool));
    }

    if (produces === '') add('empty', t('Step {0} has no name for its result.', id));
    else if (isSource(produces) || isSkill(produces))
      add(
        'material-or-tool',
        t('Step {0} produces “{1}”, but that’s the name of a source or a skill.', id, produces),
      );
    const maker = makers.get(produces);
    if (maker !== undefined && maker !== step)
      add('duplicate', t('Steps {0} and {1} both produce “{2}”.', maker.id, id, produces));
    const same = deeds.get(stepDeed(step));
    if (same !== undefined && same !== step)
      add('duplicate', t('Steps {0} and {1} do the same task.', same.id, id));

    if (quantity !== ANY_QUANTITY && !(Number.isSafeInteger(quantity) && quantity >= 1))
      add(
        'quantity',
        t('Step {0} asks for {1} items. Enter a whole number of 1 or more, or leave it empty.', id, quantity),
      );

    const isUsed = used.get(produces)?.some((by) => by !== step) === true;
    if (produces !== '' && !isUsed)
      add(
        'unused',
        t('No other step and no part of the goal uses “{0}”, the result of step {1}.', produces, id),
      );
    return issues;
  };

  const ofCircles = circular.map((circle) =>
    circle.length === 1
      ? object('circle', t('Step {0} needs its own result as an input.', circle[0] ?? ''), circle[0])
      : object('circle', t('Steps {0} wait for each other.', circle.join(', ')), circle[0]),
  );
  return [...steps.flatMap(ofStep), ...ofCircles, ...ofParts(plan, goal, makers)];
}

/** Returns the inputs of composed skills that nothing produces, by the step that uses the skill. */
function inputsThatLack(plan: Plan, library: SkillLibrary): ReadonlyMap<string, readonly string[]> {
  const expanded = expandComposed(plan, library).steps;
  const makers = findMakers(expanded);
  return new Map(
    plan.steps.map(({ id, materials }) => {
      const own = expanded.filter((step) => step.id.startsWith(`${id}.`));
      const needed = new Set(own.flatMap((step) => step.materials));
      return [
        id,
        [...needed].filter((need) => !isSource(need) && !makers.has(need) && !materials.includes(need)),
      ];
    }),
  );
}

/** Returns the users of each product: steps and parts of the goal. */
function usedIn({ steps, parts }: Plan): ReadonlyMap<string, readonly (GoalPart | PlanStep)[]> {
  const used = new Map<string, (GoalPart | PlanStep)[]>();
  const add = (product: string, by: GoalPart | PlanStep): void => {
    const known = used.get(product);
    if (known === undefined) used.set(product, [by]);
    else known.push(by);
  };
  for (const step of steps) for (const material of step.materials) add(material, step);
  for (const part of parts) add(part.product, part);
  return used;
}

/** Returns the issues with the parts of the goal. Each part needs a product. */
function ofParts({ parts }: Plan, goal: string, makers: ReadonlyMap<string, PlanStep>): Objection[] {
  const object = (text: string): Objection => ({ stepId: undefined, rule: 'goal-part', text });
  if (parts.length === 0)
    return [object(t('The plan doesn’t say which result achieves the goal “{0}”.', goal))];
  return parts.flatMap(({ text, product }, index) => {
    if (text.trim() === '') return [object(t('Part {0} of the goal has no text.', index + 1))];
    if (product === '') return [object(t('No result is assigned to this part of the goal: “{0}”.', text))];
    if (!makers.has(product))
      return [
        object(
          t('The part “{0}” of the goal needs the result “{1}”, but no step produces it.', text, product),
        ),
      ];
    return [];
  });
}

/** Reports whether steps can use a skill: it has a guide, or is for people. */
function isAction(skill: SkillLibrary['skills'][number] | undefined): boolean {
  return skill !== undefined && (skill.guide !== undefined || skill.isForUser === true);
}

/** Returns the message about a missing material, with the product that may be meant. */
function missing(id: string, material: string, products: readonly string[]): string {
  const key = nameKey(material);
  const meant = products.find((product) => {
    const other = nameKey(product);
    return key !== '' && (other === key || other === `${key}s` || `${other}s` === key);
  });
  return meant === undefined
    ? t('Step {0} needs “{1}”, but it isn’t a source and no step produces it.', id, material)
    : t('Step {0} needs “{1}”, but no step produces it. Did you mean “{2}”?', id, material, meant);
}

/** Returns a key that is equal for two steps that would do the same. */
function stepDeed({ action, target, materials }: PlanStep): string {
  return JSON.stringify([action, nameKey(target), materials.toSorted()]);
}

/**
 * Returns the words of a target that refer to another existing step, such as "step 2" or "s2"; undefined if there are
 * none.
 */
function pointsTo(target: string, ids: ReadonlyMap<string, PlanStep>, own: string): string | undefined {
  for (const [words, number = ''] of target.matchAll(
    /(?<![\p{L}\p{N}])(?:[Ss]tep\s|[Ss])(\d{1,3}(?:\.\d{1,3})*)(?![\p{L}\p{N}])/gu,
  )) {
    const id = `s${number}`;
    // "S1" and "S2" may be names of trains, or of sources in prompts.
    if (!/^S\d/.test(words) && id !== own && ids.has(id)) return words;
  }
  return undefined;
}

/**
 * Finds the steps that wait for each other, each cycle once: the strongly connected components (Tarjan's algorithm,
 * without recursion).
 */
function circles(steps: readonly PlanStep[], makers: ReadonlyMap<string, PlanStep>): string[][] {
  const before = new Map(
    steps.map((step) => [
      step,
      [...new Set(step.materials)].flatMap((material) =>
        isSource(material) ? [] : (makers.get(material) ?? []),
      ),
    ]),
  );
  const order = new Map<PlanStep, number>();
  const lowest = new Map<PlanStep, number>();
  const open: PlanStep[] = [];
  const isOpen = new Set<PlanStep>();
  const cycles: string[][] = [];
  for (const root of steps) {
    if (order.has(root)) continue;
    const path = [{ step: root, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { step } = top;
      if (!order.has(step)) {
        lowest.set(step, order.size);
        order.set(step, order.size);
        open.push(step);
        isOpen.add(step);
      }
      const other = before.get(step)?.[top.next++];
      if (other !== undefined) {
        if (!order.has(other)) path.push({ step: other, next: 0 });
        else if (isOpen.has(other)) lowest.set(step, Math.min(lowest.get(step) ?? 0, order.get(other) ?? 0));
        continue;
      }
      path.pop();
      const below = path.at(-1)?.step;
      if (below !== undefined) lowest.set(below, Math.min(lowest.get(below) ?? 0, lowest.get(step) ?? 0));
      if (lowest.get(step) !== order.get(step)) continue;
      const circle = open.splice(open.indexOf(step));
      for (const each of circle) isOpen.delete(each);
      if (circle.length > 1 || before.get(step)?.includes(step) === true)
        cycles.push(steps.filter((each) => circle.includes(each)).map(({ id }) => id));
    }
  }
  return cycles;
}
