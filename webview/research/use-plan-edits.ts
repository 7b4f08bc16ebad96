import { useContext, useRef, useState } from 'preact/hooks';
import type { EditedPlan } from '../../src/features/research/protocol.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { BoardStep, PlanEdit, PlanStep } from '../../src/features/research/model/project.ts';
import { ResearchHostContext } from './host.ts';

/** Local change that isn't on the board yet. `version` is the version of the plan that contains it. */
interface Pending {
  readonly stepId: string;
  readonly change: Partial<PlanStep>;
  readonly version: number;
}

interface PlanEdits {
  /** Makes a change after earlier ones, based on their result. Resolves to undefined if it failed. */
  readonly edit: (edit: PlanEdit) => Promise<EditedPlan | undefined>;
  /** Returns a step with its local changes that aren't on the board yet. */
  readonly withEdits: (step: BoardStep) => BoardStep;
}

/** Collects the changes of a plan on this page. */
export function usePlanEdits(planVersion: number): PlanEdits {
  const host = useContext(ResearchHostContext);
  const version = useRef(planVersion);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [pending, setPending] = useState<readonly Pending[]>([]);
  version.current = Math.max(version.current, planVersion);
  return {
    edit(edit) {
      const own: Pending | undefined =
        edit.kind === 'change' ? { stepId: edit.stepId, change: edit.change, version: Infinity } : undefined;
      if (own !== undefined) setPending((edits) => [...edits, own]);
      const pending = last.current.then(async () => {
        try {
          const edited = await host.client.call('edit', { edit, basedOn: version.current });
          version.current = Math.max(version.current, edited.planVersion);
          setPending((edits) =>
            edits.map((unsent) => (unsent === own ? { ...unsent, version: edited.planVersion } : unsent)),
          );
          return edited;
        } catch (error) {
          host.showProblem(errorMessage(error));
          setPending((edits) => edits.filter((unsent) => unsent !== own));
          return undefined;
        }
      });
      last.current = pending;
      return pending;
    },
    withEdits: (step) =>
      pending.reduce(
        (changed, { stepId, change, version: since }) =>
          stepId === step.id && since > planVersion ? { ...changed, ...change } : changed,
        step,
      ),
  };
}
