// A mirror of models or languages on loopback that breaks off, refuses, and sends wrong files as a test specifies.
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from './gate.ts';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.ts';

/** Fault of the next request for a model's weights. */
type Mishap =
  /** Breaks the connection after a number of bytes. */
  | { readonly kind: 'cut'; readonly after: number }
  /** Stops after a number of bytes until the gate opens. */
  | { readonly kind: 'wait'; readonly after: number; readonly gate: Gate }
  | { readonly kind: 'status'; readonly status: number }
  /** Sends another text instead. */
  | { readonly kind: 'text'; readonly text: string }
  /** Redirects to another path. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** Sends the whole file, whatever range was requested. */
  | { readonly kind: 'whole' };

export interface ModelServer extends LoopbackServer {
  /** Faults of the next requests for weights, in order. Later requests succeed. */
  mishaps: Mishap[];
  /** Returns the `range` headers of the requests for weights. */
  readonly ranges: () => (string | undefined)[];
  /** Delay between chunks of 64 KB, in milliseconds. */
  pace: number;
}

const WEIGHTS = /\.(?:safetensors|traineddata\.gz)$/;

/** Serves a folder, with range requests. */
export async function startModelServer(folder: string): Promise<ModelServer> {
  const state = { mishaps: [] as Mishap[], pace: 0 };
  const server = await startLoopbackServer(async ({ path, headers }, response) => {
    const isWeights = WEIGHTS.test(path);
    const mishap = isWeights ? state.mishaps.shift() : undefined;
    if (mishap?.kind === 'status') {
      response.writeHead(mishap.status).end();
      return;
    }
    if (mishap?.kind === 'text') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(mishap.text);
      return;
    }
    if (mishap?.kind === 'redirect') {
      response.writeHead(302, { location: mishap.to }).end();
      return;
    }
    const file = join(folder, decodeURIComponent(path));
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) {
      response.writeHead(404).end();
      return;
    }
    const rangeMatch = /^bytes=(\d+)-$/.exec(mishap?.kind === 'whole' ? '' : (headers.range ?? ''));
    const start = Number(rangeMatch?.[1] ?? 0);
    if (start >= size) {
      response.writeHead(416, { 'content-range': `bytes */${String(size)}` }).end();
      return;
    }
    response.writeHead(rangeMatch === null ? 200 : 206, {
      'content-length': size - start,
      ...(rangeMatch && { 'content-range': `bytes ${String(start)}-${String(size - 1)}/${String(size)}` }),
    });
    const stop = mishap?.kind === 'cut' || mishap?.kind === 'wait' ? mishap.after : Infinity;
    await pipeline(
      createReadStream(file, { start }),
      async function* (chunks: AsyncIterable<Buffer>) {
        let sent = 0;
        for await (const chunk of chunks) {
          const left = stop - sent;
          yield chunk.subarray(0, Math.max(0, left));
          sent += chunk.length;
          if (sent >= stop && mishap?.kind === 'cut') {
            await sleep(20);
            throw new Error('It is cut here.');
          }
          if (sent >= stop && sent - chunk.length <= stop && mishap?.kind === 'wait') {
            await mishap.gate.pass();
          }
          if (left < chunk.length) yield chunk.subarray(Math.max(0, left));
          if (state.pace > 0 && isWeights) await sleep(state.pace);
        }
      },
      response,
    );
  });
  return withState(server, state);
}

function withState(server: LoopbackServer, state: { mishaps: Mishap[]; pace: number }): ModelServer {
  return {
    url: server.url,
    requests: server.requests,
    close: () => server.close(),
    get mishaps() {
      return state.mishaps;
    },
    set mishaps(mishaps) {
      state.mishaps = mishaps;
    },
    get pace() {
      return state.pace;
    },
    set pace(pace) {
      state.pace = pace;
    },
    ranges: () =>
      server.requests.filter(({ path }) => WEIGHTS.test(path)).map(({ headers }) => headers.range),
  };
}
