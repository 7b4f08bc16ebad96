import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { TLSSocket, createSecureContext } from 'node:tls';
import { openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import { makeOwnCertificate } from '../support/own-certificate.ts';

const PASSWORD = 'a-secret-password';

const CLEAR_TEXT = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3]);
const SCRAM = Buffer.concat([
  Buffer.from([82, 0, 0, 0, 23, 0, 0, 0, 10]),
  Buffer.from('SCRAM-SHA-256\0\0', 'latin1'),
]);

/** Starts a server that asks for a password, and returns what it received once the client has disconnected. */
async function startAsking(
  requests: readonly Buffer[],
  isEncrypted: boolean,
): Promise<{ readonly port: number; readonly received: Promise<string> }> {
  const { promise: received, resolve } = Promise.withResolvers<string>();
  const { cert, key } = makeOwnCertificate();
  const server = createServer((socket) => {
    let words = '';
    const answer = (line: Socket): void => {
      let promptCount = 0;
      line.on('error', () => undefined);
      line.on('data', (chunk) => {
        words += chunk.toString('latin1');
        line.write(requests[promptCount++] ?? '');
      });
      line.on('close', () => resolve(words));
    };
    socket.on('error', () => undefined);
    if (!isEncrypted) answer(socket);
    else
      socket.once('data', () => {
        socket.write('S');
        const secureContext = createSecureContext({ cert, key });
        answer(new TLSSocket(socket, { isServer: true, secureContext }));
      });
  }).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { port: address.port, received };
}

for (const isEncrypted of [false, true])
  for (const [name, requests] of Object.entries({
    'at once': [CLEAR_TEXT],
    'after SCRAM': [SCRAM, CLEAR_TEXT],
  }))
    test(`doesn’t send the password in clear text ${name} ${isEncrypted ? 'by an unknown certificate' : 'without TLS'}`, async () => {
      const { port, received } = await startAsking(requests, isEncrypted);
      const connection = readConnectionString(
        `postgres://ada:${PASSWORD}@127.0.0.1:${String(port)}/team?sslmode=${isEncrypted ? 'require' : 'disable'}`,
      );
      await assert.rejects(
        openConnection(connection),
        /^NotebookError: 127\.0\.0\.1 requests your password in plain text/,
      );
      const words = await received;
      assert.match(words, /ada/);
      assert.ok(!words.includes(PASSWORD));
    });
