import type { PlanEdit } from '../../messages/research.ts';
import { ALL_SOURCES, type Plan } from '../../notebook/research.ts';
import {
  addStep,
  changeStep,
  moveStep,
  removeStep,
  splitStep,
  type Edited,
} from '../../researching/plan/edit-plan.ts';

/** What models may use for a step that is added, until the user says otherwise: without these they see the first passages alone. */
const USUAL_TOOLS: readonly string[] = ['search', 'read'];

/**
 * The plan after an edit of the user's. `used` are ids that steps had before.
 * @throws NotebookError `not-found` where the step is gone, `unsupported` where what it is to become makes no sense
 */
export function editedPlan(plan: Plan, edit: PlanEdit, used: readonly string[]): Edited {
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
