import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import {
  exportedProduct,
  exportedResearch,
  importResearch,
  readProduct,
  readResearch,
} from '../indexing/library/portable-research.ts';
import { openResearches } from '../indexing/store/research.ts';
import { checkPlan, planAt } from '../indexing/store/research-plans.ts';
import { findProduct, writeProduct } from '../indexing/store/research-products.ts';
import { settle } from '../indexing/store/research-steps.ts';
import { pack, unpack } from './packed.ts';
import {
  findBase,
  dropBase,
  keepBase,
  namedDocuments,
  numbersHere,
  thingToSend,
  type Thing,
  type ThingsHere,
} from './thing.ts';

/** What marks a step as one that somebody does on another machine, in the place of a window's name. */
const ELSEWHERE = 'team';

/** How long such a step is held here after the team said so last, in milliseconds. */
const HOLD = 20_000;

/** Who does a step on another machine. */
export interface ClaimElsewhere {
  readonly research: string;
  readonly step: string;
  readonly member: string;
}

/** A research: its goal, its plan and what is remarked on it. Its steps and their products are things of their own. */
export const researchThing: Thing = {
  toSend: (here, id) => thingToSend(here, 'research', id, researchHere(here, id)),
  take(here, { id, value, revision }, isWaiting) {
    const { sql } = here;
    if (value === undefined) {
      dropBase(here, 'research', id);
      sql.run(
        "DELETE FROM team_things WHERE kind = 'step' AND substr(id, 1, ?) = ?",
        id.length + 1,
        `${id}/`,
      );
      if (!isWaiting) sql.run('DELETE FROM researches WHERE id = ?', id);
      return false;
    }
    const theirs = unpack(value);
    const ours = researchHere(here, id);
    const base = findBase(here, 'research', id)?.value ?? {};
    const merged = isWaiting && ours !== undefined ? mergedResearch(base, theirs, ours) : theirs;
    const read = readResearch({ ...merged, products: [], drafts: {} });
    if (read.id !== id) throw new Error('A research of another name.');
    keepBase(here, 'research', id, { revision, value });
    if (ours === undefined) importResearch(sql, read, numbersHere(here, []));
    else writeResearch(here, read);
    // Steps may have come before the plan that they are of.
    for (const row of sql.all(
      "SELECT id FROM team_things WHERE kind = 'step' AND substr(id, 1, ?) = ?",
      id.length + 1,
      `${id}/`,
    )) {
      const [, step] = splitStep(String(row['id']));
      const kept = findBase(here, 'step', String(row['id']));
      if (kept !== undefined && !isStepWaiting(here, id, step)) writeStep(here, id, step, kept.value);
    }
    settled(here, id);
    return isDeepStrictEqual(merged, theirs);
  },
};

/** What became of a step: its product, that it failed, or that it is to be done again. */
export const stepThing: Thing = {
  toSend(here, id) {
    const [research, step] = splitStep(id);
    const base = findBase(here, 'step', id);
    const value = stepHere(here, research, step);
    if (value === undefined || (value['state'] === 'open' && base === undefined)) return undefined;
    return { id, within: research, base: base?.revision ?? 0, value: pack(value) };
  },
  take(here, { id, value, revision, changedBy }, isWaiting) {
    const [research, step] = splitStep(id);
    if (value === undefined) {
      dropBase(here, 'step', id);
      return true;
    }
    const theirs = named(unpack(value), changedBy);
    const ours = stepHere(here, research, step);
    const before = findBase(here, 'step', id)?.value;
    keepBase(here, 'step', id, { revision, value: pack(theirs) });
    // Done anew or mended here, that stays; of two that did it at once whose came first did it, and the other's is a draft.
    if (isWaiting && (before !== undefined || ours?.['state'] !== 'done')) return false;
    const { text } = productText(ours);
    writeStep(here, research, step, theirs);
    if (isWaiting && text !== '' && text !== productText(theirs).text)
      here.sql.run(
        'UPDATE research_steps SET draft = ? WHERE research_id = ? AND id = ?',
        text,
        research,
        step,
      );
    settled(here, research);
    return true;
  },
};

/** Shows here who does steps elsewhere, and that they are to be had again where nobody does any more. */
export function showClaims({ sql }: ThingsHere, claims: readonly ClaimElsewhere[], now: number): void {
  const claimed = new Map(claims.map((one) => [`${one.research}/${one.step}`, one]));
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
      `UPDATE research_steps SET state = 'in-progress', holder = ?1, token = ?2, started_at = ?3, held_until = ?4
       WHERE research_id = ?5 AND id = ?6 AND place IS NOT NULL AND state = 'open'`,
      JSON.stringify({ kind: 'user', name: member, window: ELSEWHERE }),
      randomUUID(),
      now,
      now + HOLD,
      research,
      step,
    );
    if (isNew > 0) touch(sql, research);
    else
      sql.run(
        `UPDATE research_steps SET held_until = ?1 WHERE research_id = ?2 AND id = ?3 AND state = 'in-progress'
           AND json_valid(holder) AND holder ->> '$.window' = ?4`,
        now + HOLD,
        research,
        step,
        ELSEWHERE,
      );
  }
}

const takenStep = v.object({
  state: v.picklist(['done', 'failed', 'open']),
  reason: v.optional(v.nullable(v.string())),
  product: v.optional(v.unknown()),
  documents: v.optional(v.unknown()),
});

function researchHere({ sql, roots }: ThingsHere, id: string): Record<string, unknown> | undefined {
  const { board } = openResearches(sql, { readOnly: true });
  const exported = exportedResearch(board, id, roots) as Record<string, unknown> | undefined;
  if (exported === undefined) return undefined;
  // Drafts are their writer's, and what was spent is told where it was; what changes with every step is left out.
  const nothing = { dollars: 0, tokens: 0, time: 0, requests: 0, toolCalls: 0 };
  const shared = {
    ...exported,
    ...{ drafts: undefined, products: undefined, spent: nothing, changedAt: exported['createdAt'] },
  };
  return JSON.parse(JSON.stringify(shared)) as Record<string, unknown>;
}

/** Each part as it is where it was changed; of the remarks all that were made and none that was taken away. */
function mergedResearch(
  base: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...theirs };
  for (const [name, value] of Object.entries(ours))
    if (!isDeepStrictEqual(value, base[name])) merged[name] = value;
  const remarks = (from: Readonly<Record<string, unknown>>): Map<string, unknown> => {
    const list: unknown = from['comments'];
    return new Map(
      Array.isArray(list)
        ? list.map((one) => [JSON.stringify({ ...(one as object), isHeard: undefined }), one])
        : [],
    );
  };
  const [before, there, here] = [remarks(base), remarks(theirs), remarks(ours)];
  const all = new Map([...there, ...here]);
  merged['comments'] = [...all].flatMap(([key, one]) =>
    before.has(key) && !(there.has(key) && here.has(key)) ? [] : [one],
  );
  return merged;
}

function writeResearch({ sql }: ThingsHere, read: ReturnType<typeof readResearch>): void {
  const { id, goal, scope, bounds, options, report, plan, comments } = read;
  const { board, changes } = openResearches(sql);
  const there = board.research({ researchId: id });
  if (there === undefined) return;
  sql.run(
    'UPDATE researches SET goal = ?, scope = ?, bounds = ?, options = ?, report = ? WHERE id = ?',
    goal,
    scope === undefined ? null : JSON.stringify(scope),
    JSON.stringify(bounds),
    // Which of the editor's tools may be used was agreed to here.
    JSON.stringify({ ...options, tools: there.options.tools }),
    report ?? null,
    id,
  );
  sql.run('DELETE FROM research_comments WHERE research_id = ?', id);
  for (const { stepId, text, writtenAt, isHeard } of comments)
    sql.run(
      'INSERT INTO research_comments (id, research_id, step_id, text, written_at, is_heard) VALUES (?, ?, ?, ?, ?, ?)',
      randomUUID(),
      id,
      stepId ?? null,
      text,
      writtenAt,
      Number(isHeard),
    );
  const number = Number(changes.row(id)['plan_number']);
  if (plan === undefined || isDeepStrictEqual(plan, asJson(planAt(sql, id, number)))) return;
  checkPlan(plan);
  const after = new Map(plan.steps.map((step) => [step.id, step]));
  for (const step of there.steps) {
    const { id: stepId, action, target, materials, tools, produces, quantity } = step;
    const now = { id: stepId, action, target, materials, tools, produces, quantity };
    if (isDeepStrictEqual(asJson(now), after.get(stepId))) continue;
    sql.run('DELETE FROM research_products WHERE research_id = ? AND id = ?', id, produces);
    reopen(sql, id, stepId);
  }
  board.setPlan({ researchId: id, plan, basedOn: there.planVersion });
}

function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function stepHere(here: ThingsHere, research: string, step: string): Record<string, unknown> | undefined {
  const { sql, roots } = here;
  const row = sql.get(
    'SELECT state, reason, step FROM research_steps WHERE research_id = ? AND id = ? AND place IS NOT NULL',
    research,
    step,
  );
  if (row === undefined) return undefined;
  if (row['state'] === 'failed') return { state: 'failed', reason: row['reason'] };
  const made = sql.get(
    'SELECT id FROM research_products WHERE research_id = ? AND step_id = ?',
    research,
    step,
  );
  const product = made && findProduct(sql, research, String(made['id']));
  if (row['state'] !== 'done' || product === undefined) return { state: 'open' };
  const documents = namedDocuments(
    here,
    product.citations.map(({ documentId }) => documentId),
  );
  return { state: 'done', product: exportedProduct(product, roots), documents };
}

/** Names who made a product by hand: on their own machine they have no name. */
function named(value: Record<string, unknown>, member: string): Record<string, unknown> {
  const product = value['product'] as { readonly madeBy?: { kind?: unknown; name?: unknown } } | undefined;
  if (product?.madeBy?.kind !== 'user' || product.madeBy.name !== '') return value;
  return { ...value, product: { ...product, madeBy: { kind: 'user', name: member } } };
}

function productText(value: Readonly<Record<string, unknown>> | undefined): { readonly text: string } {
  const { product } = value ?? {};
  const cited = (product as { cited?: { text?: unknown } } | undefined)?.cited;
  return { text: typeof cited?.text === 'string' ? cited.text : '' };
}

function writeStep(
  here: ThingsHere,
  research: string,
  step: string,
  value: Readonly<Record<string, unknown>>,
): void {
  const { sql } = here;
  const row = sql.get(
    'SELECT step FROM research_steps WHERE research_id = ? AND id = ? AND place IS NOT NULL',
    research,
    step,
  );
  // Its plan comes after it.
  if (row === undefined || isDeepStrictEqual(asJson(stepHere(here, research, step)), value)) return;
  const { state, reason, product, documents } = v.parse(takenStep, value);
  const { produces } = JSON.parse(String(row['step'])) as { readonly produces: string };
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
  const made = readProduct(product, numbersHere(here, documents));
  if (made.id !== produces) throw new Error('A product of another step.');
  writeProduct(sql, research, step, made, undefined);
  sql.run(
    `UPDATE research_steps SET state = 'done', holder = ?, token = NULL, held_until = NULL, reason = NULL, is_anew = 0,
       same_as = NULL, pair = NULL, ended_at = ? WHERE research_id = ? AND id = ?`,
    JSON.stringify(made.madeBy),
    made.madeAt,
    research,
    step,
  );
}

function reopen(sql: ThingsHere['sql'], research: string, step: string): void {
  sql.run(
    `UPDATE research_steps SET state = 'open', token = NULL, held_until = NULL, holder = NULL, attempts = 0,
       reason = NULL, same_as = NULL, pair = NULL, started_at = NULL, ended_at = NULL WHERE research_id = ? AND id = ?`,
    research,
    step,
  );
}

/** What follows from the steps as they are now, and that others look at it. */
function settled({ sql }: ThingsHere, research: string): void {
  if (sql.get('SELECT 1 FROM researches WHERE id = ?', research) === undefined) return;
  settle(openResearches(sql).changes, research);
  touch(sql, research);
}

function touch(sql: ThingsHere['sql'], research: string): void {
  sql.run(
    'UPDATE researches SET revision = revision + 1, changed_at = max(changed_at, ?) WHERE id = ?',
    Date.now(),
    research,
  );
}

function isStepWaiting({ sql }: ThingsHere, research: string, step: string): boolean {
  return (
    sql.get("SELECT 1 FROM team_outbox WHERE kind = 'step' AND id = ?", `${research}/${step}`) !== undefined
  );
}

function splitStep(id: string): [research: string, step: string] {
  const at = id.indexOf('/');
  return [id.slice(0, at), id.slice(at + 1)];
}
