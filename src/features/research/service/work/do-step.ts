import { t } from '@vscode/l10n';
import { isCanceled, NotebookError, throwIfCanceled } from '../../../../core/domain/errors.ts';
import type { Claim } from '../../model/board.ts';
import type { Holder, PlanStep, Product, Research } from '../../model/project.ts';
import { Actor, type SentBack } from './actor.ts';
import type { WorkContext } from './asking.ts';
import { BudgetExceededError } from './budget.ts';
import { restsOnSource } from '../../../../answers/writing/cited-text.ts';
import { explainFailure, withFallback, restAfter, selfCheck } from './explain.ts';
import { NumberedPassages } from './numbered-passages.ts';
import { checkDraft, toProduct, type Checked } from './verify.ts';

/** Maximum number of submissions of a step. */
const MAX_ATTEMPTS = 3;
/** Maximum number of the user's comments on a step in a prompt. */
const MAX_COMMENTS_SHOWN = 5;

interface StepInput {
  readonly context: WorkContext;
  readonly claim: Pick<Claim, 'materials' | 'step'>;
  readonly research: Pick<Research, 'comments' | 'parts' | 'steps'>;
  readonly holder: Holder;
  /** Called whenever a product is rejected. */
  readonly onSentBack: (reason: string) => Promise<void>;
}

export type StepOutcome =
  | { readonly kind: 'done'; readonly product: Product }
  /** `reason` explains the failure and what the user can do. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Usable submission, and the model's issues with it. */
interface Candidate {
  readonly checked: Checked;
  readonly objections: readonly string[];
}

/** Returns the user's last comments on a step. */
function remarksOn({ id }: PlanStep, { comments }: Pick<Research, 'comments'>): readonly string[] {
  return comments
    .filter(({ stepId }) => stepId === id)
    .slice(-MAX_COMMENTS_SHOWN)
    .map(({ text }) => text);
}

/**
 * Does a step: lets the model submit a product, checks it, and returns it with its problems, at most three times.
 * Throws errors of the model's endpoint and of the budget. Mistakes of the model fail the step.
 */
export async function doStep({
  context,
  claim,
  research,
  holder,
  onSentBack,
}: StepInput): Promise<StepOutcome> {
  const { services, signal } = context;
  const { step, materials: products } = claim;
  const skill = services.library.skills.find(({ name }) => name === step.action);
  if (skill === undefined)
    return failedStep(
      t(
        'The skill “{0}” doesn’t exist. Choose another skill for the step, or do the step yourself.',
        step.action,
      ),
    );
  const numbered = new NumberedPassages();
  const actor = new Actor({
    context,
    step,
    skill,
    products,
    numbered,
    holder,
    remarks: remarksOn(step, research),
  });
  const rest = restAfter(step, research.steps, research.parts);
  const candidates: Candidate[] = [];
  let sentBack: SentBack | undefined;
  let problems: readonly string[] = [];
  for (let attempt = Math.min(step.attempts, MAX_ATTEMPTS - 1) + 1; ; attempt++) {
    const draft = await submittedDraft(actor, sentBack, { hasOther: candidates.length > 0, signal });
    if (draft === undefined) break;
    if (draft.kind === 'gone') return failedStep(draft.reason);
    throwIfCanceled(signal);
    const { said = [] } = actor.materials ?? {};
    const checked = await checkDraft(draft.text, step, {
      context,
      numbered,
      said,
      computations: actor.computations,
    });
    // Skip the self-check for a product that is rejected anyway.
    const isToBeBetter = checked.faults.length > 0 || (checked.doubts.length > 0 && attempt < MAX_ATTEMPTS);
    const objections = isToBeBetter
      ? []
      : await withFallback(selfCheck(context, step, checked.cited.text, rest), [], signal);
    if (checked.faults.length === 0) candidates.push({ checked, objections });
    problems = [...checked.faults, ...checked.doubts, ...objections];
    if (problems.length === 0) break;
    context.record({ kind: 'sent-back', problems, text: draft.text });
    await onSentBack(problems.join(' '));
    if (attempt >= MAX_ATTEMPTS) break;
    const explanation = await withFallback(
      explainFailure(context, step, draft.text, problems),
      undefined,
      signal,
    );
    sentBack = { problems, explanation };
  }
  const best = pickBest(candidates);
  if (best === undefined)
    return failedStep(
      t(
        'The submitted result was rejected: {0} Do the step yourself, change it, or rerun it with another model.',
        problems.join(' '),
      ),
    );
  const notes = [
    ...(actor.materials?.notes ?? []),
    ...actor.notes,
    ...best.checked.restsOn.map((computed) => t('Calculated from figures in the sources: {0}', computed)),
    ...best.objections.map((objection) => t('The model has doubts: {0}', objection)),
  ];
  return {
    kind: 'done',
    product: toProduct(best.checked, step, { createdBy: holder, createdAt: services.now(), notes }),
  };
}

type SubmittedResult =
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'text'; readonly text: string };

/**
 * Returns the model's submission. Undefined if the budget or a pause prevents a better product than the existing one,
 * which is already paid for.
 */
async function submittedDraft(
  actor: Actor,
  sentBack: SentBack | undefined,
  { hasOther, signal }: { readonly hasOther: boolean; readonly signal: AbortSignal },
): Promise<SubmittedResult | undefined> {
  try {
    return { kind: 'text', text: await actor.submit(sentBack) };
  } catch (error) {
    if (hasOther && !signal.aborted && (error instanceof BudgetExceededError || isCanceled(error)))
      return undefined;
    if (!(error instanceof NotebookError)) throw error;
    // The step's inputs were deleted, so another attempt can't succeed.
    if (error.code === 'not-found' && actor.materials === undefined)
      return { kind: 'gone', reason: error.message };
    // An empty reply is the model's mistake.
    if (error.code === 'empty') return { kind: 'text', text: '' };
    throw error;
  }
}

/**
 * Picks the candidate with the most supported statements. Of equal ones, the last, because the model has fewer issues
 * with it.
 */
function pickBest(candidates: readonly Candidate[]): Candidate | undefined {
  const worth = ({ checked, objections }: Candidate): number =>
    checked.cited.statements.filter(restsOnSource).length - objections.length;
  return candidates.reduce<Candidate | undefined>(
    (best, candidate) => (best === undefined || worth(candidate) >= worth(best) ? candidate : best),
    undefined,
  );
}

function failedStep(reason: string): StepOutcome {
  return { kind: 'failed', reason };
}
