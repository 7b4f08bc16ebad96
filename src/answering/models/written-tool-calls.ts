import { jsonObject } from '../../notebook/json-schemas.ts';
import * as v from 'valibot';
import type { ModelTool } from './language-model.ts';
import { parseJson, type CallPart } from './server-replies.ts';

/** Marks of tool calls that models write as text, which servers without a parser for the model pass on. */
const MARKS = [
  '<tool_call>',
  '<|tool_call|>',
  '<function=',
  '<function_call>',
  '[TOOL_CALLS]',
  '<|python_tag|>',
] as const;
const MAX_MARK_LENGTH = Math.max(...MARKS.map((mark) => mark.length));

/** Maximum length of text with calls, in UTF-16 code units. A longer one is text. */
const MAX_LENGTH = 400_000;

/**
 * Finds tool calls in the text of a reply. Holds the text back from the first mark of a call on, since only the end shows
 * whether it is one.
 */
export class WrittenToolCalls {
  readonly #tools: ReadonlyMap<string, ModelTool>;
  #held = '';
  #isWithin = false;

  constructor(tools: readonly ModelTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** Adds a piece of text, and returns the text that no call can begin in. */
  take(piece: string): string {
    if (this.#tools.size === 0) return piece;
    this.#held += piece;
    if (this.#isWithin) return this.#held.length > MAX_LENGTH ? this.#release() : '';
    const start = MARKS.map((mark) => this.#held.indexOf(mark))
      .filter((at) => at >= 0)
      .sort((a, b) => a - b)[0];
    if (start !== undefined) {
      this.#isWithin = true;
      return this.#cut(start);
    }
    const tail = this.#held.slice(-MAX_MARK_LENGTH);
    for (let length = tail.length; length > 0; length--)
      if (MARKS.some((mark) => mark.startsWith(tail.slice(-length))))
        return this.#cut(this.#held.length - length);
    return this.#release();
  }

  /** Returns the calls of offered tools in the held text; without any, returns the text instead. */
  end(): { readonly text: string; readonly calls: readonly CallPart[] } {
    const text = this.#release();
    const calls = findCalls(text, this.#tools);
    return calls.length === 0 ? { text, calls } : { text: '', calls };
  }

  #cut(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text;
  }

  #release(): string {
    this.#isWithin = false;
    return this.#cut(this.#held.length);
  }
}

function findCalls(text: string, tools: ReadonlyMap<string, ModelTool>): CallPart[] {
  const calls: CallPart[] = [];
  const add = (name: unknown, input: unknown): boolean => {
    if (typeof name !== 'string' || !tools.has(name)) return false;
    const id = `written_${String(calls.length + 1)}`;
    calls.push({ index: calls.length, id, function: { name, arguments: input ?? {} } });
    return true;
  };
  for (let at = 0; at < text.length;) {
    // Qwen: <function=NAME><parameter=KEY>VALUE</parameter></function>; GLM: NAME<arg_key>KEY</arg_key>…
    const named = NAMED.exec(text.slice(at, at + MAX_NAME_LENGTH));
    const tool = tools.get(named?.[1] ?? named?.[2] ?? '');
    if (named !== null && tool !== undefined) {
      const start = at + named[0].length;
      const end = endOfCall(text, start);
      const body = text.slice(start, end);
      const json = jsonAt(body, body.search(/\S/));
      if (json === undefined) add(tool.name, readFields(body, tool));
      else add(tool.name, json.value);
      at = json === undefined ? end : start + json.end;
      continue;
    }
    const json = /[[{]/.test(text.charAt(at)) ? jsonAt(text, at) : undefined;
    const added = (Array.isArray(json?.value) ? (json.value as unknown[]) : [json?.value]).filter((call) => {
      if (!v.is(jsonObject, call)) return false;
      const called = v.is(jsonObject, call['function']) ? call['function'] : call;
      return add(called['name'] ?? called['tool'], called['arguments'] ?? called['parameters']);
    });
    at = json !== undefined && added.length > 0 ? json.end : at + 1;
  }
  return calls;
}

const MAX_NAME_LENGTH = 100;
const NAMED =
  /^(?:<function=["']?([\w.-]{1,80})["']?>|(?:<tool_call>|\[TOOL_CALLS\])\s{0,9}([\w.-]{1,80})(?:\[(?:ARGS|CALL_ID)\])?(?=\s{0,9}[{<]))/;

function endOfCall(text: string, start: number): number {
  const end = /<\/(?:function|tool_call)>|\[TOOL_CALLS\]|<tool_call>/.exec(text.slice(start));
  return end === null ? text.length : start + end.index;
}

/** Returns the input in elements named after the fields of a tool. */
function readFields(body: string, { input }: ModelTool): Record<string, unknown> {
  const properties = v.is(jsonObject, input['properties']) ? input['properties'] : {};
  const fields = body.matchAll(
    /<parameter=([\w.-]{1,80})>([^]*?)(?:<\/parameter>|$)|<arg_key>([^<]{1,80})<\/arg_key>\s{0,99}<arg_value>([^]*?)(?:<\/arg_value>|$)/g,
  );
  return Object.fromEntries(
    Array.from(fields, ([, parameter, value, key, argument]) => {
      const name = (parameter ?? key ?? '').trim();
      const words = (value ?? argument ?? '').replace(/^\n|\n$/g, '');
      const property = properties[name];
      const isText = v.is(jsonObject, property) && property['type'] === 'string';
      return [name, isText ? words : (parseJson(words) ?? words)];
    }),
  );
}

/** Returns the JSON value that begins at a bracket, and its end; undefined if there is none. */
function jsonAt(text: string, start: number): { readonly value: unknown; readonly end: number } | undefined {
  if (start < 0 || !/[[{]/.test(text.charAt(start))) return undefined;
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (isInString) {
      if (sign === '\\') at++;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) {
      const value = parseJson(text.slice(start, at + 1));
      return value === undefined ? undefined : { value, end: at + 1 };
    }
  }
  return undefined;
}
