import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { parseBounded } from '../../notebook/bounded-json.ts';
import type { Plan } from '../../notebook/research.ts';
import { openResearches } from '../store/research.ts';
import { checkPlan } from '../store/research-plans.ts';
import { writeProduct } from '../store/research-products.ts';
import type { Statements } from '../store/statements.ts';
import { count, finite, optional, title, wholeNumber } from './exported-values.ts';
import { portableCitation } from './portable-places.ts';
import { readCitedText, type Here } from './read-citations.ts';

/** So much of researches goes into an exported notebook, in UTF-16 code units: of what is beyond, the oldest stay. */
const MOST_EXPORTED = 64 * 2 ** 20;
const MOST_RESEARCHES = 1_000;
const BOUNDS = { depth: 50, values: 1_000_000 };

const amount = v.pipe(finite, v.minValue(0));
const text = v.string();
const step = v.object({
  id: text,
  action: text,
  target: title,
  materials: v.array(text),
  tools: v.array(text),
  produces: text,
  quantity: finite,
});
const holder = v.object({ kind: v.picklist(['model', 'user']), name: text });

const research = v.object({
  id: v.pipe(text, v.regex(/^[\w-]{1,64}$/)),
  goal: title,
  createdAt: wholeNumber,
  changedAt: wholeNumber,
  scope: optional(v.object({ kind: v.literal('sources'), sourceIds: v.array(text), mentioned: v.boolean() })),
  bounds: v.object({
    dollars: optional(amount),
    tokens: optional(amount),
    time: optional(amount),
    requests: optional(amount),
    toolCalls: optional(amount),
  }),
  options: v.object({ approves: v.boolean(), keepsUnsupported: v.boolean(), workers: count(100) }),
  spent: v.object({
    dollars: amount,
    tokens: count(),
    time: count(),
    requests: count(),
    toolCalls: count(),
  }),
  report: optional(text),
  plan: optional(v.object({ steps: v.array(step), parts: v.array(v.object({ text, product: text })) })),
  comments: v.array(v.object({ stepId: optional(text), text, writtenAt: wholeNumber, isHeard: v.boolean() })),
  drafts: v.record(text, text),
  products: v.array(
    v.object({
      id: text,
      stepId: text,
      cited: v.unknown(),
      check: v.object({ claims: count(), supported: count(), partly: count(), cut: v.array(text) }),
      madeBy: holder,
      madeAt: wholeNumber,
    }),
  ),
});

/**
 * The researches of a notebook as an exported one has them, each as JSON: their plans and products, the last changed
 * first. They stand in the head, where versions that know none pass over them. Nobody works on them there, so nobody
 * holds a step; records, which hold what models were told, stay here.
 */
export function exportedResearches(sql: Statements, roots: readonly string[]): string[] {
  const { board } = openResearches(sql, { readOnly: true });
  const exported: string[] = [];
  let length = 0;
  for (const { id: researchId } of board.researches().slice(0, MOST_RESEARCHES)) {
    const research = board.research({ researchId });
    if (research === undefined) continue;
    const { goal, createdAt, changedAt, scope, bounds, spent, report, comments, steps, parts } = research;
    const { approves, keepsUnsupported, workers } = research.options;
    const plan: Plan = {
      steps: steps.map(({ id, action, target, materials, tools, produces, quantity }) => ({
        ...{ id, action, target, materials, tools, produces, quantity },
      })),
      parts,
    };
    const products = research.products.flatMap(({ id, stepId }) => {
      const product = board.product({ researchId, productId: id });
      if (product === undefined) return [];
      const { text, statements, check, madeBy, madeAt } = product;
      const citations = product.citations.map((citation) => portableCitation(citation, roots));
      const { kind, name } = madeBy;
      return [{ id, stepId, cited: { text, statements, citations }, check, madeBy: { kind, name }, madeAt }];
    });
    const json = JSON.stringify({
      ...{ id: researchId, goal, createdAt, changedAt, bounds, spent, report, comments, products },
      scope: scope?.kind === 'sources' ? scope : undefined,
      // Which of the editor's tools may be used was agreed to here, not elsewhere.
      options: { approves, keepsUnsupported, workers },
      plan: research.planVersion === 0 ? undefined : plan,
      drafts: Object.fromEntries(steps.flatMap(({ id, draft }) => (draft === '' ? [] : [[id, draft]]))),
    });
    length += json.length;
    if (length > MOST_EXPORTED) break;
    exported.push(json);
  }
  return exported;
}

/** Adds the researches of an exported notebook; what was going on there waits for the user here. @throws ValiError, SyntaxError */
export function importResearches(sql: Statements, exported: readonly string[], here: Here): void {
  if (exported.length > MOST_RESEARCHES) throw new RangeError('There are too many researches.');
  sql.transaction(() => {
    for (const json of exported) importResearch(sql, v.parse(research, parseBounded(json, BOUNDS)), here);
  });
}

function importResearch(sql: Statements, from: v.InferOutput<typeof research>, here: Here): void {
  const { id, spent, plan, drafts } = from;
  const made = new Set(from.products.map((product) => product.id));
  const steps = plan?.steps ?? [];
  const isDone = steps.length > 0 && steps.every(({ produces }) => made.has(produces));
  sql.run(
    `INSERT INTO researches (id, goal, state, created_at, changed_at, scope, bounds, options, report, plan_version,
       plan_number, dollars, tokens, time, requests, tool_calls) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    from.goal,
    isDone ? 'done' : 'paused',
    from.createdAt,
    from.changedAt,
    from.scope === undefined ? null : JSON.stringify(from.scope),
    JSON.stringify(from.bounds),
    JSON.stringify({ ...from.options, tools: [] }),
    from.report ?? null,
    plan === undefined ? 0 : 1,
    plan === undefined ? 0 : 1,
    spent.dollars,
    spent.tokens,
    spent.time,
    spent.requests,
    spent.toolCalls,
  );
  if (plan !== undefined) {
    checkPlan(plan);
    sql.run(
      'INSERT INTO research_plans (research_id, number, plan) VALUES (?, 1, ?)',
      id,
      JSON.stringify(plan),
    );
    for (const [place, one] of plan.steps.entries())
      sql.run(
        'INSERT INTO research_steps (research_id, id, place, step, state, draft) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        one.id,
        place,
        JSON.stringify(one),
        made.has(one.produces) ? 'done' : 'open',
        drafts[one.id] ?? '',
      );
  }
  for (const { id: productId, stepId, cited, check, madeBy, madeAt } of from.products) {
    const product = {
      id: productId,
      ...readCitedText(cited, here),
      check,
      madeBy: { ...madeBy, window: '' },
      madeAt,
    };
    // Nothing that came from elsewhere is taken for what would be made here.
    writeProduct(sql, id, stepId, product, undefined);
    sql.run(
      'UPDATE research_steps SET holder = ?, ended_at = ? WHERE research_id = ? AND id = ?',
      JSON.stringify(product.madeBy),
      madeAt,
      id,
      stepId,
    );
  }
  for (const { stepId, text: words, writtenAt, isHeard } of from.comments)
    sql.run(
      'INSERT INTO research_comments (id, research_id, step_id, text, written_at, is_heard) VALUES (?, ?, ?, ?, ?, ?)',
      randomUUID(),
      id,
      stepId ?? null,
      words,
      writtenAt,
      Number(isHeard),
    );
}
