import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import { ELSEWHERE, type Research, type ResearchEntry } from '../model/project.ts';
import type { ResearchBoard } from '../model/board.ts';
import { optionalText, optionalNumber, type Row } from '../../../index/store/database/database.ts';
import {
  storedScope,
  storedTexts,
  readJson,
  readOptionalJson,
} from '../../../index/store/database/stored-json.ts';
import {
  storedBounds,
  storedObjections,
  storedOptions,
  storedResearchState,
  LOST_OPTIONS,
} from './stored-json.ts';
import { ResearchChanges, type ChangesOptions } from './changes.ts';
import { Notes } from '../../notes/store/notes.ts';
import { planChanged, readComments, planAt, planBoard, planSteps } from './plans.ts';
import { productEntries, findProduct } from './products.ts';
import { recordBoard, readSpent } from './records.ts';
import { boardSteps, storedSteps } from './states.ts';
import { settle, stepBoard } from './steps.ts';
import { type Statements, optionalJson } from '../../../index/store/database/statements.ts';
import { forbidReadersEntity } from '../../../index/store/database/team-rights.ts';

/** Research projects of a notebook, in its database, for concurrent use by all windows. */
export interface Researches {
  readonly board: ResearchBoard;
  readonly changes: ResearchChanges;
}

/** Opens the research projects of a notebook. Every call of the board is one transaction. */
export function openResearches(sql: Statements, options?: ChangesOptions): Researches {
  const changes = new ResearchChanges(sql, options);
  const board: ResearchBoard = {
    ...researchBoard(changes),
    ...planBoard(changes),
    ...stepBoard(changes),
    ...recordBoard(changes),
  };
  return { board, changes };
}

type OneResearchBoard = Pick<
  ResearchBoard,
  | 'addResearch'
  | 'changeResearch'
  | 'claimWhole'
  | 'keepReport'
  | 'product'
  | 'removeResearch'
  | 'research'
  | 'researches'
>;

function researchBoard(changes: ResearchChanges): OneResearchBoard {
  const { sql } = changes;
  const notes = new Notes(sql);
  return {
    researches: () =>
      sql
        .all(
          `SELECT r.*,
             (SELECT count(*) FROM research_steps s WHERE s.research_id = r.id AND s.place IS NOT NULL) AS steps,
             (SELECT count(*) FROM research_steps s WHERE s.research_id = r.id AND s.place IS NOT NULL AND s.state = 'done') AS done,
             (SELECT count(*) FROM research_steps s WHERE s.research_id = r.id AND s.place IS NOT NULL AND s.state = 'failed') AS failed,
             (SELECT json_group_array(DISTINCT s.holder ->> '$.name' ORDER BY s.place) FROM research_steps s
              WHERE s.research_id = r.id AND s.place IS NOT NULL AND s.state = 'in-progress' AND s.held_until > ?1
                AND json_valid(s.holder) AND s.holder ->> '$.window' = ?2) AS elsewhere
           FROM researches r ORDER BY r.changed_at DESC, r.created_at DESC, r.rowid DESC`,
          changes.now(),
          ELSEWHERE,
        )
        .map((row) => ({
          ...toEntry(row),
          steps: Number(row['steps']),
          done: Number(row['done']),
          failed: Number(row['failed']),
          elsewhere: readJson(storedTexts, row['elsewhere'], []),
        })),

    research: ({ researchId }) =>
      sql.reading(() => {
        const row = sql.get(
          `SELECT r.*, n.changed_at AS report_changed_at
           FROM researches r LEFT JOIN notes n ON n.title = r.report WHERE r.id = ?`,
          researchId,
        );
        return row && toResearch(changes, row);
      }),

    product: ({ researchId, productId }) => findProduct(sql, researchId, productId),

    addResearch: ({ goal, scope, bounds, options }) =>
      changes.transaction(() => {
        const researchId = randomUUID();
        const now = changes.now();
        sql.insert('researches', {
          id: researchId,
          goal,
          state: 'planning',
          created_at: now,
          changed_at: now,
          scope: optionalJson(scope),
          bounds: JSON.stringify(bounds),
          options: JSON.stringify(options),
        });
        changes.touch(researchId);
        return { researchId };
      }),

    removeResearch({ researchId }) {
      forbidReadersEntity(sql, 'research', researchId);
      changes.transaction(() => {
        changes.touch(researchId);
        sql.run('DELETE FROM researches WHERE id = ?', researchId);
      });
    },

    changeResearch({
      researchId,
      basedOn,
      goal,
      state,
      reason,
      bounds,
      options,
      objections,
      memories,
      report,
    }) {
      const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
      changes.transaction(() => {
        if (basedOn !== undefined && Number(changes.row(researchId)['plan_version']) !== basedOn)
          throw planChanged();
        changes.touch(researchId);
        sql.run(
          `UPDATE researches SET goal = coalesce(?, goal), state = coalesce(?, state),
             reason = nullif(coalesce(?, reason), ''), bounds = coalesce(?, bounds), options = coalesce(?, options),
             objections = coalesce(?, objections), memories = coalesce(?, memories), report = coalesce(?, report)
           WHERE id = ?`,
          goal ?? null,
          state ?? null,
          reason ?? null,
          json(bounds),
          json(options),
          json(objections),
          json(memories),
          report ?? null,
          researchId,
        );
        // A project without a step to run ends immediately.
        if (state === 'running') settle(changes, researchId);
      });
    },

    // Nothing visible changes, so don't notify other windows.
    claimWhole: ({ researchId, window, hold }) =>
      changes.transaction(() => {
        const now = changes.now();
        return (
          sql.run(
            `UPDATE researches SET report_by = ?1, report_until = ?2
             WHERE id = ?3
               AND CASE WHEN state IN ('done', 'failed') THEN report IS NULL
                 WHEN state = 'running' THEN NOT EXISTS (
                   SELECT 1 FROM research_steps s WHERE s.research_id = ?3 AND s.place IS NOT NULL)
                 ELSE state = 'planning' END
               AND (report_by = ?1 OR coalesce(report_until, 0) <= ?4)`,
            window,
            Math.trunc(now + hold),
            researchId,
            now,
          ) > 0
        );
      }),

    keepReport: ({ researchId, window, note }) =>
      changes.transaction(() => {
        const { report, report_by: holder } = changes.row(researchId);
        if (typeof report === 'string') return report;
        if (holder !== window) return undefined;
        const { title } = notes.add(note);
        sql.run('UPDATE researches SET report = ? WHERE id = ?', title, researchId);
        changes.touch(researchId);
        return title;
      }),
  };
}

function toEntry(row: Row): Omit<ResearchEntry, 'done' | 'elsewhere' | 'failed' | 'steps'> {
  return {
    id: String(row['id']),
    goal: String(row['goal']),
    state: readJson(storedResearchState, JSON.stringify(row['state']), 'paused'),
    reason: optionalText(row['reason']),
    planVersion: Number(row['plan_version']),
    createdAt: Number(row['created_at']),
    changedAt: Number(row['changed_at']),
    wholeUntil: row['report'] === null ? optionalNumber(row['report_until']) : undefined,
  };
}

function toResearch(changes: ResearchChanges, row: Row): Research {
  const { sql, now } = changes;
  const researchId = String(row['id']);
  const number = Number(row['plan_number']);
  return {
    ...toEntry(row),
    revision: Number(row['revision']),
    scope: readOptionalJson(storedScope, row['scope']),
    bounds: readJson(storedBounds, row['bounds'], {}),
    spent: changes.withoutReserved(researchId, readSpent(row)),
    options: readJson(storedOptions, row['options'], LOST_OPTIONS),
    ...planSteps(sql, researchId, number),
    parts: planAt(sql, researchId, number)?.parts ?? [],
    steps: boardSteps(storedSteps(sql, researchId), now()),
    objections: readJson(storedObjections, row['objections'], []),
    comments: readComments(sql, researchId),
    products: productEntries(sql, researchId),
    memories: readJson(storedTexts, row['memories'], []),
    report: optionalText(row['report']),
    reportChangedAt: optionalNumber(row['report_changed_at']),
  };
}

/** Returns the index worker's handlers for research projects of the open notebook. */
export function researchHandlers(
  notebook: () => { readonly researches: Researches },
): Handlers<ResearchBoard> {
  const board = (): ResearchBoard => notebook().researches.board;
  return {
    researches: () => board().researches(),
    research: (params) => board().research(params),
    product: (params) => board().product(params),
    addResearch: (params) => board().addResearch(params),
    removeResearch: (params) => board().removeResearch(params),
    changeResearch: (params) => board().changeResearch(params),
    claimWhole: (params) => board().claimWhole(params),
    keepReport: (params) => board().keepReport(params),
    setPlan: (params) => board().setPlan(params),
    stepPlan: (params) => board().stepPlan(params),
    commentPlan: (params) => board().commentPlan(params),
    removeComment: (params) => board().removeComment(params),
    hearComments: (params) => board().hearComments(params),
    claimStep: (params) => board().claimStep(params),
    renewStep: (params) => board().renewStep(params),
    giveBackStep: (params) => board().giveBackStep(params),
    draftStep: (params) => board().draftStep(params),
    submitStep: (params) => board().submitStep(params),
    sendBackStep: (params) => board().sendBackStep(params),
    failStep: (params) => board().failStep(params),
    redoStep: (params) => board().redoStep(params),
    dependentSteps: (params) => board().dependentSteps(params),
    putProduct: (params) => board().putProduct(params),
    spend: (params) => board().spend(params),
    record: (params) => board().record(params),
    records: (params) => board().records(params),
    latestRecords: (params) => board().latestRecords(params),
    memories: () => board().memories(),
    keepMemory: (params) => board().keepMemory(params),
    forgetMemory: (params) => board().forgetMemory(params),
  };
}
