import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { parseBounded } from '../../../core/domain/bounded-json.ts';
import { pathRule } from '../../../core/domain/included-paths.ts';
import {
  planStep,
  SOURCE_PREFIX,
  type Plan,
  type PlanStep,
  type Product,
  type ResearchLimits,
} from '../model/project.ts';
import { researchAsMarkdown } from '../model/markdown.ts';
import type { ResearchBoard } from '../model/board.ts';
import { openResearches } from './board.ts';
import { checkPlan } from './plans.ts';
import { toProduct, writeProduct } from './products.ts';
import { NO_PLAN, storedPlan, storedStep } from './stored-json.ts';
import type { VerdictMarkStyle } from '../../../core/domain/verdict-marks.ts';
import type { AddedEntity } from '../../../index/library/library-api.ts';
import type {
  EntityAsMarkdown,
  ExportedEntities,
  PortableFeature,
  Renumbering,
} from '../../../index/library/portable-feature.ts';
import type { Row } from '../../../index/store/database/database.ts';
import { readJson, readOptionalJson, storedScope } from '../../../index/store/database/stored-json.ts';
import { type Statements, optionalJson } from '../../../index/store/database/statements.ts';
import { count, finite, optional, title, wholeNumber } from '../../../index/library/exported-values.ts';
import { portableCitation } from '../../../index/library/portable-places.ts';
import { readCitedText, type ImportedPlaces } from '../../../index/library/read-citations.ts';

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

const productFields = {
  id: text,
  cited: v.unknown(),
  check: v.object({
    ...{ claims: count(), supported: count(), partly: count(), cut: v.array(text) },
    unchecked: v.exactOptional(count()),
  }),
  madeBy: holder,
  madeAt: wholeNumber,
};

const product = v.pipe(
  v.object(productFields),
  v.transform(({ madeBy: createdBy, madeAt: createdAt, ...others }) => ({ ...others, createdBy, createdAt })),
);

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
  products: v.array(v.object({ ...productFields, stepId: text })),
});

/**
 * Returns the research projects of a notebook for export, each as JSON with plan and results, the last changed first.
 * They are in the head, where older versions ignore them. Step assignments and records, which contain prompts, aren't
 * exported.
 */
export function exportedResearches(
  sql: Statements,
  roots: readonly string[],
  limit = MAX_EXPORTED_LENGTH,
): ExportedEntities {
  const { board } = openResearches(sql, { readOnly: true });
  const exported: string[] = [];
  const leftOut: string[] = [];
  let length = 0;
  for (const { id: researchId, goal } of board.researches()) {
    const project = exported.length < MAX_PROJECTS ? exportedResearch(board, researchId, roots) : undefined;
    const json = JSON.stringify(project ?? null);
    if (project === undefined || length + json.length > limit) {
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
  { id, text, statements, citations, check, createdBy: { kind, name }, createdAt }: Product,
  roots: readonly string[],
): object {
  const cited = {
    text,
    statements,
    citations: citations.map((citation) => portableCitation(citation, roots)),
  };
  return { id, cited, check, madeBy: { kind, name }, madeAt: createdAt };
}

/**
 * Adds the research projects of an exported notebook. Running ones are paused until the user resumes them.
 * @throws ValiError, SyntaxError
 */
function importResearches(
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
  const { id, cited, check, createdBy, createdAt } = v.parse(product, json);
  // An imported result must not look like a result of a window on this machine.
  return {
    id,
    ...readCitedText(cited, places),
    check,
    createdBy: { ...createdBy, window: '' },
    createdAt,
  };
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
  const productIds = new Set(from.products.map((portable) => portable.id));
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
      JSON.stringify(product.createdBy),
      product.createdAt,
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

/** Adds the research projects that the other notebook lacks. */
function mergeResearches(origin: Statements, target: Statements, renumbering: Renumbering): AddedEntity[] {
  const added = origin
    .all('SELECT * FROM researches ORDER BY created_at, rowid')
    .filter((research) => !target.has('SELECT 1 FROM researches WHERE id = ?', String(research['id'])));
  return added.map((research) => {
    const id = String(research['id']);
    const scope = readOptionalJson(storedScope, research['scope']);
    target.copyRow('researches', {
      ...research,
      scope: scope === undefined ? null : JSON.stringify(renumbering.scope(scope)),
    });
    const readRows = (table: string): Row[] => origin.all(`SELECT * FROM ${table} WHERE research_id = ?`, id);
    for (const row of readRows('research_plans')) {
      const plan = readJson(storedPlan, row['plan'], NO_PLAN);
      const steps = plan.steps.map((step) => mapStep(step, renumbering));
      target.copyRow('research_plans', { ...row, plan: JSON.stringify({ ...plan, steps }) });
    }
    for (const row of readRows('research_steps')) {
      const step = readOptionalJson(storedStep, row['step']);
      if (step === undefined) continue;
      target.copyRow('research_steps', { ...row, step: JSON.stringify(mapStep(step, renumbering)) });
    }
    for (const row of readRows('research_products')) {
      const product = toProduct(row);
      const citations = product.citations.map(renumbering.citation);
      writeProduct(target, id, String(row['step_id']), { ...product, citations }, undefined);
    }
    for (const row of readRows('research_comments')) target.copyRow('research_comments', row);
    return { id, changedAt: Number(research['changed_at']) };
  });
}

/** Replaces the source IDs in a step's inputs with those of the other notebook. */
function mapStep(step: PlanStep, { sourceId }: Renumbering): PlanStep {
  const materials = step.materials.map((material) => {
    if (!material.startsWith(SOURCE_PREFIX)) return material;
    return `${SOURCE_PREFIX}${sourceId(material.slice(SOURCE_PREFIX.length))}`;
  });
  return { ...step, materials };
}

/** Removes research projects that were added by merging, except those that were changed since. */
function unmergeResearches(sql: Statements, added: readonly AddedEntity[]): void {
  for (const { id, changedAt = null } of added)
    sql.run('DELETE FROM researches WHERE id = ? AND changed_at = ?', id, changedAt);
}

/** Releases the steps that windows of the original work on, and pauses its running projects. */
function resetCopy(sql: Statements): void {
  sql.run(
    `UPDATE research_steps SET state = 'open', holder = NULL, token = NULL, held_until = NULL, started_at = NULL
     WHERE state = 'in-progress'`,
  );
  sql.run("UPDATE researches SET state = 'paused' WHERE state IN ('planning', 'running')");
}

/** Yields the research projects as Markdown, with their results. */
function* researchesAsMarkdown(sql: Statements, style: VerdictMarkStyle): Generator<EntityAsMarkdown> {
  const { board } = openResearches(sql, { readOnly: true });
  for (const { id: researchId, goal } of board.researches()) {
    const project = board.research({ researchId });
    if (project === undefined) continue;
    const products = project.products.flatMap(
      ({ id: productId }) => board.product({ researchId, productId }) ?? [],
    );
    yield { folder: 'Researches', title: goal, text: researchAsMarkdown(project, products, style) };
  }
}

/** Export, import, and merging of research projects. */
export const portableResearches: PortableFeature = {
  field: 'researches',
  head: { exported: exportedResearches, imported: importResearches },
  merge: mergeResearches,
  unmerge: unmergeResearches,
  resetCopy,
  asMarkdown: researchesAsMarkdown,
};
