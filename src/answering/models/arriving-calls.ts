import * as v from 'valibot';
import { jsonObject } from '../../notebook/json-schemas.ts';
import type { ToolCall } from './language-model.ts';

/** A part of a call as it arrives; servers leave out any of it. */
interface CallPart {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly function?: { readonly name?: string | undefined; readonly arguments?: unknown } | undefined;
}

/** Calls of one reply, and UTF-16 code units of what one is given; what is more is left out, and told. */
const MOST_CALLS = 32;
const LONGEST_INPUT = 200_000;

interface ArrivingCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  input: string;
}

/** Puts together the calls of tools that arrive in parts. */
export class ArrivingCalls {
  readonly #calls: ArrivingCall[] = [];

  /** Takes a part of a call as it arrives; beyond the most calls of a reply it is left out. */
  take({ index, id, function: told }: CallPart): void {
    const call = this.#findCall(index, id ?? '');
    if (call === undefined) return;
    if (typeof told?.name === 'string' && call.name === '') call.name = told.name;
    const given = told?.arguments;
    const words =
      typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given);
    if (call.input.length <= LONGEST_INPUT) call.input += words;
  }

  /** The calls in the order in which they began, each with an id of its own. */
  whole(): ToolCall[] {
    const ids = new Set<string>();
    return this.#calls
      .filter(({ name }) => name !== '')
      .map(({ id, name, input }, i) => {
        const own = id === '' || ids.has(id) ? `call_${String(i + 1)}` : id;
        ids.add(own);
        return { id: own, name, ...readInput(input) };
      });
  }

  /** Some number their calls, some name them, some send each whole under the same number. */
  #findCall(index: number | undefined, id: string): ArrivingCall | undefined {
    const known = this.#calls.findLast((call) =>
      index === undefined ? id === '' || call.id === id : call.index === index,
    );
    if (known !== undefined && (id === '' || known.id === '' || known.id === id)) {
      if (known.id === '') known.id = id;
      return known;
    }
    if (this.#calls.length >= MOST_CALLS) return undefined;
    const begun = { index, id, name: '', input: '' };
    this.#calls.push(begun);
    return begun;
  }
}

/** What a tool is given, as the model wrote it: nothing is an empty object. */
function readInput(words: string): Pick<ToolCall, 'input' | 'problem'> {
  if (words.trim() === '') return { input: {} };
  if (words.length > LONGEST_INPUT)
    return { input: {}, problem: 'What you gave this tool is too long: give it less.' };
  try {
    const read: unknown = JSON.parse(words);
    // Some write the object as a text within JSON.
    const input: unknown = typeof read === 'string' ? JSON.parse(read) : read;
    if (v.is(jsonObject, input)) return { input };
  } catch {
    // Told below.
  }
  return {
    input: {},
    problem: 'What you gave this tool is no whole JSON object: call it again with one that is.',
  };
}
