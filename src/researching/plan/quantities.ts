import { ANY_QUANTITY, type Plan } from '../../notebook/research.ts';
import { findMakers } from './names.ts';

/** By step, how many of each material one of its products takes, where that was told. */
export type Amounts = ReadonlyMap<string, Map<string, number>>;

/**
 * A plan in which what was left open is told where the steps after it determine it: the sum of what these take. Two steps
 * that make 2 and 3 rows of one finding each need 5 findings. Where one of them does not tell how many it takes, or is to
 * make an unknown number itself, the quantity stays open.
 */
export function fillQuantities(plan: Plan, amounts: Amounts): Plan {
  const quantities = new Map(plan.steps.map(({ id, quantity }) => [id, quantity]));
  const makers = findMakers(plan.steps);
  const ends = new Set(plan.parts.map(({ product }) => product));
  const users = new Map(
    plan.steps.map((step) => [
      step.id,
      plan.steps.filter(({ materials }) => materials.includes(step.produces)),
    ]),
  );
  // From the ends backward; each round settles a step at least, and a circle never settles.
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const step of plan.steps) {
      const using = users.get(step.id) ?? [];
      const isOpen = quantities.get(step.id) === ANY_QUANTITY && makers.get(step.produces) === step;
      // What is an end itself may be wanted whole.
      if (!isOpen || using.length === 0 || ends.has(step.produces)) continue;
      const needed = using.reduce((sum, { id }) => {
        const amount = amounts.get(id)?.get(step.produces) ?? Number.NaN;
        const count = quantities.get(id) ?? ANY_QUANTITY;
        return sum + (count < 1 ? Number.NaN : amount * count);
      }, 0);
      if (!Number.isSafeInteger(needed) || needed < 1) continue;
      quantities.set(step.id, needed);
      isSettled = false;
    }
  }
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, quantity: quantities.get(step.id) ?? step.quantity })),
  };
}
