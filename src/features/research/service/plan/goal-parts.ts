import * as v from 'valibot';
import type { ChatMessage } from '../../../../answers/models/language-model.ts';
import {
  askForForm,
  issuesIn,
  jsonIn,
  type PlanningRequest,
  type Understood,
} from '../../../../answers/models/ask-in-form.ts';
import { replyLines } from './plan-lines.ts';

/** First line of the request for a goal's parts. */
export const PARTS_LINE = 'List what a research goal needs.';

/** Maximum number of parts that a goal requests, of needs of each part, and maximum depth. */
const MAX_GOAL_PARTS = 8;
const MAX_NEEDS = 6;
const MAX_DEPTH = 3;
const MAX_PART_LENGTH = 300;

/** Part of a goal, and its prerequisites. */
interface Need {
  readonly text: string;
  readonly needs: readonly Need[];
}

/** Parts of a goal, found by reasoning backward from its end. */
export interface GoalParts {
  /** Parts that the goal itself requests; the goal if the model named none. */
  readonly ends: readonly string[];
  /** The requested parts and their prerequisites, the goal first. Memories are searched with these. */
  readonly all: readonly string[];
  /** Parts of the goal as nested lines for a model; '' if the model named none. */
  readonly nestedLines: string;
}

const INSTRUCTIONS = [
  PARTS_LINE,
  'Think backward: first name the parts that the goal itself asks for. Then name, for each part, what has to exist before it can be made, and then what that needs. Use at most three levels, with few and short entries. Anything that the sources already contain needs nothing.',
  'Reply with JSON in one fenced block and nothing else:',
  '```json\n{"parts": [{"text": "a table of the figures", "needs": [{"text": "the figures of each report", "needs": []}]}]}\n```',
  'Write in the language of the goal.',
].join('\n');

/** Asks a model for the parts of a goal. If the model names none, the goal is the only part. */
export async function reasonBackward(
  request: PlanningRequest,
  goal: string,
  fencedSources: readonly string[],
): Promise<GoalParts> {
  const messages: ChatMessage[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: [...fencedSources, `Goal: ${goal}`].join('\n\n') },
  ];
  const understood = await askForForm(request, messages, partsIn);
  const needs = 'value' in understood ? understood.value : [];
  if (needs.length === 0) return { ends: [goal], all: [goal], nestedLines: '' };
  const ends = needs.map(({ text }) => text);
  return {
    ends,
    all: [...new Set([goal, ...needs.flatMap(flat)])],
    nestedLines: needs.flatMap((need, i) => needLines(need, `G${String(i + 1)}: `, 0)).join('\n'),
  };
}

function flat({ text, needs }: Need): string[] {
  return [text, ...needs.flatMap(flat)];
}

function needLines({ text, needs }: Need, mark: string, depth: number): string[] {
  return [
    `${'  '.repeat(depth)}${mark}${text}`,
    ...needs.flatMap((need) => needLines(need, 'needs: ', depth + 1)),
  ];
}

const words = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_PART_LENGTH).toWellFormed()),
);
const node: v.GenericSchema<unknown, Need> = v.union([
  v.pipe(
    words,
    v.transform((text) => ({ text, needs: [] })),
  ),
  v.object({ text: words, needs: v.optional(v.array(v.lazy(() => node)), []) }),
]);
const reply = v.union([
  v.object({ parts: v.array(node) }),
  v.pipe(
    v.array(node),
    v.transform((parts) => ({ parts })),
  ),
]);

function partsIn(text: string): Understood<readonly Need[]> {
  const json = jsonIn(text);
  if (json !== undefined) {
    const parsed = v.safeParse(reply, json);
    if (!parsed.success) return { wrong: issuesIn(parsed.issues) };
    const needs = within(parsed.output.parts, 1);
    return needs.length === 0 ? { wrong: 'it names no part.' } : { value: needs };
  }
  const needs = within(parseNestedNeeds(text), 1);
  return needs.length === 0 ? { wrong: 'there is no JSON in it.' } : { value: needs };
}

/** Removes the parts of a tree that exceed the limits. */
function within(needs: readonly Need[], depth: number): Need[] {
  return needs
    .filter(({ text }) => text !== '')
    .slice(0, depth === 1 ? MAX_GOAL_PARTS : MAX_NEEDS)
    .map((need) => ({ text: need.text, needs: depth >= MAX_DEPTH ? [] : within(need.needs, depth + 1) }));
}

/** Parses an indented list as a tree. An indented line is a need of the line above it. */
function parseNestedNeeds(text: string): Need[] {
  interface Open extends Need {
    readonly indent: number;
    readonly needs: Open[];
  }
  const root: Open[] = [];
  const path: Open[] = [];
  for (const { indent, words: said, isListed } of replyLines(text)) {
    if (!isListed) continue;
    while ((path.at(-1)?.indent ?? -1) >= indent) path.pop();
    const need: Open = { indent, text: said.slice(0, MAX_PART_LENGTH).toWellFormed(), needs: [] };
    (path.at(-1)?.needs ?? root).push(need);
    path.push(need);
  }
  return root;
}
