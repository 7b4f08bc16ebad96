import * as v from 'valibot';
import { jsonObject } from '../../core/domain/json-schemas.ts';
import type { ToolCall } from './language-model.ts';
import type { CallPart } from './server-replies.ts';

/**
 * Maximum number of calls in a reply, and maximum length of a call's input, in UTF-16 code units. The model is informed
 * of an omitted rest.
 */
const MAX_CALLS = 32;
const MAX_INPUT_LENGTH = 200_000;

interface ArrivingCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  input: string;
}

/** Assembles tool calls that arrive in parts. */
export class ToolCallAccumulator {
  readonly #calls: ArrivingCall[] = [];

  /** Adds an arriving part of a call; ignores calls beyond the maximum. */
  take({ index, id, function: functionPart }: CallPart): void {
    const args = functionPart?.arguments;
    const words =
      typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args);
    const name = functionPart?.name ?? '';
    const call = this.#findCall(index, id ?? '', name !== '', words !== '');
    if (call === undefined) return;
    if (call.name === '') call.name = name;
    if (call.input.length <= MAX_INPUT_LENGTH) call.input += words;
  }

  /** Returns the calls in the order of their beginnings, each with a unique ID. */
  collectCalls(): ToolCall[] {
    const ids = new Set<string>();
    return this.#calls
      .filter(({ name }) => name !== '')
      .map(({ id, name, input }, i) => {
        const own = id === '' || ids.has(id) ? `call_${String(i + 1)}` : id;
        ids.add(own);
        return { id: own, name, ...readInput(input) };
      });
  }

  /**
   * Returns the call that a part belongs to. Some servers number their calls, some name them, and some send each call
   * whole with the same number.
   */
  #findCall(
    index: number | undefined,
    id: string,
    hasName: boolean,
    hasInput: boolean,
  ): ArrivingCall | undefined {
    const known = this.#calls.findLast((call) =>
      index === undefined ? id === '' || call.id === id : call.index === index,
    );
    const isNext = id === '' && hasName && hasInput && known !== undefined && isJson(known.input);
    // Some servers give each part of a call a new ID.
    const isPart = index !== undefined && !hasName;
    if (known !== undefined && !isNext && (isPart || id === '' || known.id === '' || known.id === id)) {
      if (known.id === '') known.id = id;
      return known;
    }
    if (this.#calls.length >= MAX_CALLS) return undefined;
    const begun = { index, id, name: '', input: '' };
    this.#calls.push(begun);
    return begun;
  }
}

function isJson(words: string): boolean {
  try {
    JSON.parse(words);
    return true;
  } catch {
    // The input isn't complete.
    return false;
  }
}

/** Returns a tool's input as the model wrote it; an empty object if there is none. */
function readInput(words: string): Pick<ToolCall, 'input' | 'problem'> {
  if (words.trim() === '') return { input: {} };
  if (words.length > MAX_INPUT_LENGTH)
    return { input: {}, problem: 'The input is too long for this tool. Send less.' };
  try {
    const read: unknown = JSON.parse(words);
    // Some models write the object as a string within JSON.
    const input: unknown = typeof read === 'string' ? JSON.parse(read) : read;
    if (v.is(jsonObject, input)) return { input };
  } catch {
    // Invalid JSON is reported below.
  }
  return {
    input: {},
    problem: 'The input isn’t a complete JSON object. Call the tool again with one.',
  };
}
