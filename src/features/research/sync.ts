import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import {
  exportedProduct,
  exportedResearch,
  importResearch,
  readProduct,
  readResearch,
} from './store/portable-research.ts';
import { optionalNumber } from '../../index/store/database/database.ts';
import { anyFields, anyList } from '../../core/domain/json-schemas.ts';
import { openResearches } from './store/board.ts';
import { checkPlan, planAt } from './store/plans.ts';
import { findProduct, writeProduct } from './store/products.ts';
import { readJson } from '../../index/store/database/stored-json.ts';
import { LOST_OPTIONS, storedStep } from './store/stored-json.ts';
import { settle } from './store/steps.ts';
import {
  ELSEWHERE,
  planStep,
  type Plan,
  type PlanStep,
  type Product,
  type ResearchLimits,
} from './model/project.ts';
import { pack, unpack } from '../team/service/packed.ts';
import {
  findBase,
  dropBase,
  isWaiting,
  keepBase,
  markPending,
  namedDocuments,
  localNumbers,
  entityToSend,
  type EntitySync,
  type EntityRow,
  type LocalContext,
} from '../team/service/synced-entity.ts';

/** Duration of another machine's claim after its last renewal, in milliseconds. */
const LEASE_MS = 20_000;

/** Step that another machine works on. */
export interface RemoteClaim {
  readonly research: string;
  readonly step: string;
  readonly member: string;
}

/** Syncs a research project: its goal, plan, and comments. Its steps and their results are separate entities. */
const researchSync: EntitySync = {
  afterSent: restoreSteps,
  toSend: (local, id) => entityToSend(local, 'research', id, findLocalResearch(local, id)),
  take: (local, row, isChanged) =>
    pausingRun(local, row.id, row.changedBy, () => takeResearch(local, row, isChanged)),
};

function takeResearch(
  local: LocalContext,
  { id, value, revision, changedBy }: EntityRow,
  isChanged: boolean,
): boolean {
  const { sql } = local;
  const ours = findLocalResearch(local, id);
  if (value === undefined) {
    takeAway(local, id, ours !== undefined && isChanged);
    return false;
  }
  const theirs = unpack(value);
  const { id: named, plan } = readResearch({ ...theirs, products: [], drafts: {} });
  if (named !== id) throw new Error('A research of another name.');
  const base = findBase(local, 'research', id)?.value ?? {};
  const merged =
    isChanged && ours !== undefined ? mergedResearch(base, theirs, ours, changedBy) : { ...theirs };
  const inUse = readResearch({ ...merged, products: [], drafts: {} }).plan;
  const isTorn = isChanged && ours !== undefined && areBothChanged('plan', base, theirs, ours);
  const missing = [
    ...lostLocally(local, id, inUse, revision),
    ...(isTorn ? lostRemotely(local, id, inUse, plan) : []),
  ];
  merged['comments'] = [
    ...readList(merged['comments']),
    ...missing.map((text) => remark(leftOverComment(text))),
  ];
  const read = readResearch({ ...merged, products: [], drafts: {} });
  keepBase(local, 'research', id, { revision, value });
  if (ours === undefined) importResearch(sql, read, localNumbers(local, []), local.limits);
  else writeResearch(local, read);
  if (isTorn && plan !== undefined) keepBefore(local, id, plan);
  if (missing.length > 0) markPending(local, 'research', id);
  writeTeamSteps(local, id);
  settleResearch(local, id);
  return isDeepStrictEqual(merged, theirs);
}

/** Writes the team's versions of steps that arrived before their plan. Pending local changes stay. */
function writeTeamSteps(local: LocalContext, research: string): void {
  const ids = local.sql.texts(
    "SELECT id FROM team_things WHERE kind = 'step' AND substr(id, 1, ?) = ?",
    research.length + 1,
    `${research}/`,
  );
  for (const id of ids) {
    const base = findBase(local, 'step', id);
    if (base !== undefined && !isWaiting(local, 'step', id))
      writeStep(local, research, splitStep(id)[1], base.value);
  }
}

/**
 * Restores results of steps that an edit of the plan brought back. The team still has these results, and other
 * members get them with the plan. Call this once the team has the plan.
 */
function restoreSteps(local: LocalContext, research: string): void {
  writeTeamSteps(local, research);
  settleResearch(local, research);
}

/** Syncs the outcome of a step: its result, its failure, or that it is open again. */
const stepSync: EntitySync = {
  isPart: true,
  toSend(local, id) {
    const [research, step] = splitStep(id);
    const base = findBase(local, 'step', id);
    const value = findLocalStep(local, research, step);
    if (value === undefined || (value['state'] === 'open' && base === undefined)) return undefined;
    return { id, within: research, base: base?.revision ?? 0, value: pack(value) };
  },
  take: (local, row, isChanged) =>
    pausingRun(local, splitStep(row.id)[0], row.changedBy, () => takeStep(local, row, isChanged)),
};

function takeStep(
  local: LocalContext,
  { id, value, revision, changedBy }: EntityRow,
  isChanged: boolean,
): boolean {
  const [research, step] = splitStep(id);
  if (value === undefined) {
    dropBase(local, 'step', id);
    // Steps are deleted only with their project. If the project stays here, its steps are sent again with it.
    return findLocalStep(local, research, step) === undefined;
  }
  const theirs = named(unpack(value), changedBy);
  const ours = findLocalStep(local, research, step);
  const before = findBase(local, 'step', id)?.value;
  keepBase(local, 'step', id, { revision, value: pack(theirs) });
  const [from, there, own] = [before, theirs, ours].map(productText);
  if (isChanged) {
    // A written result wins over reopening the step.
    if (own === undefined ? there === undefined || there === from : there === undefined) return false;
    if (own !== undefined && from !== undefined) {
      if (there === from || own.includes(there ?? '')) return false;
      if (own !== from && !(there ?? '').includes(own)) {
        writeBoth(local, research, step, theirs);
        settleResearch(local, research);
        return false;
      }
    }
  }
  if (ours === undefined && there !== undefined) keepRemoved(local, research, step, there);
  writeStep(local, research, step, theirs);
  // If two members finish a step at once, the first result wins and the other one becomes a draft.
  if (isChanged && from === undefined && own !== undefined && own !== '' && own !== there)
    local.sql.run(
      'UPDATE research_steps SET draft = ? WHERE research_id = ? AND id = ?',
      own,
      research,
      step,
    );
  settleResearch(local, research);
  return true;
}

/** Work that a member's machine is about to do for a project, at the member's cost. */
interface Work {
  readonly goal: unknown;
  readonly scope: unknown;
  readonly plan: unknown;
  readonly unfinished: readonly string[];
}

/**
 * Saves a downloaded row. If another member adds work to a project that runs here, the project pauses until the user
 * approves it, because it runs with the user's key and budget. A project that is already paused gets the reason, so
 * that the user reviews it before resuming.
 */
function pausingRun(local: LocalContext, research: string, who: string, take: () => boolean): boolean {
  const before = readWork(local, research);
  const isChanged = take();
  const after = before && readWork(local, research);
  if (before === undefined || after === undefined) return isChanged;
  const { unfinished, ...planned } = after;
  const { unfinished: unfinishedBefore, ...plannedBefore } = before;
  const isMore = unfinished.some((step) => !unfinishedBefore.includes(step));
  if (isMore || !isDeepStrictEqual(planned, plannedBefore)) {
    local.sql.run(
      "UPDATE researches SET state = 'paused', reason = ? WHERE id = ? AND state IN ('planning', 'running', 'paused')",
      t('{0} changed the plan. Review it, then resume.', who),
      research,
    );
    touch(local.sql, research);
  }
  return isChanged;
}

function readWork(local: LocalContext, research: string): Work | undefined {
  const read = findLocalResearch(local, research);
  if (read === undefined) return undefined;
  const { goal, scope, plan } = read;
  const unfinished = local.sql.texts(
    "SELECT id FROM research_steps WHERE research_id = ? AND place IS NOT NULL AND state NOT IN ('done', 'failed')",
    research,
  );
  return { goal, scope, plan, unfinished };
}

/** Shows which steps are claimed on other machines, and releases those whose claims expired. */
export function showClaims({ sql }: LocalContext, claims: readonly RemoteClaim[], now: number): void {
  const claimed = new Map(claims.map((claim) => [`${claim.research}/${claim.step}`, claim]));
  const marked = sql.all(
    `SELECT research_id, id, holder FROM research_steps WHERE state = 'in-progress' AND json_valid(holder)
       AND holder ->> '$.window' = ?`,
    ELSEWHERE,
  );
  for (const row of marked) {
    const [research, step] = [String(row['research_id']), String(row['id'])];
    if (claimed.has(`${research}/${step}`)) continue;
    sql.run(
      `UPDATE research_steps SET state = 'open', token = NULL, held_until = NULL, holder = NULL, started_at = NULL
       WHERE research_id = ? AND id = ?`,
      research,
      step,
    );
    touch(sql, research);
  }
  for (const { research, step, member } of claims) {
    const isNew = sql.run(
      `UPDATE research_steps SET state = 'in-progress', holder = ?1, token = ?2, started_at = NULL, held_until = ?3
       WHERE research_id = ?4 AND id = ?5 AND place IS NOT NULL AND state = 'open'`,
      JSON.stringify({ kind: 'user', name: member, window: ELSEWHERE }),
      randomUUID(),
      now + LEASE_MS,
      research,
      step,
    );
    if (isNew > 0) touch(sql, research);
    else
      sql.run(
        `UPDATE research_steps SET held_until = ?1 WHERE research_id = ?2 AND id = ?3 AND state = 'in-progress'
           AND json_valid(holder) AND holder ->> '$.window' = ?4`,
        now + LEASE_MS,
        research,
        step,
        ELSEWHERE,
      );
  }
}

const sharedStep = v.object({
  state: v.picklist(['done', 'failed', 'open']),
  reason: v.optional(v.nullable(v.string())),
  product: v.optional(v.unknown()),
  documents: v.optional(v.unknown()),
  /** Duration on the machine that ran the step, in milliseconds; missing for a reused result. */
  took: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0)))),
});

function findLocalResearch(local: LocalContext, id: string): Record<string, unknown> | undefined {
  const { sql, roots } = local;
  const { board } = openResearches(sql, { readOnly: true });
  const research = exportedResearch(board, id, roots);
  if (research === undefined) return undefined;
  const exported = readFields(asJson(research));
  // Each machine has its own budget. The team database stores the budget of the project's author.
  const { bounds, options } = findBase(local, 'research', id)?.value ?? exported;
  // Leaves out drafts, which are private, the cost, which is counted on each machine, and what changes with every
  // step.
  const nothing = { dollars: 0, tokens: 0, time: 0, requests: 0, toolCalls: 0 };
  const shared = {
    ...exported,
    ...{
      bounds,
      options,
      drafts: undefined,
      products: undefined,
      spent: nothing,
      changedAt: exported['createdAt'],
    },
    // The ID of a comment is local.
    comments: readList(exported['comments']).map((comment) => ({ ...readFields(comment), id: undefined })),
  };
  return { ...readFields(asJson(shared)) };
}

/** Comment on a plan, as the team stores it. */
interface Remark {
  readonly stepId?: string | undefined;
  readonly text: string;
  readonly writtenAt: number;
  readonly isHeard: boolean;
}

/** Returns a comment that is only for members, not for the planner. */
function remark(text: string): Remark {
  return { text, writtenAt: Date.now(), isHeard: true };
}

/**
 * Merges a project part by part. Keeps all new comments and drops those that either side deleted. If both changed the
 * goal or the plan, ours wins and a comment quotes theirs. The scope is set once, when the project is created.
 */
function mergedResearch(
  base: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
  who: string,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...theirs };
  for (const [name, value] of Object.entries(ours))
    if (!isDeepStrictEqual(value, base[name])) merged[name] = value;
  const remarks = (from: Readonly<Record<string, unknown>>): Map<string, unknown> =>
    new Map(
      readList(from['comments']).map((comment) => [
        JSON.stringify({ ...readFields(comment), isHeard: undefined }),
        comment,
      ]),
    );
  const [before, there, here] = [remarks(base), remarks(theirs), remarks(ours)];
  const allValues = new Map([...there, ...here]);
  const remaining = [...allValues].flatMap(([key, one]) =>
    before.has(key) && !(there.has(key) && here.has(key)) ? [] : [one],
  );
  if (areBothChanged('goal', base, theirs, ours))
    remaining.push(
      remark(t('{0} changed the goal at the same time. Their version: {1}', who, String(theirs['goal']))),
    );
  if (areBothChanged('plan', base, theirs, ours))
    remaining.push(
      remark(t('{0} changed the plan at the same time. Their version: {1}', who, formatPlan(theirs['plan']))),
    );
  merged['comments'] = remaining;
  return merged;
}

function areBothChanged(
  part: string,
  base: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
): boolean {
  return theirs[part] !== undefined && isTorn(base[part], theirs[part], ours[part]);
}

function isTorn(from: unknown, there: unknown, own: unknown): boolean {
  return !isDeepStrictEqual(there, from) && !isDeepStrictEqual(own, from) && !isDeepStrictEqual(there, own);
}

function readFields(value: unknown): Readonly<Record<string, unknown>> {
  return v.parse(anyFields, value);
}

function readList(value: unknown): readonly unknown[] {
  return v.is(anyList, value) ? value : [];
}

function formatPlan(plan: unknown): string {
  const lines = readList(readFields(plan)['steps']).map((step, place) => {
    const { action, target } = readFields(step);
    return `${String(place + 1)}. ${String(action)}: ${String(target)}`;
  });
  return ['', ...lines].join('\n');
}

/** Inserts a plan before the current one in the history, so that undo returns to it. */
function keepBefore({ sql }: LocalContext, research: string, plan: Plan): void {
  const { changes } = openResearches(sql);
  const number = Number(changes.row(research)['plan_number']);
  for (const [place, one] of [plan, planAt(sql, research, number)].entries())
    sql.replace('research_plans', {
      research_id: research,
      number: number + place,
      plan: JSON.stringify(one),
    });
  sql.run('DELETE FROM research_plans WHERE research_id = ? AND number > ?', research, number + 1);
  sql.run('UPDATE researches SET plan_number = plan_number + 1 WHERE id = ?', research);
}

/** Returns local results of steps that the team's new plan doesn't contain, because its author didn't know of them. */
function lostLocally(
  local: LocalContext,
  research: string,
  plan: Plan | undefined,
  revision: number,
): string[] {
  const { sql } = local;
  const localResearch = openResearches(sql, { readOnly: true }).board.research({ researchId: research });
  if (plan === undefined || localResearch === undefined) return [];
  const stays = new Set(
    plan.steps.filter((step) => isSameStep(step, localResearch.steps)).map(({ id }) => id),
  );
  return localResearch.products.flatMap(({ id, stepId }) => {
    const name = `${research}/${stepId}`;
    const isNews =
      isWaiting(local, 'step', name) || (findBase(local, 'step', name)?.revision ?? 0) > revision;
    const text = stays.has(stepId) || !isNews ? undefined : findProduct(sql, research, id)?.text;
    return text === undefined ? [] : [text];
  });
}

/** Returns the team's results of steps that only their plan contains. */
function lostRemotely(
  local: LocalContext,
  research: string,
  plan: Plan | undefined,
  theirs: Plan | undefined,
): string[] {
  return (theirs?.steps ?? []).flatMap((step) => {
    if (isSameStep(step, plan?.steps ?? [])) return [];
    const text = productText(findBase(local, 'step', `${research}/${step.id}`)?.value);
    const isHere = findLocalStep(local, research, step.id)?.['state'] === 'done';
    return text === undefined || isHere ? [] : [text];
  });
}

function isSameStep(step: PlanStep, steps: readonly PlanStep[]): boolean {
  const existing = steps.find(({ id }) => id === step.id);
  return existing !== undefined && isDeepStrictEqual(asJson(planStep(existing)), asJson(step));
}

/** Deletes a project that the team deleted. If it changed here, it is sent again with all of its parts. */
function takeAway(local: LocalContext, id: string, isChanged: boolean): void {
  const { sql } = local;
  const within = [`${id}/`, `${id}0`];
  dropBase(local, 'research', id);
  sql.run("DELETE FROM team_things WHERE kind = 'step' AND id > ? AND id < ?", ...within);
  const isAnyChanged = sql.has(
    "SELECT 1 FROM team_outbox WHERE kind = 'step' AND id > ? AND id < ?",
    ...within,
  );
  if (!isChanged && !isAnyChanged) {
    sql.run('DELETE FROM researches WHERE id = ?', id);
    return;
  }
  if (!sql.has('SELECT 1 FROM researches WHERE id = ?', id)) return;
  markPending(local, 'research', id);
  for (const row of sql.all(
    "SELECT id FROM research_steps WHERE research_id = ? AND place IS NOT NULL AND state IN ('done', 'failed')",
    id,
  ))
    markPending(local, 'step', `${id}/${String(row['id'])}`);
}

function writeResearch({ sql }: LocalContext, read: ReturnType<typeof readResearch>): void {
  const { id, goal, scope, report, plan, comments } = read;
  const { board, changes } = openResearches(sql);
  const storedResearch = board.research({ researchId: id });
  if (storedResearch === undefined) return;
  sql.run(
    'UPDATE researches SET goal = ?, scope = ?, report = ? WHERE id = ?',
    goal,
    scope === undefined ? null : JSON.stringify(scope),
    report ?? null,
    id,
  );
  sql.run('DELETE FROM research_comments WHERE research_id = ?', id);
  for (const comment of comments) writeComment(sql, id, comment);
  const number = Number(changes.row(id)['plan_number']);
  if (plan === undefined || isDeepStrictEqual(plan, asJson(planAt(sql, id, number)))) return;
  checkPlan(plan);
  const after = new Map(plan.steps.map((step) => [step.id, step]));
  for (const step of storedResearch.steps) {
    const { id: stepId, produces } = step;
    if (isDeepStrictEqual(asJson(planStep(step)), after.get(stepId))) continue;
    sql.run('DELETE FROM research_products WHERE research_id = ? AND id = ?', id, produces);
    reopen(sql, id, stepId);
  }
  board.setPlan({ researchId: id, plan, basedOn: storedResearch.planVersion });
}

function writeComment(
  sql: LocalContext['sql'],
  research: string,
  { stepId, text, writtenAt, isHeard }: Remark,
): void {
  sql.insert('research_comments', {
    id: randomUUID(),
    research_id: research,
    step_id: stepId,
    text,
    written_at: writtenAt,
    is_heard: isHeard,
  });
}

function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function findLocalStep(
  local: LocalContext,
  research: string,
  step: string,
): Record<string, unknown> | undefined {
  const { sql, roots } = local;
  const row = sql.get(
    `SELECT state, reason, CASE WHEN same_as IS NULL THEN max(0, ended_at - started_at) END AS took
     FROM research_steps WHERE research_id = ? AND id = ? AND place IS NOT NULL`,
    research,
    step,
  );
  if (row === undefined) return undefined;
  if (row['state'] === 'failed') return { state: 'failed', reason: row['reason'] };
  const productRow = sql.get(
    'SELECT id FROM research_products WHERE research_id = ? AND step_id = ?',
    research,
    step,
  );
  const product = productRow && findProduct(sql, research, String(productRow['id']));
  if (row['state'] !== 'done' || product === undefined) return { state: 'open' };
  const documents = namedDocuments(
    local,
    product.citations.map(({ documentId }) => documentId),
  );
  const took = optionalNumber(row['took']);
  return {
    ...{ state: 'done', product: exportedProduct(product, roots), documents },
    ...(took !== undefined && { took }),
  };
}

/** Adds the name of the member who wrote a result by hand. On their own machine it has no name. */
function named(value: Record<string, unknown>, member: string): Record<string, unknown> {
  const product = readFields(value['product']);
  const { kind, name } = readFields(product['madeBy']);
  if (kind !== 'user' || name !== '') return value;
  return { ...value, product: { ...product, madeBy: { kind: 'user', name: member } } };
}

/** Returns the text of a step's result; undefined if the step isn't done. */
function productText(value: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { state, product } = value ?? {};
  if (state !== 'done') return undefined;
  const { text } = readFields(readFields(product)['cited']);
  return typeof text === 'string' ? text : '';
}

/** Keeps both versions of a result, one below the other. */
function writeBoth(
  local: LocalContext,
  research: string,
  step: string,
  theirs: Readonly<Record<string, unknown>>,
): void {
  const { product, documents } = v.parse(sharedStep, theirs);
  const storedProduct = readProduct(product, localNumbers(local, documents));
  const own = findProduct(local.sql, research, storedProduct.id);
  if (own !== undefined)
    writeProduct(local.sql, research, step, joinedProducts(storedProduct, own), undefined);
}

function joinedProducts(first: Product, second: Product): Product {
  const after = first.text.length + 2;
  const moved = second.statements.map((statement) => ({
    ...statement,
    start: statement.start + after,
    end: statement.end + after,
    citations: statement.citations.map((index) => index + first.citations.length),
    ...(statement.missing && {
      missing: statement.missing.map((words) => ({
        ...words,
        start: words.start + after,
        end: words.end + after,
      })),
    }),
  }));
  return {
    ...second,
    text: `${first.text}\n\n${second.text}`,
    statements: [...first.statements, ...moved],
    citations: [...first.citations, ...second.citations],
    beforeCorrection: undefined,
    check: {
      claims: first.check.claims + second.check.claims,
      supported: first.check.supported + second.check.supported,
      partly: first.check.partly + second.check.partly,
      unchecked: (first.check.unchecked ?? 0) + (second.check.unchecked ?? 0),
      cut: [...first.check.cut, ...second.check.cut],
    },
  };
}

/** Quotes another member's result in a comment if the pending plan no longer has its step. */
function keepRemoved(local: LocalContext, research: string, step: string, text: string): void {
  const base = findBase(local, 'research', research)?.value;
  if (!isWaiting(local, 'research', research) || findLocalResearch(local, research) === undefined) return;
  const { steps } = readFields(base?.['plan']);
  if (readList(steps).some((entry) => readFields(entry)['id'] === step))
    writeComment(local.sql, research, remark(leftOverComment(text)));
}

function leftOverComment(text: string): string {
  return t('This result belongs to a step that’s no longer in the plan: {0}', text);
}

function writeStep(
  local: LocalContext,
  research: string,
  step: string,
  value: Readonly<Record<string, unknown>>,
): void {
  const { sql } = local;
  const row = sql.get(
    'SELECT step FROM research_steps WHERE research_id = ? AND id = ? AND place IS NOT NULL',
    research,
    step,
  );
  // The plan of this step may arrive later.
  if (row === undefined || isDeepStrictEqual(asJson(findLocalStep(local, research, step)), value)) return;
  const { state, reason, product, documents, took } = v.parse(sharedStep, value);
  const produces = readJson<PlanStep | undefined>(storedStep, row['step'], undefined)?.produces;
  // A newer version may store other values.
  if (produces === undefined) return;
  if (state !== 'done') {
    sql.run('DELETE FROM research_products WHERE research_id = ? AND id = ?', research, produces);
    reopen(sql, research, step);
    if (state === 'failed')
      sql.run(
        "UPDATE research_steps SET state = 'failed', reason = ? WHERE research_id = ? AND id = ?",
        reason ?? null,
        research,
        step,
      );
    return;
  }
  const stepProduct = readProduct(product, localNumbers(local, documents));
  if (stepProduct.id !== produces) throw new Error('A product of another step.');
  writeProduct(sql, research, step, stepProduct, undefined);
  sql.run(
    `UPDATE research_steps SET state = 'done', holder = ?, token = NULL, held_until = NULL, reason = NULL, is_anew = 0,
       same_as = NULL, pair = NULL, started_at = ?, ended_at = ? WHERE research_id = ? AND id = ?`,
    JSON.stringify(stepProduct.createdBy),
    typeof took === 'number' ? stepProduct.createdAt - took : null,
    stepProduct.createdAt,
    research,
    step,
  );
}

function reopen(sql: LocalContext['sql'], research: string, step: string): void {
  sql.run(
    `UPDATE research_steps SET state = 'open', token = NULL, held_until = NULL, holder = NULL, attempts = 0,
       reason = NULL, same_as = NULL, pair = NULL, started_at = NULL, ended_at = NULL WHERE research_id = ? AND id = ?`,
    research,
    step,
  );
}

/** Updates the state of a project after its steps changed, and marks it as changed. */
function settleResearch({ sql }: LocalContext, research: string): void {
  if (!sql.has('SELECT 1 FROM researches WHERE id = ?', research)) return;
  settle(openResearches(sql).changes, research);
  touch(sql, research);
}

function touch(sql: LocalContext['sql'], research: string): void {
  sql.run(
    'UPDATE researches SET revision = revision + 1, changed_at = max(changed_at, ?) WHERE id = ?',
    Date.now(),
    research,
  );
}

function splitStep(id: string): [research: string, step: string] {
  const at = id.indexOf('/');
  return [id.slice(0, at), id.slice(at + 1)];
}

/** Syncs of research projects and of their steps. */
export const researchSyncs = { research: researchSync, step: stepSync };

/** Limits for a copy that downloads no research projects. */
export const NO_LIMITS: ResearchLimits = { bounds: { requests: 0 }, options: LOST_OPTIONS };

/** Columns with citations as JSON, as pairs of table and column. */
export const CITING_COLUMNS = [['research_products', 'citations']] as const;

/** SQL queries for the kind and ID of each entity, to send a whole notebook. */
export const OUTBOX_ROWS = [
  "SELECT 'research', id FROM researches",
  `SELECT 'step', research_id || '/' || id FROM research_steps
   WHERE place IS NOT NULL AND state IN ('done', 'failed')`,
];
