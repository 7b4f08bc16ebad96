import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { planStep, type Plan, type PlanComment, type PlanStep } from '../model/project.ts';
import type { ResearchBoard } from '../model/board.ts';
import { optionalText } from '../../../index/store/database/database.ts';
import { readJson } from '../../../index/store/database/stored-json.ts';
import { storedPlan, NO_PLAN } from './stored-json.ts';
import type { ResearchChanges } from './changes.ts';
import { writeUserAction } from './records.ts';
import { isHeld, storedSteps } from './states.ts';
import { setState, settle } from './steps.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

type PlanBoard = Pick<
  ResearchBoard,
  'commentPlan' | 'hearComments' | 'removeComment' | 'setPlan' | 'stepPlan'
>;

/** Maximum numbers of steps in a plan, versions to go back to, and comments. */
const MAX_STEPS = 500;
const MAX_VERSIONS = 200;
const MAX_COMMENTS = 1_000;

/** Creates the part of the board for plans, their versions, and the user's comments. */
export function planBoard(changes: ResearchChanges): PlanBoard {
  const { sql } = changes;

  /** Applies a plan. @throws NotebookError `conflict` if it changes a step that is assigned or done */
  function use(researchId: string, plan: Plan, number: number): { readonly planVersion: number } {
    checkPlan(plan);
    const before = new Map(storedSteps(sql, researchId).map((stored) => [stored.step.id, stored]));
    const after = new Map(plan.steps.map((step) => [step.id, step]));
    const now = changes.now();
    for (const [id, storedStep] of before) {
      const step = after.get(id);
      const isSame = step !== undefined && isSameStep(step, storedStep.step);
      if (!isSame && (storedStep.state === 'done' || isHeld(storedStep, now)))
        throw inUse(storedStep.step, storedStep.state === 'done');
      if (isSame) continue;
      // A late result of its holder is rejected.
      sql.run(
        `UPDATE research_steps SET place = NULL, state = 'open', token = NULL, held_until = NULL, holder = NULL,
           attempts = 0, reason = NULL, same_as = NULL, pair = NULL, started_at = NULL, ended_at = NULL
         WHERE research_id = ? AND id = ?`,
        researchId,
        id,
      );
    }
    for (const [place, step] of plan.steps.entries())
      sql.put('research_steps', 'research_id, id', {
        ...{ research_id: researchId, id: step.id, place },
        step: JSON.stringify(step),
      });
    // Keep the user's drafts, in case their steps come back.
    sql.run("DELETE FROM research_steps WHERE research_id = ? AND place IS NULL AND draft = ''", researchId);
    sql.run(
      'UPDATE researches SET plan_version = plan_version + 1, plan_number = ? WHERE id = ?',
      number,
      researchId,
    );
    const row = changes.row(researchId);
    if (row['state'] === 'failed' && plan.steps.length > 0)
      setState(changes, researchId, 'paused', undefined);
    settle(changes, researchId);
    changes.touch(researchId);
    return { planVersion: Number(row['plan_version']) };
  }

  return {
    setPlan: ({ researchId, plan, basedOn, user }) =>
      changes.transaction(() => {
        const row = changes.row(researchId);
        if (Number(row['plan_version']) !== basedOn) throw planChanged();
        const number = Number(row['plan_number']) + 1;
        sql.run(
          'DELETE FROM research_plans WHERE research_id = ? AND (number >= ? OR number <= ?)',
          researchId,
          number,
          number - MAX_VERSIONS,
        );
        sql.insert('research_plans', { research_id: researchId, number, plan: JSON.stringify(plan) });
        writeUserAction(changes, researchId, undefined, t('Plan edited'), user);
        return use(researchId, plan, number);
      }),

    stepPlan: ({ researchId, by, user }) =>
      changes.transaction(() => {
        const row = changes.row(researchId);
        const number = Number(row['plan_number']) + by;
        const plan = planAt(sql, researchId, number);
        if (plan === undefined) return { planVersion: Number(row['plan_version']) };
        const action = by < 0 ? t('Plan edit undone') : t('Plan edit redone');
        writeUserAction(changes, researchId, undefined, action, user);
        return use(researchId, plan, number);
      }),

    commentPlan({ researchId, stepId, text }) {
      changes.transaction(() => {
        changes.touch(researchId);
        sql.insert('research_comments', {
          id: randomUUID(),
          research_id: researchId,
          step_id: stepId,
          text,
          written_at: changes.now(),
        });
        sql.run(
          `DELETE FROM research_comments WHERE research_id = ?1 AND is_heard = 1 AND id NOT IN (
             SELECT id FROM research_comments WHERE research_id = ?1 ORDER BY written_at DESC, rowid DESC
             LIMIT ${String(MAX_COMMENTS)})`,
          researchId,
        );
      });
    },

    removeComment({ researchId, commentId }) {
      changes.transaction(() => {
        changes.touch(researchId);
        sql.run('DELETE FROM research_comments WHERE research_id = ? AND id = ?', researchId, commentId);
      });
    },

    hearComments({ researchId, commentIds }) {
      changes.transaction(() => {
        changes.touch(researchId);
        sql.run(
          'UPDATE research_comments SET is_heard = 1 WHERE research_id = ? AND id IN (SELECT value FROM json_each(?))',
          researchId,
          JSON.stringify(commentIds),
        );
      });
    },
  };
}

/** Returns the error for an edit or approval of a plan that has changed meanwhile. */
export function planChanged(): NotebookError {
  return new NotebookError('conflict', t('The plan changed in the meantime. Review it, then try again.'));
}

/** Returns a version of a research project's plan; undefined if it isn't stored. */
export function planAt(sql: Statements, researchId: string, number: number): Plan | undefined {
  const row = sql.get(
    'SELECT plan FROM research_plans WHERE research_id = ? AND number = ?',
    researchId,
    number,
  );
  return row && readJson(storedPlan, row['plan'], NO_PLAN);
}

/** Reports whether the plan has an earlier and a later version. */
export function planSteps(
  sql: Statements,
  researchId: string,
  number: number,
): { readonly canUndo: boolean; readonly canRedo: boolean } {
  const has = (planNumber: number): boolean =>
    sql.has('SELECT 1 FROM research_plans WHERE research_id = ? AND number = ?', researchId, planNumber);
  return { canUndo: has(number - 1), canRedo: has(number + 1) };
}

/** Returns the comments on a research project's plan, oldest first. */
export function readComments(sql: Statements, researchId: string): PlanComment[] {
  return sql
    .all('SELECT * FROM research_comments WHERE research_id = ? ORDER BY written_at, rowid', researchId)
    .map((row) => ({
      id: String(row['id']),
      stepId: optionalText(row['step_id']),
      text: String(row['text']),
      writtenAt: Number(row['written_at']),
      isHeard: row['is_heard'] === 1,
    }));
}

/** Checks whether a plan can be stored, whatever its quality. @throws NotebookError `unsupported`, `too-large` */
export function checkPlan({ steps }: Plan): void {
  if (steps.length > MAX_STEPS)
    throw new NotebookError(
      'too-large',
      t(
        'A plan can have at most {0} steps. Remove steps, or split the plan into two research projects.',
        String(MAX_STEPS),
      ),
    );
  const ids = new Set<string>();
  const products = new Set<string>();
  for (const { id, produces, target } of steps) {
    if (id === '' || produces === '' || ids.has(id) || products.has(produces))
      throw new NotebookError(
        'unsupported',
        t(
          'The result of the step “{0}” has no name, or the same name as another result. Enter another name.',
          target,
        ),
      );
    ids.add(id);
    products.add(produces);
  }
}

function isSameStep(a: PlanStep, b: PlanStep): boolean {
  return isDeepStrictEqual(stepContent(a), stepContent(b));
}

function stepContent(step: PlanStep): unknown {
  return { ...planStep(step), id: '' };
}

function inUse({ target }: PlanStep, isDone: boolean): NotebookError {
  return new NotebookError(
    'conflict',
    isDone
      ? t('Can’t change the step “{0}” because it’s done. Rerun the step first.', target)
      : t('Can’t change the step “{0}” because it’s assigned. Unassign it first.', target),
  );
}
