import { jsonObject } from '../../core/domain/json-schemas.ts';
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
  '<|python_start|>',
  '<tool_calls>',
  '<function_calls>',
  '<invoke name=',
  '<minimax:tool_call>',
  '<seed:tool_call>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<｜DSML｜',
  '<steptml:invoke',
  '<|channel|>commentary to=',
  'functools[{',
] as const;

/** Maximum length of text with calls, in UTF-16 code units. A longer one is text. */
const MAX_LENGTH = 400_000;

const MAX_MARK_LENGTH = Math.max(...MARKS.map((mark) => mark.length));

/**
 * Finds tool calls in the text of a reply. Holds the text back from the first mark of a call on, because only the end
 * of the text shows whether the mark begins a call.
 */
export class WrittenToolCalls {
  readonly #tools: ReadonlyMap<string, ModelTool>;
  /** Marks that count only at the beginning of a reply, since they are also in answers. */
  readonly #firstMarks: readonly string[];
  #isFirst = true;
  #held = '';
  #isWithin = false;

  constructor(tools: readonly ModelTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#firstMarks = ['{"name"', '[{"name"', ...tools.map(({ name }) => `[${name}(`)];
  }

  /** Adds a piece of text, and returns the text that no call can begin in. */
  take(piece: string): string {
    if (this.#tools.size === 0) return piece;
    this.#held += piece;
    if (this.#isWithin) return this.#held.length > MAX_LENGTH ? this.#release() : '';
    if (this.#isFirst) {
      const beginning = this.#held.trimStart();
      if (this.#firstMarks.some((mark) => mark.startsWith(beginning))) return '';
      this.#isFirst = false;
      if (this.#firstMarks.some((mark) => beginning.startsWith(mark))) {
        this.#isWithin = true;
        return '';
      }
    }
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
  // Without a mark, only an object with an input is a call.
  const isMarked = !/^\s*[[{]/.test(text);
  for (let at = 0; at < text.length;) {
    const head = text.slice(at, at + MAX_HEAD_LENGTH);
    const [written, name] = HEADS.map((pattern) => pattern.exec(head)).find((match) => match !== null) ?? [];
    const tool = tools.get(name ?? '');
    if (written !== undefined && tool !== undefined) {
      const start = at + written.length;
      const end = endOfCall(text, start);
      const body = text.slice(start, end);
      const json = jsonAt(body, FENCE.exec(body)?.[0].length ?? 0);
      if (json === undefined) add(tool.name, readFields(body, tool));
      else add(tool.name, json.value);
      at = json === undefined ? end : start + json.end;
      continue;
    }
    const python = /\w/.test(text.charAt(at - 1)) ? null : PYTHON.exec(head);
    const inputs = python === null ? undefined : pythonInputs(text, at + python[0].length);
    if (inputs !== undefined && add(python?.[1], inputs.value)) {
      at = inputs.end;
      continue;
    }
    const json = /[[{]/.test(text.charAt(at)) ? jsonAt(text, at) : undefined;
    const added = (Array.isArray(json?.value) ? (json.value as unknown[]) : [json?.value]).filter((call) => {
      if (!v.is(jsonObject, call)) return false;
      const called = v.is(jsonObject, call['function']) ? call['function'] : call;
      if (!isMarked && !('arguments' in called) && !('parameters' in called)) return false;
      return add(called['name'] ?? called['tool'], called['arguments'] ?? called['parameters']);
    });
    at = json !== undefined && added.length > 0 ? json.end : at + 1;
  }
  return calls;
}

const MAX_HEAD_LENGTH = 200;
/** Beginnings of calls with the tool's name, as models of several makers write them. */
const HEADS: readonly RegExp[] = [
  // Qwen
  /^<function=["']?([\w.-]{1,80})["']?>/,
  // GLM, Mistral
  /^(?:<tool_call>|\[TOOL_CALLS\])\s{0,9}([\w.-]{1,80})(?:\[(?:ARGS|CALL_ID)\])?(?=\s{0,9}[{<])/,
  // MiniMax, DeepSeek, Claude
  /^<(?:[a-z]{1,20}:|｜DSML｜)?invoke name=["']([\w.-]{1,80})["']>/,
  // DeepSeek
  /^<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]{1,80})(?:<｜tool▁sep｜>)?(?=\s{0,9}(?:```|\{))/,
  // Kimi
  /^<\|tool_call_begin\|>\s{0,9}(?:functions\.)?([\w-]{1,80})(?::\d{1,4})?\s{0,9}<\|tool_call_argument_begin\|>/,
  // gpt-oss
  /^<\|channel\|>commentary to=(?:functions\.)?([\w-]{1,80})\s{0,9}(?:<\|constrain\|>\w{1,20}\s{0,9})?<\|message\|>/,
];
/** Matches spaces and the start of a code block, both optional, before the input of a tool call. */
const FENCE = /^\s{0,99}(?:```(?:json)?\s{0,99})?/;
/** A call of Llama as in Python: `look(query="ferry")`. */
const PYTHON = /^([\w-]{1,80})(?:\.call)?\(/;
const PYTHON_KEY = /[\s,]{0,99}([A-Za-z_]\w{0,79})\s{0,9}=\s{0,9}/y;
const PYTHON_WORD = /(?:True|False|None|-?\d[\d.eE+-]{0,30})(?=\s{0,99}[,)])/y;

/** Returns the inputs of a call as in Python up to its closing bracket; undefined if it isn't one. */
function pythonInputs(
  text: string,
  start: number,
): { readonly value: Record<string, unknown>; readonly end: number } | undefined {
  const value: Record<string, unknown> = {};
  for (let at = start; at < text.length;) {
    PYTHON_KEY.lastIndex = at;
    const key = PYTHON_KEY.exec(text);
    if (key === null) {
      const rest = /^[\s,]{0,99}\)/.exec(text.slice(at, at + 100));
      return rest === null ? undefined : { value, end: at + rest[0].length };
    }
    const part = pythonValue(text, PYTHON_KEY.lastIndex);
    if (part === undefined) return undefined;
    value[key[1] ?? ''] = part.value;
    at = part.end;
  }
  return undefined;
}

function pythonValue(
  text: string,
  at: number,
): { readonly value: unknown; readonly end: number } | undefined {
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    let words = '';
    for (let end = at + 1; end < text.length; end++) {
      const sign = text.charAt(end);
      if (sign === quote) return { value: words, end: end + 1 };
      if (sign === '\\') words += ESCAPED.get(text.charAt(++end)) ?? text.charAt(end);
      else words += sign;
    }
    return undefined;
  }
  PYTHON_WORD.lastIndex = at;
  const word = PYTHON_WORD.exec(text)?.[0];
  if (word === undefined) return jsonAt(text, at);
  const value = word === 'None' ? undefined : parseJson(word.toLowerCase());
  return { value: value ?? null, end: at + word.length };
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
]);

function endOfCall(text: string, start: number): number {
  const end =
    /<\/(?:function|tool_call|(?:[a-z]{1,20}:|｜DSML｜)?invoke)>|\[TOOL_CALLS\]|<tool_call>|<｜tool▁call▁end｜>|<\|tool_call_end\|>/.exec(
      text.slice(start),
    );
  return end === null ? text.length : start + end.index;
}

/** Returns the input in elements named after the fields of a tool. */
function readFields(body: string, { input }: ModelTool): Record<string, unknown> {
  const properties = v.is(jsonObject, input['properties']) ? input['properties'] : {};
  const fields = body.matchAll(
    /<(?:[a-z]{1,20}:|｜DSML｜)?parameter(?:=| name=["'])([\w.-]{1,80})(?:["'][^<>]{0,80})?>([^]*?)(?:<\/(?:[a-z]{1,20}:|｜DSML｜)?parameter>|$)|<arg_key>([^<]{1,80})<\/arg_key>\s{0,99}<arg_value>([^]*?)(?:<\/arg_value>|$)/g,
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
