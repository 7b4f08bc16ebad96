import * as v from 'valibot';
import type { Citation, Statement } from '../../../core/domain/answer.ts';
import {
  OBJECTION_RULES,
  type Bounds,
  type Holder,
  type Objection,
  type Plan,
  type PlanStep,
  type Product,
  type ProductCheck,
  type RecordedEvent,
  type ResearchMemory,
  type ResearchOptions,
  type ResearchState,
} from '../model/project.ts';
import { fitting, jsonObject, maybe } from '../../../core/domain/json-schemas.ts';
import {
  storedCitation,
  storedStatement,
  storedUncorrected,
  readJson,
  type StoredSchema,
} from '../../../index/store/database/stored-json.ts';

/*
 * Schemas for the JSON of research projects. From lists they only drop damaged entries and those that a newer version
 * wrote.
 */

const texts = v.array(v.string());
const unknowns: StoredSchema<unknown[]> = v.array(v.unknown());

export const storedStep: StoredSchema<PlanStep> = v.looseObject({
  id: v.string(),
  action: v.string(),
  target: v.string(),
  materials: texts,
  tools: texts,
  produces: v.string(),
  quantity: v.number(),
  columns: maybe(texts),
});

export const storedPlan: StoredSchema<Plan> = v.looseObject({
  steps: fitting(storedStep),
  parts: v.fallback(fitting(v.looseObject({ text: v.string(), product: v.string() })), []),
});

export const NO_PLAN: Plan = { steps: [], parts: [] };

export const storedHolder: StoredSchema<Holder> = v.looseObject({
  kind: v.picklist(['model', 'user']),
  name: v.string(),
  window: v.string(),
});

/** Substitute for a lost name. */
export const LOST_HOLDER: Holder = { kind: 'model', name: '', window: '' };

const most = maybe(v.pipe(v.number(), v.minValue(0)));
export const storedBounds: StoredSchema<Bounds> = v.looseObject({
  dollars: most,
  tokens: most,
  time: most,
  requests: most,
  toolCalls: most,
});

/**
 * Substitute for the lost options of a research project: nothing runs or enters a report without the user's approval.
 */
export const LOST_OPTIONS: ResearchOptions = {
  approves: true,
  keepsUnsupported: false,
  workers: 1,
  tools: [],
};

export const storedOptions: StoredSchema<ResearchOptions> = v.looseObject({
  approves: v.fallback(v.boolean(), LOST_OPTIONS.approves),
  keepsUnsupported: v.fallback(v.boolean(), LOST_OPTIONS.keepsUnsupported),
  workers: v.fallback(v.number(), LOST_OPTIONS.workers),
  tools: v.fallback(texts, []),
});

export const storedObjections: StoredSchema<Objection[]> = fitting(
  v.looseObject({
    stepId: v.optional(v.string(), () => undefined),
    // An issue stays even if its rule is unknown.
    rule: v.fallback(v.picklist(OBJECTION_RULES), 'model'),
    text: v.string(),
  }),
);

export const storedResearchState = v.picklist([
  ...(['done', 'failed', 'paused', 'planned', 'planning', 'running'] satisfies ResearchState[]),
]);

const count = v.fallback(v.number(), 0);
export const storedCheck: StoredSchema<ProductCheck> = v.pipe(
  v.looseObject({
    claims: count,
    supported: count,
    partly: count,
    unchecked: maybe(v.number()),
    cut: v.fallback(texts, []),
  }),
  v.transform(({ beforeCorrection: _beforeCorrection, ...check }) => check),
);

/** Schema for the text before a correction, which is in the same column as the check. */
export const storedCorrection: StoredSchema<Pick<Product, 'beforeCorrection'>> = v.object({
  beforeCorrection: maybe(storedUncorrected),
});

export const NOTHING_CHECKED: ProductCheck = { claims: 0, supported: 0, partly: 0, cut: [] };

/** Returns the statements and citations of a text, without those that don't match the text or each other. */
export function readCited(
  text: string,
  statementsJson: unknown,
  citationsJson: unknown,
): { readonly statements: Statement[]; readonly citations: Citation[] } {
  const citations: Citation[] = [];
  const places = new Map<number, number>();
  for (const [place, one] of readJson(unknowns, citationsJson, []).entries()) {
    const read = v.safeParse(storedCitation, one);
    if (!read.success) continue;
    places.set(place, citations.length);
    citations.push(read.output);
  }
  const statements = readJson(fitting(storedStatement), statementsJson, [])
    .filter(({ start, end }) => 0 <= start && start <= end && end <= text.length)
    .map((statement) => ({
      ...statement,
      citations: statement.citations.flatMap((place) => places.get(place) ?? []),
    }));
  return { statements, citations };
}

const error = v.exactOptional(v.string());
export const storedEvent: StoredSchema<RecordedEvent> = v.variant('kind', [
  v.looseObject({
    kind: v.literal('request'),
    purpose: v.string(),
    model: v.string(),
    messages: fitting(v.looseObject({ role: v.string(), content: v.string() })),
    reply: v.string(),
    input: count,
    output: count,
    time: count,
    error,
    windowTokens: v.exactOptional(v.number()),
    takesTools: v.exactOptional(v.boolean()),
  }),
  v.looseObject({
    kind: v.literal('tool'),
    skill: v.string(),
    input: jsonObject,
    result: v.string(),
    time: count,
    error,
  }),
  v.looseObject({ kind: v.literal('sent-back'), problems: texts, text: v.string() }),
  v.looseObject({
    kind: v.literal('deed'),
    deed: v.string(),
    by: storedHolder,
    text: v.exactOptional(v.string()),
  }),
]);

export const storedMemory: StoredSchema<Omit<ResearchMemory, 'id' | 'keptAt'>> = v.looseObject({
  goal: v.string(),
  situation: v.looseObject({ sources: v.fallback(texts, []), open: v.fallback(texts, []) }),
  plan: storedPlan,
  products: v.fallback(v.record(v.string(), v.string()), {}),
  figures: v.exactOptional(
    v.fallback(fitting(v.looseObject({ product: v.string(), numbers: texts, text: v.string() })), []),
  ),
  spent: v.looseObject({ dollars: count, tokens: count, time: count, requests: count, toolCalls: count }),
  isShared: v.fallback(v.boolean(), false),
});
