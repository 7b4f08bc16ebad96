import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { parseBounded } from '../../../notebook/bounded-json.ts';
import { pathRule } from '../../../notebook/included-paths.ts';
import { planStep, type Plan, type Product, type ResearchLimits } from '../model/project.ts';
import type { ResearchBoard } from '../model/board.ts';
import { openResearches } from './board.ts';
import { checkPlan } from './plans.ts';
import { writeProduct } from './products.ts';
import { type Statements, optionalJson } from '../../../indexing/store/database/statements.ts';
import { count, finite, optional, title, wholeNumber } from '../../../indexing/library/exported-values.ts';
import { portableCitation } from '../../../indexing/library/portable-places.ts';
import { readCitedText, type ImportedPlaces } from '../../../indexing/library/read-citations.ts';

/**
 * Maximum size of the exported research projects, in UTF-16 code units. The export reports the projects that don't fit.
 */
const MAX_EXPORTED_LENGTH = 64 * 2 ** 20;
const MAX_PROJECTS = 1_000;
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
  columns: v.exactOptional(v.array(text)),
});
const holder = v.object({ kind: v.picklist(['model', 'user']), name: text });

const product = v.object({
  id: text,
  cited: v.unknown(),
  check: v.object({
    ...{ claims: count(), supported: count(), partly: count(), cut: v.array(text) },
    unchecked: v.exactOptional(count()),
  }),
  madeBy: holder,
  madeAt: wholeNumber,
});

const research = v.object({
  id: v.pipe(text, v.regex(/^[\w-]{1,64}$/)),
  goal: title,
  createdAt: wholeNumber,
  changedAt: wholeNumber,
  scope: optional(
    v.object({
      kind: v.literal('sources'),
      sourceIds: v.array(text),
      mentioned: v.boolean(),
      paths: v.exactOptional(v.array(pathRule)),
    }),
  ),
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
  products: v.array(v.object({ ...product.entries, stepId: text })),
});

interface ExportedResearches {
  readonly exported: readonly string[];
  /** Goals of the projects that didn't fit. */
  readonly leftOut: readonly string[];
}

/**
 * Returns the research projects of a notebook for export, each as JSON with plan and results, the last changed first.
 * They are in the head, where older versions ignore them. Step assignments and records, which contain prompts, aren't
 * exported.
 */
export function exportedResearches(
  sql: Statements,
  roots: readonly string[],
  limit = MAX_EXPORTED_LENGTH,
): ExportedResearches {
  const { board } = openResearches(sql, { readOnly: true });
  const exported: string[] = [];
  const leftOut: string[] = [];
  let length = 0;
  for (const { id: researchId, goal } of board.researches()) {
    const one = exported.length < MAX_PROJECTS ? exportedResearch(board, researchId, roots) : undefined;
    const json = JSON.stringify(one ?? null);
    if (one === undefined || length + json.length > limit) {
      leftOut.push(goal);
      continue;
    }
    length += json.length;
    exported.push(json);
  }
  return { exported, leftOut };
}

/** Returns a research project for export; undefined if it doesn't exist. */
export function exportedResearch(
  board: ResearchBoard,
  researchId: string,
  roots: readonly string[],
): object | undefined {
  const research = board.research({ researchId });
  if (research === undefined) return undefined;
  const { goal, createdAt, changedAt, scope, bounds, spent, report, comments, steps, parts } = research;
  const { approves, keepsUnsupported, workers } = research.options;
  const plan: Plan = {
    steps: steps.map(planStep),
    parts,
  };
  const products = research.products.flatMap(({ id, stepId }) => {
    const product = board.product({ researchId, productId: id });
    return product === undefined ? [] : [{ ...exportedProduct(product, roots), stepId }];
  });
  return {
    ...{ id: researchId, goal, createdAt, changedAt, bounds, spent, report, comments, products },
    scope: scope?.kind === 'sources' ? scope : undefined,
    // The user's consent to the editor's tools is only valid here.
    options: { approves, keepsUnsupported, workers },
    plan: research.planVersion === 0 ? undefined : plan,
    drafts: Object.fromEntries(steps.flatMap(({ id, draft }) => (draft === '' ? [] : [[id, draft]]))),
  };
}

/** Returns a result for export, without its step. */
export function exportedProduct(
  { id, text, statements, citations, check, madeBy: { kind, name }, madeAt }: Product,
  roots: readonly string[],
): object {
  const cited = { text, statements, citations: citations.map((one) => portableCitation(one, roots)) };
  return { id, cited, check, madeBy: { kind, name }, madeAt };
}

/**
 * Adds the research projects of an exported notebook. Running ones are paused until the user resumes them.
 * @throws ValiError, SyntaxError
 */
export function importResearches(
  sql: Statements,
  exported: readonly string[],
  places: ImportedPlaces,
  limits: ResearchLimits,
): void {
  if (exported.length > MAX_PROJECTS) throw new RangeError('There are too many researches.');
  sql.transaction(() => {
    for (const json of exported)
      importResearch(sql, v.parse(research, parseBounded(json, BOUNDS)), places, limits);
  });
}

type ExportedResearch = v.InferOutput<typeof research>;

/** Parses an exported research project. @throws ValiError if it isn't valid */
export function readResearch(json: unknown): ExportedResearch {
  return v.parse(research, json);
}

/** Parses an exported result. @throws ValiError if it isn't valid */
export function readProduct(json: unknown, places: ImportedPlaces): Product {
  const { id, cited, check, madeBy, madeAt } = v.parse(product, json);
  // An imported result must not look like one from a window of this machine.
  return { id, ...readCitedText(cited, places), check, madeBy: { ...madeBy, window: '' }, madeAt };
}

/**
 * Adds a new research project within a transaction. Its budget comes from this machine, which pays for it, and not from
 * its author.
 */
export function importResearch(
  sql: Statements,
  from: ExportedResearch,
  places: ImportedPlaces,
  { bounds, options }: ResearchLimits,
): void {
  const { id, spent, plan, drafts } = from;
  const productIds = new Set(from.products.map((one) => one.id));
  const steps = plan?.steps ?? [];
  const isDone = steps.length > 0 && steps.every(({ produces }) => productIds.has(produces));
  sql.insert('researches', {
    id,
    goal: from.goal,
    state: isDone ? 'done' : 'paused',
    created_at: from.createdAt,
    changed_at: from.changedAt,
    scope: optionalJson(from.scope),
    bounds: JSON.stringify(bounds),
    options: JSON.stringify(options),
    report: from.report,
    plan_version: plan === undefined ? 0 : 1,
    plan_number: plan === undefined ? 0 : 1,
    dollars: spent.dollars,
    tokens: spent.tokens,
    time: spent.time,
    requests: spent.requests,
    tool_calls: spent.toolCalls,
  });
  if (plan !== undefined) {
    checkPlan(plan);
    sql.insert('research_plans', { research_id: id, number: 1, plan: JSON.stringify(plan) });
    for (const [place, one] of plan.steps.entries())
      sql.insert('research_steps', {
        research_id: id,
        id: one.id,
        place,
        step: JSON.stringify(one),
        state: productIds.has(one.produces) ? 'done' : 'open',
        draft: drafts[one.id] ?? '',
      });
  }
  for (const { stepId, ...json } of from.products) {
    const product = readProduct(json, places);
    writeProduct(sql, id, stepId, product, undefined);
    sql.run(
      'UPDATE research_steps SET holder = ?, ended_at = ? WHERE research_id = ? AND id = ?',
      JSON.stringify(product.madeBy),
      product.madeAt,
      id,
      stepId,
    );
  }
  for (const { stepId, text: words, writtenAt, isHeard } of from.comments)
    sql.insert('research_comments', {
      id: randomUUID(),
      research_id: id,
      step_id: stepId,
      text: words,
      written_at: writtenAt,
      is_heard: isHeard,
    });
}
