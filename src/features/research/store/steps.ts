import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Holder, Product, ResearchState } from '../model/project.ts';
import type { Claim, SubmitOutcome, ResearchBoard } from '../model/board.ts';
import type { Row } from '../../../index/store/database/database.ts';
import { storedScope, readJson, readOptionalJson } from '../../../index/store/database/stored-json.ts';
import { storedOptions, storedResearchState, LOST_OPTIONS } from './stored-json.ts';
import type { ResearchChanges } from './changes.ts';
import { Pairs, type PairedIn } from './pairs.ts';
import { findProduct, toProduct, writeProduct } from './products.ts';
import { writeUserAction } from './records.ts';
import { boardSteps, isHeld, storedSteps, dependentSteps, stepStates, type StoredStep } from './states.ts';

type StepBoard = Pick<
  ResearchBoard,
  | 'claimStep'
  | 'draftStep'
  | 'failStep'
  | 'giveBackStep'
  | 'submitStep'
  | 'dependentSteps'
  | 'putProduct'
  | 'redoStep'
  | 'renewStep'
  | 'sendBackStep'
>;

type ClaimParams = Parameters<ResearchBoard['claimStep']>[0];

/** Claimed step. */
interface HeldStep {
  readonly researchId: string;
  readonly stepId: string;
}

/** Creates the part of the board for claiming steps and submitting results. */
export function stepBoard(changes: ResearchChanges): StepBoard {
  const { sql } = changes;
  const pairs = new Pairs(sql);

  function steps(researchId: string): StoredStep[] {
    return storedSteps(sql, researchId);
  }

  /** Returns the holder of a step. */
  function findHolder(researchId: string, stepId: string): Holder | undefined {
    return steps(researchId).find(({ step }) => step.id === stepId)?.holder;
  }

  /** Returns the step of a claim; undefined if another claim replaced it, or the step was changed or removed. */
  function findHeldStep(token: string): HeldStep | undefined {
    const row = sql.get(
      "SELECT research_id, id FROM research_steps WHERE token = ? AND state = 'in-progress' AND place IS NOT NULL",
      token,
    );
    return row && { researchId: String(row['research_id']), stepId: String(row['id']) };
  }

  /** Runs work on the step of a claim; undefined if the claim is no longer valid. */
  function withHeldStep<T>(token: string, action: (heldStep: HeldStep) => T): T | undefined {
    return changes.transaction(() => {
      const heldStep = findHeldStep(token);
      if (heldStep === undefined) return undefined;
      const result = action(heldStep);
      changes.touch(heldStep.researchId);
      return result;
    });
  }

  function pairedIn(row: Row): PairedIn {
    const products = sql.all(
      'SELECT id, text FROM research_products WHERE research_id = ?',
      String(row['id']),
    );
    return {
      scope: readOptionalJson(storedScope, row['scope']),
      keepsUnsupported: readJson(storedOptions, row['options'], LOST_OPTIONS).keepsUnsupported,
      productTexts: new Map(products.map(({ id, text }) => [String(id), String(text)])),
    };
  }

  /**
   * Returns an existing result for an equal step: from this project, or from another one if a model derived it from
   * sources.
   */
  function twin(researchId: string, stored: StoredStep, pair: string, fresh: ReadonlySet<string>) {
    if (stored.isAnew) return undefined;
    const row = sql.get(
      `SELECT * FROM research_products WHERE pair = ?1
       ORDER BY research_id <> ?2, made_at DESC, rowid DESC LIMIT 1`,
      pair,
      researchId,
    );
    if (row === undefined) return undefined;
    const product = toProduct(row);
    const isOwn = row['research_id'] === researchId;
    const { action, materials, tools } = stored.step;
    if (
      !isOwn &&
      (materials.length === 0 ||
        product.createdBy.kind === 'user' ||
        [action, ...tools].some((name) => fresh.has(name)))
    )
      return undefined;
    const stepId = String(row['step_id']);
    return { product, sameAs: isOwn ? stepId : `${String(row['research_id'])}/${stepId}` };
  }

  /** Detaches a report whose results are outdated: its note stays, and the project gets a new report. */
  function dropReport(researchId: string): void {
    sql.run(
      'UPDATE researches SET report = NULL, report_by = NULL, report_until = NULL WHERE id = ?',
      researchId,
    );
  }

  function finish(researchId: string, stepId: string, sameAs: string | undefined): void {
    sql.run(
      `UPDATE research_steps SET state = 'done', token = NULL, held_until = NULL, reason = NULL, is_anew = 0,
         draft = iif(json_valid(holder) AND holder ->> '$.kind' = 'user', '', draft), same_as = ?, started_at = coalesce(started_at, ?), ended_at = ? WHERE research_id = ? AND id = ?`,
      sameAs ?? null,
      changes.now(),
      changes.now(),
      researchId,
      stepId,
    );
    dropReport(researchId);
  }

  function take(researchId: string, stored: StoredStep, { holder, hold }: ClaimParams, pair: string): Claim {
    const token = randomUUID();
    const now = changes.now();
    sql.run(
      `UPDATE research_steps SET state = 'in-progress', holder = ?, token = ?, held_until = ?, pair = ?, same_as = NULL,
         started_at = ?, ended_at = NULL WHERE research_id = ? AND id = ?`,
      JSON.stringify(holder),
      token,
      Math.trunc(now + hold),
      pair,
      now,
      researchId,
      stored.step.id,
    );
    const step = boardSteps(steps(researchId), now).find(({ id }) => id === stored.step.id);
    if (step === undefined) throw new Error('A step that was taken is not there.');
    const materials = step.materials.flatMap((id) => findProduct(sql, researchId, id) ?? []);
    return { token, step, materials };
  }

  function claim(params: ClaimParams): Claim | undefined {
    const { researchId, stepId, holder, without = [], fresh = [] } = params;
    const row = changes.row(researchId);
    const state = readJson(storedResearchState, JSON.stringify(row['state']), 'paused');
    const options = readJson(storedOptions, row['options'], LOST_OPTIONS);
    if (!mayTake(state, holder, stepId !== undefined)) return undefined;
    const looksAt = new Set(fresh);
    // Each reused result can make other steps ready.
    for (;;) {
      const now = changes.now();
      const projectSteps = steps(researchId);
      const states = stepStates(projectSteps, now);
      const paired = pairedIn(row);
      const isToBeHad = ({ step, state: storedState }: StoredStep): boolean =>
        states.get(step.id)?.state === 'ready' ||
        (storedState === 'failed' && holder.kind === 'user' && stepId === step.id);
      const own = projectSteps.find(
        (stored) => stored.step.id === stepId && isHeld(stored, now) && isBy(stored, holder),
      );
      const candidates = own
        ? [own]
        : projectSteps.filter(
            (stored) =>
              (stepId === undefined || stored.step.id === stepId) &&
              !without.includes(stored.step.action) &&
              !(holder.kind === 'model' && isBegunByUser(stored)) &&
              isToBeHad(stored),
          );
      const atWork = projectSteps.filter(
        (stored) => isHeld(stored, now) && stored.holder?.kind === 'model' && stored !== own,
      );
      if (holder.kind === 'model' && atWork.length >= options.workers) return undefined;
      const underWay = new Set(projectSteps.filter((stored) => isHeld(stored, now)).map(({ pair }) => pair));
      let tookOver = false;
      for (const stored of candidates) {
        const pair = pairs.hashStep(stored.step, paired);
        if (holder.kind === 'model') {
          const twinResult = twin(researchId, stored, pair, looksAt);
          if (twinResult !== undefined) {
            const product = { ...twinResult.product, id: stored.step.produces };
            writeProduct(sql, researchId, stored.step.id, product, pair);
            sql.run(
              'UPDATE research_steps SET holder = ? WHERE research_id = ? AND id = ?',
              JSON.stringify(product.createdBy),
              researchId,
              stored.step.id,
            );
            finish(researchId, stored.step.id, twinResult.sameAs);
            changes.touch(researchId);
            tookOver = true;
            break;
          }
          // Another worker is generating the same result, which this step can then reuse.
          if (stepId === undefined && !stored.isAnew && underWay.has(pair)) continue;
        }
        const claim = take(researchId, stored, params, pair);
        if (stored !== own) writeUserAction(changes, researchId, stored.step.id, t('Assigned'), holder);
        if (state === 'failed') setState(changes, researchId, 'running', undefined);
        changes.touch(researchId);
        return claim;
      }
      if (!tookOver) return undefined;
      settle(changes, researchId);
    }
  }

  /** Discards the result of a step. Text that a person wrote becomes the draft for the next attempt. */
  function undo(researchId: string, { step }: StoredStep, isAnew: boolean): void {
    sql.run(
      `UPDATE research_steps SET state = 'open', token = NULL, held_until = NULL, holder = NULL, attempts = 0, reason = NULL,
         same_as = NULL, pair = NULL, started_at = NULL, ended_at = NULL, is_anew = max(is_anew, ?1),
         draft = coalesce(nullif(draft, ''), (SELECT text FROM research_products p WHERE p.research_id = ?2
           AND p.id = ?4 AND json_valid(p.made_by) AND p.made_by ->> '$.kind' = 'user'), '')
       WHERE research_id = ?2 AND id = ?3`,
      Number(isAnew),
      researchId,
      step.id,
      step.produces,
    );
    sql.run('DELETE FROM research_products WHERE research_id = ? AND id = ?', researchId, step.produces);
    dropReport(researchId);
  }

  function submit(token: string, product: Product): SubmitOutcome {
    const became = withHeldStep(token, ({ researchId, stepId }): SubmitOutcome => {
      const row = changes.row(researchId);
      const stored = steps(researchId).find(({ step }) => step.id === stepId);
      if (stored === undefined) return 'late';
      // If a source changed meanwhile, other steps can't reuse the result.
      const isSame = pairs.hashStep(stored.step, pairedIn(row)) === stored.pair;
      const submitted = { ...product, id: stored.step.produces };
      writeUserAction(changes, researchId, stepId, t('Submitted: {0}', submitted.id), stored.holder);
      writeProduct(sql, researchId, stepId, submitted, isSame ? stored.pair : undefined);
      finish(researchId, stepId, undefined);
      settle(changes, researchId);
      return 'kept';
    });
    return became ?? 'late';
  }

  function hasResearch(researchId: string): boolean {
    return sql.has('SELECT 1 FROM researches WHERE id = ?', researchId);
  }

  return {
    claimStep: (params) => changes.transaction(() => claim(params)),

    renewStep: ({ token, hold }) =>
      // Nothing visible changes, so don't notify other windows.
      changes.transaction(() => {
        const heldStep = findHeldStep(token);
        if (heldStep === undefined) return false;
        const { researchId, stepId } = heldStep;
        const row = sql.get(
          'SELECT held_until FROM research_steps WHERE research_id = ? AND id = ?',
          researchId,
          stepId,
        );
        sql.run(
          'UPDATE research_steps SET held_until = ? WHERE token = ?',
          Math.trunc(changes.now() + hold),
          token,
        );
        // Other windows saw the step as available.
        if (row?.['held_until'] === null) changes.touch(researchId);
        return true;
      }),

    giveBackStep({ token }) {
      withHeldStep(token, ({ researchId, stepId }) => {
        writeUserAction(changes, researchId, stepId, t('Unassigned'), findHolder(researchId, stepId));
        sql.run(
          `UPDATE research_steps SET state = 'open', token = NULL, held_until = NULL, holder = NULL, started_at = NULL
           WHERE research_id = ? AND id = ?`,
          researchId,
          stepId,
        );
      });
    },

    draftStep({ researchId, stepId, draft }) {
      changes.transaction(() => {
        const changed = sql.run(
          'UPDATE research_steps SET draft = ? WHERE research_id = ? AND id = ?',
          draft,
          researchId,
          stepId,
        );
        if (changed === 0) throw noStep();
        changes.touch(researchId);
      });
    },

    submitStep: ({ token, product, of }) =>
      changes.transaction(() => {
        const became = submit(token, product);
        if (became === 'late' && of !== undefined && hasResearch(of.researchId)) {
          const { researchId, stepId } = of;
          writeUserAction(
            changes,
            researchId,
            stepId,
            t('Submitted too late'),
            product.createdBy,
            product.text,
          );
          changes.touch(researchId);
        }
        return became;
      }),

    sendBackStep({ token, reason }) {
      withHeldStep(token, ({ researchId, stepId }) =>
        sql.run(
          'UPDATE research_steps SET attempts = attempts + 1, reason = ? WHERE research_id = ? AND id = ?',
          reason,
          researchId,
          stepId,
        ),
      );
    },

    failStep({ token, reason }) {
      withHeldStep(token, ({ researchId, stepId }) => {
        sql.run(
          `UPDATE research_steps SET state = 'failed', token = NULL, held_until = NULL, reason = ?, ended_at = ?
           WHERE research_id = ? AND id = ?`,
          reason,
          changes.now(),
          researchId,
          stepId,
        );
        settle(changes, researchId);
      });
    },

    redoStep({ researchId, stepId, user }) {
      changes.transaction(() => {
        const row = changes.row(researchId);
        const projectSteps = steps(researchId);
        const stored = projectSteps.find(({ step }) => step.id === stepId);
        if (stored === undefined) throw noStep();
        if (stored.state === 'open') return;
        writeUserAction(changes, researchId, stepId, t('Rerun requested'), user);
        undo(researchId, stored, true);
        for (const dependent of dependentSteps(projectSteps, stepId))
          if (dependent.state !== 'open') undo(researchId, dependent, false);
        if (row['state'] === 'done' || row['state'] === 'failed')
          setState(changes, researchId, 'running', undefined);
        changes.touch(researchId);
      });
    },

    dependentSteps: ({ researchId, stepId }) =>
      sql.reading(() => {
        changes.row(researchId);
        const now = changes.now();
        return dependentSteps(steps(researchId), stepId)
          .filter((stored) => stored.state === 'done' || isHeld(stored, now))
          .map(({ step }) => step.id);
      }),

    putProduct({ researchId, product }) {
      changes.transaction(() => {
        const stored = steps(researchId).find(({ step }) => step.produces === product.id);
        if (stored?.state !== 'done') throw noStep();
        // A result edited by the user can't be reused by steps of other projects.
        writeProduct(sql, researchId, stored.step.id, product, undefined);
        changes.touch(researchId);
      });
    },
  };
}

/**
 * Reports whether a step can be claimed. Models can claim steps of running projects only. Users can also claim steps of
 * planned and paused ones, and repair a specific step of a failed one.
 */
function mayTake(state: ResearchState, { kind }: Holder, isCertain: boolean): boolean {
  if (state === 'running') return true;
  if (kind === 'model') return false;
  return state === 'planned' || state === 'paused' || (state === 'failed' && isCertain);
}

/** Reports whether a user started to write for a step and didn't unassign it before their window closed. */
function isBegunByUser({ state, holder, draft }: StoredStep): boolean {
  return state === 'in-progress' && holder?.kind === 'user' && draft !== '';
}

function isBy({ holder }: StoredStep, other: Holder): boolean {
  return holder?.kind === other.kind && holder.name === other.name && holder.window === other.window;
}

/** Sets the state of a research project and its reason, within a transaction. */
export function setState(
  { sql }: ResearchChanges,
  researchId: string,
  state: ResearchState,
  reason: string | undefined,
): void {
  sql.run('UPDATE researches SET state = ?, reason = ? WHERE id = ?', state, reason ?? null, researchId);
}

/**
 * Updates the state of a research project within a transaction. It's done if all steps are done, and failed if no step
 * can start. A project that was done but has open steps again is paused.
 */
export function settle(changes: ResearchChanges, researchId: string): void {
  const state = readJson(storedResearchState, JSON.stringify(changes.row(researchId)['state']), 'paused');
  const steps = storedSteps(changes.sql, researchId);
  if (steps.length === 0 || state === 'planning') return;
  if (steps.every((stored) => stored.state === 'done')) {
    if (state !== 'done') setState(changes, researchId, 'done', undefined);
    return;
  }
  const states = [...stepStates(steps, changes.now()).values()].map((stepState) => stepState.state);
  const isStuck = !states.includes('ready') && !states.includes('in-progress');
  if (!isStuck) {
    if (state === 'done') setState(changes, researchId, 'paused', undefined);
    return;
  }
  if (state === 'failed' || state === 'planned') return;
  const failed = steps.find((stored) => stored.state === 'failed');
  const reason =
    failed === undefined
      ? t('The steps depend on each other, so none of them can start. Edit the plan.')
      : // The reason of the failed step also says what the user can do.
        t('“{0}” failed: {1}', failed.step.target, failed.reason ?? '');
  setState(changes, researchId, 'failed', reason);
}

function noStep(): NotebookError {
  return new NotebookError('not-found', t('This step no longer exists. It was changed or removed.'));
}
