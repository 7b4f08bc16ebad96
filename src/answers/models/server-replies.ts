import { anyFields, anyList, jsonObject } from '../../core/domain/json-schemas.ts';
import * as v from 'valibot';

/**
 * Error of a server in one form. Servers send it as `{error: {message}}`, `{error: "…"}`, `{object: "error", message}`,
 * `{detail: […]}`, in a list, or with further objects inside.
 */
interface ServerError {
  /** All sentences and named parameters of the error, in one line; may be a whole page. */
  readonly message: string;
  readonly code: string;
  readonly type: string;
  /** Rejected parameter of the request; empty if the server names none. */
  readonly param: string;
}

/** Part of a tool call, as servers stream it; any field can be missing. */
export interface CallPart {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly function?: { readonly name?: string | undefined; readonly arguments?: unknown } | undefined;
}

/** Reason for which a server ended a reply; `cut` is any reason that leaves it incomplete. */
export type FinishReason = 'cut' | 'filtered' | 'length' | 'stop';

/** Chunk of a chat reply, or a whole one, in one form. */
export interface ChatPart {
  /** Text of the answer, without reasoning that the server sends in a field of its own. */
  readonly text: string;
  readonly calls: readonly CallPart[];
  readonly finish: FinishReason | undefined;
  readonly usage: { readonly input: number; readonly output: number } | undefined;
  /** `false` for keep-alives and anything else that isn't from a chat. */
  readonly isChat: boolean;
}

/** Maximum length of an error's message, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 4_000;
const MAX_DEPTH = 6;
const MAX_ITEMS = 20;

/** Fields with the words of an error, in the order of their importance. */
const MESSAGE_FIELDS = [
  'error',
  'errors',
  'message',
  'Message',
  'msg',
  'detail',
  'details',
  'title',
  'description',
  'error_description',
  'errorMessage',
  'error_message',
  'fault',
  'faultstring',
  'reason',
  'loc',
  'metadata',
  'raw',
  'innererror',
];

/** Returns the error in the body of a response with an error status, whatever its form. */
export function readErrorBody(body: string): ServerError {
  const value = parseJson(body);
  if (value === undefined)
    return { message: body.slice(0, MAX_MESSAGE_LENGTH), code: '', type: '', param: '' };
  return describeError(value);
}

/**
 * Returns the error in a chunk of a stream, or in a reply with a status of success; undefined if it contains none.
 */
export function errorIn(value: unknown): ServerError | undefined {
  const reply = object(Array.isArray(value) ? value[0] : value);
  const { error } = reply;
  const hasError =
    (typeof error === 'string' && error !== '') || (isObject(error) && Object.keys(error).length > 0);
  const choice = object(list(reply['choices'])[0]);
  if (!hasError && isObject(choice['error'])) return describeError(choice);
  if (hasError) return describeError(reply);
  const isError =
    reply['object'] === 'error' ||
    reply['type'] === 'error' ||
    (reply['success'] === false && 'errors' in reply);
  const isRefusal =
    !('choices' in reply) &&
    !('data' in reply) &&
    ('detail' in reply || typeof reply['message'] === 'string' || isErrorCode(reply['code']));
  return isError || isRefusal ? describeError(reply) : undefined;
}

function describeError(value: unknown): ServerError {
  const whole = object(Array.isArray(value) ? value[0] : value);
  const inner = isObject(whole['error']) ? whole['error'] : whole;
  const words: string[] = [];
  collectWords(value, words, 0);
  const first = (...values: unknown[]): string => {
    const value = values.find(
      (id): id is number | string => typeof id === 'number' || (typeof id === 'string' && id !== ''),
    );
    return value === undefined ? '' : String(value).slice(0, 200);
  };
  return {
    message: [...new Set(words)].join(' ').slice(0, MAX_MESSAGE_LENGTH),
    code: first(inner['code'], whole['code'], inner['status'], whole['status'], whole['statusCode']),
    type: first(inner['type'], inner['error_type'], whole['error_type'], inner['status'], whole['type']),
    param: first(inner['param'], whole['param'], namedParameter(inner), namedParameter(whole)),
  };
}

/** Returns the parameter in the location of a validation error of FastAPI: `["body", "stream_options"]`. */
function namedParameter(error: Readonly<Record<string, unknown>>): unknown {
  const detail = list(error['detail'] ?? object(error['message'])['detail'])[0];
  return list(object(detail)['loc']).find((part) => part !== 'body' && typeof part === 'string');
}

function collectWords(value: unknown, words: string[], depth: number): void {
  if (depth > MAX_DEPTH || words.length > MAX_ITEMS) return;
  if (typeof value === 'string') {
    const said = value.trim();
    if (said !== '') words.push(said.slice(0, MAX_MESSAGE_LENGTH));
  } else if (Array.isArray(value)) {
    if (value.every((part) => typeof part === 'string' || typeof part === 'number'))
      words.push(value.slice(0, MAX_ITEMS).join('.'));
    else for (const item of value.slice(0, MAX_ITEMS)) collectWords(item, words, depth + 1);
  } else if (isObject(value))
    for (const name of MESSAGE_FIELDS) if (name in value) collectWords(value[name], words, depth + 1);
}

/** Returns a chunk of a chat's stream, or a whole reply, in one form. `[DONE]` ends a stream. */
export function readChatPart(value: unknown): ChatPart {
  if (value === '[DONE]') return { text: '', calls: [], finish: 'stop', usage: undefined, isChat: false };
  const reply = object(value);
  const choices = Array.isArray(reply['choices']) ? list(reply['choices']) : [reply['choices']];
  const choice = object(choices.find((candidate) => (object(candidate)['index'] ?? 0) === 0) ?? choices[0]);
  // Ollama's own protocol has the message at the top.
  const message = [choice['delta'], choice['message'], reply['message']].find(isObject) ?? {};
  const isThought = object(object(message['extra_content'])['google'])['thought'] === true;
  const content = isThought ? '' : contentText(message['content']);
  const text = content !== '' ? content : contentText(message['refusal']) || contentText(choice['text']);
  const legacy = isObject(message['function_call']) ? [{ function: message['function_call'] }] : [];
  const calls = message['tool_calls'];
  return {
    text,
    calls: [...(isObject(calls) ? [calls] : list(calls)), ...legacy].filter(isObject).map(readCall),
    finish: readFinish(choice['finish_reason'] ?? choice['stop_reason'] ?? reply['done_reason']),
    usage: readUsage(reply),
    isChat: 'choices' in reply || isObject(reply['message']) || isObject(reply['usage']),
  };
}

/** Returns the text of a message's content: a string, or a list of parts, of which some are reasoning. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(contentText).join('');
  if (!isObject(content)) return '';
  const { type } = content;
  if (typeof type === 'string' && /think|reason/i.test(type)) return '';
  return contentText(content['text'] ?? content['content'] ?? content['value'] ?? content['parts']);
}

function readCall(call: Readonly<Record<string, unknown>>): CallPart {
  const { index, id } = call;
  // Some servers leave out the level of the function.
  const { name, arguments: input } = isObject(call['function']) ? call['function'] : call;
  return {
    index: typeof index === 'number' ? index : undefined,
    id: typeof id === 'string' ? id : undefined,
    function: { name: typeof name === 'string' ? name : undefined, arguments: input },
  };
}

function readFinish(reason: unknown): FinishReason | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined;
  const said = reason.toLowerCase();
  if (said === 'null') return undefined;
  if (/length|max_?tokens|token_limit/.test(said)) return 'length';
  if (/filter|safety|recitation|blocklist|prohibited|spii/.test(said)) return 'filtered';
  return /^(?:error|abort|aborted|cancelled|canceled|insufficient_system_resource)$/.test(said)
    ? 'cut'
    : 'stop';
}

function readUsage(reply: Readonly<Record<string, unknown>>): ChatPart['usage'] {
  // Groq and others report the usage in a field of their own.
  const usage = [reply['usage'], object(reply['x_groq'])['usage']].find(isObject);
  const count = (value: unknown): number | undefined =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  const input = count(usage?.['prompt_tokens'] ?? usage?.['input_tokens'] ?? reply['prompt_eval_count']);
  const output = count(usage?.['completion_tokens'] ?? usage?.['output_tokens'] ?? reply['eval_count']);
  return input === undefined || output === undefined ? undefined : { input, output };
}

/**
 * Returns the embeddings in a reply to some texts, in their order: each a list of numbers or a string in Base64,
 * undefined for a missing one. Servers differ in the lists' names, and some give each embedding the same index or none.
 */
export function readEmbeddings(value: unknown, count: number): readonly unknown[] {
  const reply = object(value);
  const named = reply['data'] ?? reply['embeddings'] ?? reply['embedding'] ?? value;
  const byType = object(named);
  const data = Array.isArray(named) ? named : list(byType['float'] ?? byType['data']);
  // A single embedding may be a list of numbers without a list around it.
  const entries: readonly unknown[] = typeof data[0] === 'number' ? [data] : data;
  const vectors = entries.map((entry) => {
    const vector = isObject(entry) ? (entry['embedding'] ?? entry['values']) : entry;
    // llama.cpp puts the embedding of a text into a list.
    return Array.isArray(vector) && vector.length === 1 && Array.isArray(vector[0]) ? vector[0] : vector;
  });
  const indexes = entries.map((entry) => (isObject(entry) ? (entry['index'] ?? 0) : 0));
  const isNumbered =
    new Set(indexes).size === indexes.length &&
    indexes.every((index) => Number.isInteger(index) && Number(index) >= 0 && Number(index) < count);
  return Array.from({ length: count }, (_, i) => vectors[isNumbered ? indexes.indexOf(i) : i]);
}

/** Model in a list of models, with all fields that the server sends. */
type ListedModel = Readonly<Record<string, unknown>> & { readonly id: string };

/** Returns the models in a reply: a list in a field, or a bare one. Undefined if the reply isn't a list of models. */
export function readModelList(value: unknown): readonly ListedModel[] | undefined {
  const reply = object(value);
  const named = Array.isArray(value) ? value : (reply['data'] ?? reply['models']);
  // Servers without models send null.
  if (named === null && 'object' in reply) return [];
  if (named === undefined && reply['data'] === null) return [];
  const models = isObject(named) ? (named['models'] ?? named['data']) : named;
  if (!v.is(anyList, models)) return undefined;
  return models.flatMap((model) => {
    const facts = typeof model === 'string' ? { id: model } : v.parse(anyFields, model);
    const id = [facts['id'], facts['name'], facts['model']].find(
      (name): name is string => typeof name === 'string' && name !== '',
    );
    return id === undefined ? [] : [{ ...facts, id }];
  });
}

/** Parses JSON; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    // A server can write any text.
    return undefined;
  }
}

function isErrorCode(code: unknown): boolean {
  return typeof code === 'number' ? code >= 400 : typeof code === 'string' && code !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return v.is(jsonObject, value);
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
