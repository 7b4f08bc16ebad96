import * as v from 'valibot';
import { jsonObject } from '../../../../core/domain/json-schemas.ts';
import { openedFence } from '../../../../core/language/markdown-lines.ts';
import type { ToolCall } from '../../../../answers/models/language-model.ts';
import type { Skill } from '../skills/skill.ts';

/** Keyword of a line that calls a tool, for models that don't support tools. */
export const USE = 'USE';

/** Call of a tool as a model wrote it. */
export interface WrittenCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Calls in a reply, in order, and the text before the first one. */
interface WrittenCalls {
  readonly calls: readonly WrittenCall[];
  readonly before: string;
}

/** Maximum number of calls per reply. */
const MAX_CALLS = 4;
/** Maximum number of calls to find in a source with instructions. */
const MAX_INSTRUCTIONS = 50;
/** Maximum length of a call's input, in UTF-16 code units. */
const MAX_INPUT_LENGTH = 8_000;
const CALL =
  /^[\s>*`_-]{0,20}(?:USE|TOOL|CALL|ACTION)\s*:?[\s*`"'_]{0,10}([a-z][\w.-]{0,80})[`"'*_:]{0,6}\s?(.*)$/is;
const OBJECT = /^[\s>*`_-]{0,20}(?:<tool_call>\s{0,10})?\{/i;
const NAMES = ['tool', 'name', 'action', 'function', 'skill'];
const INPUTS = ['input', 'arguments', 'parameters', 'args', 'action_input'];

/** Formats calls as lines, for prompts and for counting tokens. */
export function callsAsText(calls: readonly Pick<ToolCall, 'input' | 'name'>[]): string {
  return calls.map(({ name, input }) => `\n${USE} ${name} ${JSON.stringify(input)}`).join('');
}

/**
 * Finds the calls in a reply in any notation: `USE search {"queries": ["…"]}` on a line, in code, over several lines,
 * with plain words after the name, or as a JSON object that names the tool. Only known tools are called. A call of an
 * unknown tool also counts if JSON follows its name.
 */
export function callsIn(reply: string, tools: readonly Skill[], maxCalls = MAX_CALLS): WrittenCalls {
  const byName = new Map(tools.map((tool) => [plainName(tool.name), tool]));
  const lines = reply.split('\n');
  const calls: WrittenCall[] = [];
  let first = lines.length;
  let readLength = 0;
  let start = 0;
  for (const [i, line] of lines.entries()) {
    if (i >= readLength && calls.length < maxCalls) {
      const read = readLine(line, reply.slice(start, start + MAX_INPUT_LENGTH), byName);
      if (read !== undefined) {
        first = Math.min(first, i);
        calls.push(read.call);
        readLength = i + Math.max(1, read.lines);
      }
    }
    start += line.length + 1;
  }
  // The fence before a call belongs to the call.
  while (first > 0 && (openedFence(lines[first - 1] ?? '') !== undefined || lines[first - 1]?.trim() === ''))
    first--;
  return { calls, before: lines.slice(0, first).join('\n').trim() };
}

function readLine(
  line: string,
  rest: string,
  tools: ReadonlyMap<string, Skill>,
): { readonly call: WrittenCall; readonly lines: number } | undefined {
  const [, name, behind = ''] = CALL.exec(line.slice(0, MAX_INPUT_LENGTH)) ?? [];
  if (name !== undefined) {
    const tool = tools.get(plainName(name));
    const at = rest.indexOf(behind, line.indexOf(name) + name.length);
    const object = objectAt(rest, behind === '' ? line.length : at);
    if (object !== undefined)
      return { call: { name: tool?.name ?? name, input: object.input }, lines: object.lines };
    if (tool === undefined) return undefined;
    return { call: { name: tool.name, input: wordsAsInput(behind, tool) }, lines: 1 };
  }
  if (!OBJECT.test(line)) return undefined;
  const object = objectAt(rest, rest.indexOf('{'));
  if (object === undefined) return undefined;
  const namedTool = NAMES.map((key) => object.input[key]).find((value) => typeof value === 'string');
  const tool = namedTool === undefined ? undefined : tools.get(plainName(namedTool));
  if (tool === undefined) return undefined;
  const value = INPUTS.map((key) => object.input[key]).find((value) => value !== undefined);
  const input =
    typeof value === 'string' ? (parseArguments(value) ?? wordsAsInput(value, tool)) : asRecord(value);
  return { call: { name: tool.name, input: input ?? without(object.input, NAMES) }, lines: object.lines };
}

/** Normalizes a tool's name: ignores case, and treats underscores as hyphens. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/\.{1,5}$/, '');
}

/** Parses the JSON object at a position of a text, ignoring white space and quotation marks. */
function objectAt(
  text: string,
  from: number,
): { readonly input: Readonly<Record<string, unknown>>; readonly lines: number } | undefined {
  const open = text.indexOf('{', Math.max(0, from));
  if (open < 0 || /[^\s`:*=("'-]|^json/i.test(text.slice(from, open).replace(/^[\s`]*json/i, '')))
    return undefined;
  let depth = 0;
  let quote = false;
  for (let i = open; i < text.length; i++) {
    const character = text[i];
    if (character === '\\') i++;
    else if (character === '"') quote = !quote;
    else if (!quote && character === '{') depth++;
    else if (!quote && character === '}' && --depth === 0) {
      const input = parseArguments(text.slice(open, i + 1));
      return input && { input, lines: text.slice(0, i + 1).split('\n').length };
    }
  }
  return undefined;
}

/** Parses a JSON object, or an approximation by a model: extra commas, single quotation marks, unquoted names. */
function parseArguments(json: string): Readonly<Record<string, unknown>> | undefined {
  const mended = [
    json,
    json.replace(/,(\s{0,50}[}\]])/g, '$1'),
    json
      .replace(/,(\s{0,50}[}\]])/g, '$1')
      .replace(/(?<=[[{:,]\s{0,20})'([^'"\n]*)'(?=\s{0,20}[\]}:,])/g, '"$1"')
      .replace(/(?<=[{,]\s{0,20})([A-Za-z_]\w{0,60})(?=\s{0,20}:)/g, '"$1"'),
  ];
  for (const text of mended) {
    try {
      return asRecord(JSON.parse(text));
    } catch {
      // Try the next candidate.
    }
  }
  return undefined;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return v.is(jsonObject, value) ? value : undefined;
}

function without(input: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !keys.includes(key)));
}

/** Uses the words after a tool's name as its first input, or as the required one. */
function wordsAsInput(words: string, { input }: Skill): Readonly<Record<string, unknown>> {
  const opened = words.trim().replace(/^[`"'*:([]+/, '');
  // A closing mark without an opening one is part of the text, as in SQL that ends with a quotation mark.
  const text = (opened === words.trim() ? opened : opened.replace(/[`"'*)\]]{1,10}$/, '')).trim();
  const properties = asRecord(input?.['properties']) ?? {};
  const required = input?.['required'];
  const name = Array.isArray(required) ? String(required[0] ?? '') : Object.keys(properties)[0];
  if (name === undefined || name === '' || text === '') return {};
  return { [name]: asRecord(properties[name])?.['type'] === 'array' ? [text] : text };
}

/** Describes the tools for a model without tool support, which calls a tool by writing a line of text. */
export function toolsAsText(tools: readonly Skill[]): string {
  return tools
    .map(
      ({ name, description, input }) => `- ${name}: ${description}\n  Takes ${JSON.stringify(input ?? {})}`,
    )
    .join('\n');
}

/** Returns a key that is equal for calls with the same name and input. */
export function callKey({ name, input }: WrittenCall): string {
  return `${plainName(name)} ${canonical(input)}`;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const record = asRecord(value);
  if (record !== undefined)
    return `{${Object.keys(record)
      .sort()
      .map((key) => `${key}:${canonical(record[key])}`)
      .join()}}`;
  return typeof value === 'string'
    ? value.replaceAll(/\s+/g, ' ').trim().toLowerCase()
    : JSON.stringify(value);
}

/** Maximum distance of the input from the instruction to use a tool, in UTF-16 code units. */
const REACH = 300;
const ORDER =
  /\b(?:call|use|run|invoke|execute)\s(?:the\s)?(?:tool\s|function\s|skill\s)?[`"'*]?([a-z][\w-]{0,80})/g;

/**
 * Reports whether a text instructs this call: it contains the call as a model would write it, or says to use the tool
 * and then states its input.
 */
export function isOrdered(call: WrittenCall, text: string, tools: readonly Skill[]): boolean {
  const plain = text.toLowerCase();
  // Most texts don't name a tool, so check that first.
  const [word = ''] = call.name.toLowerCase().split(/[-_]/, 1);
  if (!plain.includes(word)) return false;
  const key = callKey(call);
  if (callsIn(text, tools, MAX_INSTRUCTIONS).calls.some((each) => callKey(each) === key)) return true;
  const name = plainName(call.name);
  const values = textsIn(call.input).filter((value) => value.length >= 4);
  for (const { 1: named = '', index } of plain.matchAll(ORDER)) {
    if (plainName(named) !== name) continue;
    const behind = plain.slice(index, index + REACH);
    if (values.some((value) => behind.includes(value.toLowerCase()))) return true;
  }
  return false;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  const record = asRecord(value);
  return record === undefined ? [] : Object.values(record).flatMap(textsIn);
}
