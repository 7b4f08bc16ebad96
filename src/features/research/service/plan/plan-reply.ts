import { numberIn } from '../../../../core/language/requested-format.ts';
import * as v from 'valibot';
import { ANY_QUANTITY, type GoalPart, type Plan, type PlanStep } from '../../model/project.ts';
import type { SkillLibrary } from '../skills/skill.ts';
import { issuesIn, jsonIn, type Understood } from '../../../../answers/models/ask-in-form.ts';
import type { SourceAliases } from './source-aliases.ts';
import { freeIds, isSource, nameKey, productName, findMakers } from './names.ts';
import { namesIn, planLinesIn } from './plan-lines.ts';

/** Maximum number of steps in a plan, of names in a step, and maximum lengths of texts in UTF-16 code units. */
const MAX_STEPS = 60;
const MAX_NAMES = 60;
const MAX_COLUMNS = 20;
const MAX_TARGET_LENGTH = 2_000;
const MAX_REASON_LENGTH = 1_000;

/** Marks the end of a target that the prompt shortened. */
export const CUT = '…';

/** Names that a reply can refer to. */
export interface Known {
  readonly goal: string;
  /** Parts of the goal behind `G1`, `G2`, and so on. */
  readonly ends: readonly string[];
  readonly handles: SourceAliases;
  readonly library: SkillLibrary;
  /** Plan being revised. */
  readonly previous?: Plan | undefined;
}

/** Plan, or the reason why a model can't make one. */
type PlanReply =
  | {
      readonly plan: Plan;
      /** Parts of the goal without a product. */ readonly left: readonly string[];
    }
  | { readonly reason: string };

const words = (limit: number) =>
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((text) => String(text).replaceAll(/\s+/g, ' ').trim().slice(0, limit).toWellFormed()),
  );
const name = words(200);
const material = v.union([
  name,
  v.pipe(
    v.object({ name, amount: v.optional(v.union([v.number(), v.string()])) }),
    v.transform((entry) => `${entry.amount === undefined ? '' : `${String(entry.amount)} `}${entry.name}`),
  ),
]);
const names = v.optional(
  v.union([
    v.pipe(
      v.array(material),
      v.transform((listed) => listed.slice(0, MAX_NAMES)),
    ),
    v.pipe(
      v.string(),
      v.transform((text) => namesIn(text).slice(0, MAX_NAMES)),
    ),
    v.pipe(
      v.null(),
      v.transform((): string[] => []),
    ),
  ]),
  [],
);
const step = v.object({
  id: v.optional(name, ''),
  action: name,
  target: words(MAX_TARGET_LENGTH),
  materials: names,
  tools: names,
  produces: name,
  quantity: v.optional(v.nullable(v.union([v.number(), v.string()])), ANY_QUANTITY),
  columns: v.optional(v.fallback(v.array(name), []), []),
});
const part = v.object({
  part: v.optional(name, ''),
  text: v.optional(words(MAX_TARGET_LENGTH), ''),
  product: name,
});
const replySchema = v.object({
  steps: v.optional(v.array(step), []),
  parts: v.optional(v.array(part), []),
  reason: v.optional(v.nullable(words(MAX_REASON_LENGTH))),
});
const reply = v.union([
  replySchema,
  v.pipe(
    v.array(step),
    v.transform((steps) => ({ steps, parts: [], reason: undefined })),
  ),
]);

type ParsedPlanReply = v.InferOutput<typeof replySchema>;

/**
 * Parses the plan in a model's reply, as JSON or as lines. Normalizes names: sources for their handles, one spelling
 * per product, new IDs for new steps, and the IDs of the previous plan for its steps.
 */
export function planIn(text: string, known: Known): Understood<PlanReply> {
  const json = jsonIn(text);
  let read: ParsedPlanReply;
  if (json === undefined) read = fromLines(text);
  else {
    const parsed = v.safeParse(Array.isArray(json) ? reply.options[1] : replySchema, json);
    if (!parsed.success) return { wrong: issuesIn(parsed.issues) };
    read = parsed.output;
  }
  if (read.steps.length > MAX_STEPS)
    return { wrong: `it has ${String(read.steps.length)} steps; ${String(MAX_STEPS)} are the most.` };
  if (read.steps.length > 0) return { value: normalizeReply(read, known) };
  const reason = read.reason ?? '';
  if (reason !== '') return { value: { reason } };
  return {
    wrong:
      json === undefined
        ? 'there is neither JSON nor a line such as `1. search: what is said about X (uses S1) -> notes-on-x` in it.'
        : 'it has no steps. Where no plan can be made, say why: {"reason": "…"}.',
  };
}

function fromLines(text: string): ParsedPlanReply {
  const lines = planLinesIn(text);
  return {
    steps: lines.flatMap((line) =>
      line.kind === 'step'
        ? [{ ...line, materials: [...line.materials], tools: [...line.tools], columns: [] }]
        : [],
    ),
    parts: lines.flatMap((line) =>
      line.kind === 'part' ? [{ part: line.text, text: '', product: line.product }] : [],
    ),
    reason: lines.find((line) => line.kind === 'reason')?.text,
  };
}

function normalizeReply({ steps, parts }: ParsedPlanReply, known: Known): PlanReply {
  const withIds = assignIds(steps, known.previous);
  const products = new Map(withIds.map(({ produces }) => [nameKey(produces), productName(produces)]));
  const byId = new Map<string, string>();
  for (const { writtenId: id, produces } of withIds)
    if (id !== '' && !byId.has(id)) byId.set(id, productName(produces));

  /** A product has precedence over a source, and a source over the step that makes the product. */
  const meant = (written: string): string | undefined =>
    products.get(nameKey(written)) ??
    known.handles.toMaterial(written) ??
    byId.get(written.trim()) ??
    byId.get(written.trim().toLowerCase());
  const amounts: Amounts = new Map(withIds.map(({ id }) => [id, new Map<string, number>()]));
  const readMaterial = (written: string, id: string): string => {
    const whole = meant(written);
    if (whole !== undefined) return whole;
    const [, amount = '', rest = ''] = /^(\d{1,6})\s?[x×]?\s(.+)$/su.exec(written.trim()) ?? [];
    const product =
      rest === ''
        ? undefined
        : (meant(rest) ?? (rest.endsWith('s') ? meant(rest.slice(0, -1)) : meant(`${rest}s`)));
    if (product === undefined) return skillNamed(written, known.library) ?? (productName(written) || written);
    if (!isSource(product)) amounts.get(id)?.set(product, Number(amount));
    return product;
  };
  const plan: Plan = {
    steps: withIds.map(({ id, action, target, materials, tools, produces, quantity, columns }): PlanStep => ({
      id,
      action: skillNamed(action, known.library) ?? action,
      target,
      materials: [
        ...new Set(
          materials.filter((each) => namesIn(each).length > 0).map((each) => readMaterial(each, id)),
        ),
      ],
      tools: [
        ...new Set(
          tools
            .filter((each) => namesIn(each).length > 0)
            .map((tool) => skillNamed(tool, known.library) ?? meant(tool) ?? tool),
        ),
      ],
      produces: productName(produces),
      quantity: readQuantity(quantity),
      ...readColumns(columns),
    })),
    parts: [],
  };
  const ends = readParts(plan, parts, known, meant);
  return { plan: fillQuantities({ ...plan, parts: ends.parts }, amounts), left: ends.left };
}

/**
 * Assigns IDs to steps. A step with the product of a previous step is that step, even if the model numbers it
 * differently. A step with the ID of a previous step whose product is gone is that step, changed. All others are new.
 */
function assignIds(steps: ParsedPlanReply['steps'], previous: Plan | undefined) {
  const before = previous?.steps ?? [];
  const produced = new Set(steps.map(({ produces }) => productName(produces)));
  const ids = freeIds(before.map(({ id }) => id));
  const usedIds = new Set<string>();
  return steps.map((step) => {
    const product = productName(step.produces);
    const same =
      before.find((each) => each.produces === product) ??
      before.find((each) => each.id === step.id && !produced.has(each.produces));
    const id = same === undefined || usedIds.has(same.id) ? ids.next().value : same.id;
    usedIds.add(id);
    const begins = step.target.endsWith(CUT) ? step.target.slice(0, -CUT.length) : undefined;
    const target =
      begins !== undefined && same?.target.startsWith(begins) === true ? same.target : step.target;
    return { ...step, id, target, writtenId: step.id };
  });
}

/** Parses a quantity. An invalid quantity becomes 0, which the critic reports. */
function readQuantity(quantity: number | string | null): number {
  const number = typeof quantity === 'string' ? numberIn(quantity) : quantity;
  if (number === null || number === undefined) return ANY_QUANTITY;
  return Number.isSafeInteger(number) ? number : 0;
}

/** Returns the distinct columns of a step's table; undefined if the model names none. */
function readColumns(columns: readonly string[]): Pick<PlanStep, 'columns'> {
  const named = [...new Set(columns)].filter((column) => column !== '').slice(0, MAX_COLUMNS);
  return named.length === 0 ? {} : { columns: named };
}

/** Finds the skill that a model means, in any spelling. */
function skillNamed(written: string, { skills, composed }: SkillLibrary): string | undefined {
  const skillNames = [...skills, ...composed].map((skill) => skill.name);
  if (skillNames.includes(written)) return written;
  const key = nameKey(written);
  return key === '' ? undefined : skillNames.find((each) => nameKey(each) === key);
}

/** Returns the parts of the goal with their products, and the parts without one. */
function readParts(
  { steps }: Plan,
  parts: ParsedPlanReply['parts'],
  { goal, ends }: Known,
  meant: (written: string) => string | undefined,
): { readonly parts: readonly GoalPart[]; readonly left: readonly string[] } {
  const used = new Set<string>();
  const parsedParts = parts.map(({ part: handle, text, product }) => {
    const number = /^G(\d{1,2})(?:$|[:.\s])/i.exec(handle)?.[1] ?? /^G(\d{1,2})$/i.exec(text)?.[1];
    const end =
      ends[Number(number ?? 0) - 1] ?? ends.find((each) => nameKey(each) === nameKey(text || handle));
    if (end !== undefined) used.add(end);
    return { text: end ?? (text || handle || goal), product: meant(product) ?? productName(product) };
  });
  if (parsedParts.length > 0)
    return { parts: parsedParts, left: used.size === 0 ? [] : ends.filter((end) => !used.has(end)) };
  const finals = steps.filter(
    ({ id, produces }) => !steps.some((other) => other.id !== id && other.materials.includes(produces)),
  );
  const [final, ...others] = finals;
  if (final === undefined) return { parts: [], left: [] };
  // If the model names no parts, use the products that no step uses. Several such products are named by their own
  // targets.
  const inferred =
    others.length === 0
      ? ends.map((text) => ({ text, product: final.produces }))
      : finals.map(({ target, produces }) => ({ text: target, product: produces }));
  return { parts: inferred, left: [] };
}

/** Number of items of each material that one product needs, by step, as far as the model states it. */
type Amounts = ReadonlyMap<string, Map<string, number>>;

/**
 * Fills in open quantities that later steps determine: the sum of what these use. Two steps that make 2 and 3 rows of
 * one finding each need 5 findings. If one of them doesn't say how many it uses, or makes an unknown number itself, the
 * quantity stays open.
 */
function fillQuantities(plan: Plan, amounts: Amounts): Plan {
  const quantities = new Map(plan.steps.map(({ id, quantity }) => [id, quantity]));
  const makers = findMakers(plan.steps);
  const ends = new Set(plan.parts.map(({ product }) => product));
  const users = new Map(
    plan.steps.map((step) => [
      step.id,
      plan.steps.filter(({ materials }) => materials.includes(step.produces)),
    ]),
  );
  // Work backward from the ends. Each round settles at least one step, and a cycle never settles.
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const step of plan.steps) {
      const using = users.get(step.id) ?? [];
      const isOpen = quantities.get(step.id) === ANY_QUANTITY && makers.get(step.produces) === step;
      // The user may want all of a final product.
      if (!isOpen || using.length === 0 || ends.has(step.produces)) continue;
      const needed = using.reduce((sum, { id }) => {
        const amount = amounts.get(id)?.get(step.produces) ?? Number.NaN;
        const count = quantities.get(id) ?? ANY_QUANTITY;
        return sum + (count < 1 ? Number.NaN : amount * count);
      }, 0);
      if (!Number.isSafeInteger(needed) || needed < 1) continue;
      quantities.set(step.id, needed);
      isSettled = false;
    }
  }
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, quantity: quantities.get(step.id) ?? step.quantity })),
  };
}
