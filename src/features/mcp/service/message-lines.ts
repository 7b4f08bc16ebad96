// Installs Node's timers and streams for the connection.
import 'vscode-jsonrpc/node';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  ErrorCodes,
  Message as messages,
  type Message,
} from 'vscode-jsonrpc';
import * as v from 'valibot';
import { fields, jsonObject } from '../../../core/domain/json-schemas.ts';

/** Error code of the response to a request that the client canceled; it isn't sent. */
export const CANCELLED = -32_800;

const cancelled = fields({ requestId: v.union([v.number(), v.string()]) });
const failed = v.object({ error: v.object({ code: v.number() }) });
const CANCELLATION = 'notifications/cancelled';

/** Reader of JSON-RPC messages, one per line. Replies to invalid messages with `answer`, as JSON-RPC requires. */
export class LineReader extends AbstractMessageReader {
  readonly #input: Readable;
  readonly #answer: (message: object) => void;

  constructor(input: Readable, answer: (message: object) => void) {
    super();
    this.#input = input;
    this.#answer = answer;
  }

  /** Passes each message to `callback` as it arrives. */
  listen(callback: (message: Message) => void): { dispose(): void } {
    const lines = createInterface({ input: this.#input, crlfDelay: Infinity });
    lines.on('line', (line) => {
      if (line.trim() === '') return;
      // A line can contain several messages, which are answered separately.
      for (const rawMessage of [parseJson(line)].flat()) {
        const message = readMessage(rawMessage);
        if (message === undefined)
          this.#answer({
            jsonrpc: '2.0',
            id: null,
            error: { code: ErrorCodes.ParseError, message: 'This is no JSON-RPC message.' },
          });
        else callback(message);
      }
    });
    lines.on('close', () => this.fireClose());
    return {
      dispose: () => lines.close(),
    };
  }
}

/** Writer of JSON-RPC messages, one per line. */
export class LineWriter extends AbstractMessageWriter {
  readonly #output: Writable;

  constructor(output: Writable) {
    super();
    this.#output = output;
  }

  /** Writes a message, unless it answers a canceled request. */
  write(message: object): Promise<void> {
    if (!(v.is(failed, message) && message.error.code === CANCELLED))
      this.#output.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Ends the output. */
  end(): void {
    this.#output.end();
  }
}

/**
 * Converts a message. MCP has another method name for a cancellation than the connection, and another name for the
 * request ID.
 */
function readMessage(message: unknown): Message | undefined {
  if (!v.is(jsonObject, message) || !isMessage(message)) return undefined;
  if (!messages.isNotification(message) || message.method !== CANCELLATION) return message;
  const { requestId: id } = v.parse(cancelled, message.params);
  const cancellation = { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } };
  // Without a request ID there is nothing to cancel, so the notification is ignored.
  return id === undefined ? message : cancellation;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The line isn't JSON.
    return undefined;
  }
}

function isMessage(value: object): value is Message {
  return 'jsonrpc' in value && value.jsonrpc === '2.0';
}
