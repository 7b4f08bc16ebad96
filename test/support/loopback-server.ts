import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { OwnCertificate } from './own-certificate.ts';

/** Recorded request. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Uint8Array;
  /** Settles with `true` when the response was sent, or with `false` when the client disconnected before. */
  readonly answered: Promise<boolean>;
}

/** A real HTTP server on a free port of this machine. */
export interface LoopbackServer {
  /** `http://127.0.0.1:PORT`, or `https:` with a certificate, without a slash at the end. */
  readonly url: string;
  /** All requests so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Ends the server and every connection. */
  close(): Promise<void>;
}

/** Starts a server, over TLS if it has a certificate. A handler that throws breaks the connection. */
export async function startLoopbackServer(
  handle: (request: RecordedRequest, response: ServerResponse) => Promise<void>,
  certificate?: OwnCertificate,
): Promise<LoopbackServer> {
  const requests: RecordedRequest[] = [];
  const take = (incoming: IncomingMessage, response: ServerResponse): void => {
    void record(incoming, response)
      .then((request) => {
        requests.push(request);
        return handle(request, response);
      })
      .catch(() => {
        response.destroy();
      });
  };
  const server = certificate === undefined ? createServer(take) : createSecureServer(certificate, take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${String(address.port)}`,
    requests,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function record(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const answered = new Promise<boolean>((resolve) => {
    response.once('close', () => {
      resolve(response.writableFinished);
    });
  });
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: bytes.toString('utf8'),
    bytes,
    answered,
  };
}
