import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Response of a server as `fetch` returns it, but with any status number. */
export interface HttpAnswer extends Pick<Response, 'ok' | 'status' | 'headers'> {
  /** Decompressed body; null if there is none. */
  readonly body: Pick<ReadableStream<Uint8Array>, 'cancel' | typeof Symbol.asyncIterator> | null;
}

/** Encodings for `accept-encoding` that this module decodes. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

/** Statuses of responses without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Returns the response to a request of Node's `http`. */
export function readAnswer(message: IncomingMessage): HttpAnswer {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    try {
      headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    } catch {
      // Ignore a header that isn't valid.
    }
  const ok = status >= 200 && status < 300;
  if (!BODILESS.has(status))
    return { ok, status, headers, body: Readable.toWeb(decompress(message, headers)) };
  message.resume();
  return { ok, status, headers, body: null };
}

function decompress(message: IncomingMessage, headers: Headers): Readable {
  const encodings = (headers.get('content-encoding') ?? '').toLowerCase().split(',', 3);
  const steps = encodings.map((encoding) => findDecompressor(encoding.trim())).reverse();
  const known = steps.flatMap((make) => (make === undefined ? [] : [make]));
  // Leave a body with an unrequested encoding as it is.
  if (known.length < steps.length || known.length === 0) return message;
  // The reader of the stream gets its errors, so the callback can ignore them.
  return pipeline([message, ...known.map((make) => make())], () => undefined) as unknown as Readable;
}

function findDecompressor(encoding: string): (() => Transform) | undefined {
  // Accept truncated data, as browsers do.
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return () => createGunzip(flush);
    case 'deflate':
      return () => createInflate(flush);
    case 'br':
      return () =>
        createBrotliDecompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
        });
    default:
      return undefined;
  }
}
