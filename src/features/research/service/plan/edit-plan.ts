import { t } from '@vscode/l10n';
import { NotebookError } from '../../../../core/domain/errors.ts';
import { ALL_SOURCES, ANY_QUANTITY, type Plan, type PlanEdit, type PlanStep } from '../../model/project.ts';
import { freeIds, freeName, isSource, productName } from './names.ts';

/*
 * Edits of a plan as pure functions. They don't change the previous plan, so an undo only restores it. After every
 * edit, IDs are unique and stay with their steps, and no two steps produce the same result.
 */

/** Plan after an edit. */
export interface Edited {
  readonly plan: Plan;
  /** Further changes and open ends, one sentence each for the user. */
  readonly notes: readonly string[];
}

/** Default tools of an added step. Without them, a model sees only the first passages. */
const USUAL_TOOLS: readonly string[] = ['search', 'read'];

/** Fields of a step that can be set or changed. */
type StepWords = Partial<Omit<PlanStep, 'id'>>;

/**
 * Adds a step before the one at `at`, or at the end.
 * @param used IDs of former steps, which aren't reused because comments and records may refer to them.
 * @throws NotebookError `unsupported` if its quantity isn't valid.
 */
export function addStep(
  plan: Plan,
  words: StepWords,
  at = plan.steps.length,
  used: readonly string[] = [],
): Edited {
  const id = freeIds([...plan.steps.map((step) => step.id), ...used]).next().value;
  const blank: PlanStep = {
    id,
    action: '',
    target: '',
    materials: [],
    tools: [],
    produces: '',
    quantity: ANY_QUANTITY,
  };
  const notes: string[] = [];
  const step = { ...blank, ...clean(words), produces: ownProduct(plan, id, words.produces ?? '', id, notes) };
  const index = placeWithin(at, plan.steps.length);
  return { plan: { ...plan, steps: plan.steps.toSpliced(index, 0, step) }, notes };
}

/**
 * Changes the fields of a step. If its product is renamed, its users follow.
 * @throws NotebookError `not-found` if the step is gone, `unsupported` if its quantity isn't valid.
 */
export function changeStep(plan: Plan, id: string, words: StepWords): Edited {
  const step = requireStep(plan, id);
  const notes: string[] = [];
  const produces =
    words.produces === undefined ? step.produces : ownProduct(plan, id, words.produces, id, notes);
  const changed: PlanStep = { ...step, ...clean(words), produces };
  const renamed = (product: string): string => (product === step.produces ? produces : product);
  return {
    plan: {
      steps: plan.steps.map((each) => {
        if (each === step) return changed;
        return each.materials.includes(step.produces)
          ? { ...each, materials: [...new Set(each.materials.map(renamed))] }
          : each;
      }),
      parts: plan.parts.map((part) => ({ ...part, product: renamed(part.product) })),
    },
    notes,
  };
}

/**
 * Removes a step. Users of its product use its materials instead. A part of the goal that ended with the step ends with
 * the only product that the step used, if any. The notes report what can't be repaired like this.
 * @throws NotebookError `not-found` if the step is gone.
 */
export function removeStep(plan: Plan, id: string): Edited {
  const removed = requireStep(plan, id);
  const { produces, materials } = removed;
  const remainingSteps = plan.steps.filter((step) => step !== removed);
  const notes: string[] = [];
  const steps = remainingSteps.map((step) => {
    if (!step.materials.includes(produces)) return step;
    const own = materials.filter((material) => material !== step.produces && material !== produces);
    const mended = [
      ...new Set(step.materials.flatMap((material) => (material === produces ? own : [material]))),
    ];
    notes.push(
      own.length === 0
        ? t('Step {0} used “{1}”. Nothing replaces this input.', step.id, produces)
        : t(
            'Step {0} used “{1}”. It now uses the inputs of the deleted step instead: {2}.',
            step.id,
            produces,
            own.join(', '),
          ),
    );
    return { ...step, materials: mended };
  });
  const [product, ...others] = materials.filter((material) => !isSource(material));
  const produced = new Set(remainingSteps.map((step) => step.produces));
  const parts = plan.parts.map((part) => {
    if (part.product !== produces) return part;
    if (product === undefined || others.length > 0 || !produced.has(product)) {
      notes.push(t('The part “{1}” of the goal used “{0}” and no longer has a result.', produces, part.text));
      return part;
    }
    notes.push(t('The part “{0}” of the goal now uses “{1}”.', part.text, product));
    return { ...part, product };
  });
  return { plan: { steps, parts }, notes };
}

/**
 * Moves a step to another position in the list, without changing its dependencies.
 * @throws NotebookError `not-found` if the step is gone.
 */
export function moveStep(plan: Plan, id: string, to: number): Edited {
  const step = requireStep(plan, id);
  const others = plan.steps.filter((each) => each !== step);
  return { plan: { ...plan, steps: others.toSpliced(placeWithin(to, others.length), 0, step) }, notes: [] };
}

/**
 * Splits a step into one for each target, which run in parallel with the same materials. The last step keeps the ID and
 * the product, and uses the products of the others. Users of the product are unaffected.
 * @param used IDs of former steps, which aren't reused.
 * @throws NotebookError `not-found` if the step is gone, `unsupported` if there are fewer than two targets.
 */
export function splitStep(
  plan: Plan,
  id: string,
  targets: readonly string[],
  used: readonly string[] = [],
): Edited {
  const step = requireStep(plan, id);
  const newTargets = targets.map((target) => target.trim()).filter((target) => target !== '');
  const [last] = newTargets.slice(-1);
  if (last === undefined || newTargets.length < 2)
    throw new NotebookError('unsupported', t('To split a step, describe at least two parts.'));
  const ids = freeIds([...plan.steps.map((each) => each.id), ...used]);
  const usedNames = new Set(plan.steps.flatMap((each) => [each.produces, ...each.materials]));
  const before = newTargets.slice(0, -1).map((target): PlanStep => {
    const produces = freeName(`${step.produces || step.id}-part`, usedNames);
    usedNames.add(produces);
    return { ...step, id: ids.next().value, target, produces, quantity: ANY_QUANTITY };
  });
  const whole = {
    ...step,
    target: last,
    materials: [...step.materials, ...before.map(({ produces }) => produces)],
  };
  return {
    plan: { ...plan, steps: plan.steps.flatMap((each) => (each === step ? [...before, whole] : [each])) },
    notes: [],
  };
}

function requireStep({ steps }: Plan, id: string): PlanStep {
  const step = steps.find((each) => each.id === id);
  if (step === undefined) throw new NotebookError('not-found', t('Step {0} is no longer in the plan.', id));
  return step;
}

/** Returns a unique name for a step's product. */
function ownProduct(plan: Plan, id: string, desiredName: string, fallback: string, notes: string[]): string {
  const name = productName(desiredName) || (desiredName.trim() === '' ? `${fallback}-product` : fallback);
  const usedNames = new Set(plan.steps.filter((step) => step.id !== id).map(({ produces }) => produces));
  const free = freeName(name, usedNames);
  if (free !== name)
    notes.push(
      t('Another step already produces “{0}”. The result of this step is now named “{1}”.', name, free),
    );
  return free;
}

/** Cleans the fields of a step: no duplicate inputs or tools, and no surrounding white space. */
function clean(words: StepWords): StepWords {
  const { action, target, materials, tools, quantity, columns } = words;
  if (
    quantity !== undefined &&
    quantity !== ANY_QUANTITY &&
    !(Number.isSafeInteger(quantity) && quantity >= 1)
  )
    throw new NotebookError(
      'unsupported',
      t('The number of items must be a whole number of 1 or more. Leave it empty for any number.'),
    );
  const list = (names: readonly string[]): readonly string[] =>
    [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
  return {
    ...(action !== undefined && { action: action.trim() }),
    ...(target !== undefined && { target: target.trim() }),
    ...(materials !== undefined && { materials: list(materials) }),
    ...(tools !== undefined && { tools: list(tools) }),
    ...(quantity !== undefined && { quantity }),
    ...(columns !== undefined && { columns: list(columns) }),
  };
}

function placeWithin(at: number, length: number): number {
  return Math.max(0, Math.min(length, Math.trunc(at) || 0));
}

/**
 * Returns the plan after the user's edit. `used` contains IDs of earlier steps.
 * @throws NotebookError `not-found` if the step doesn't exist, `unsupported` if the edit isn't valid
 */
export function editPlan(plan: Plan, edit: PlanEdit, used: readonly string[]): Edited {
  switch (edit.kind) {
    case 'add': {
      const at = plan.steps.findIndex(({ id }) => id === edit.after) + 1;
      return addStep(plan, { materials: [ALL_SOURCES], tools: USUAL_TOOLS }, at, used);
    }
    case 'change':
      return changeStep(plan, edit.stepId, edit.change);
    case 'remove':
      return removeStep(plan, edit.stepId);
    case 'move':
      return moveStep(plan, edit.stepId, edit.to);
    case 'split':
      return splitStep(plan, edit.stepId, edit.targets, used);
  }
}
