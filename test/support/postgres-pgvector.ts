// Runs PostgreSQL with pgvector, compiled to WebAssembly, so that it is available on every machine. Its one session
// is shared like in a pooler in transaction mode: before each transaction it takes the role of the connection, as
// after a login. It doesn't check passwords.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

export interface PostgresWithPgvector {
  /** Its administrator's connection string. */
  readonly administrator: string;
  close(): Promise<void>;
}

const ADMINISTRATOR = 'postgres';

const GREETING = Buffer.concat([
  message('R', Buffer.of(0, 0, 0, 0)),
  ...Object.entries({
    server_version: '17.5',
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    standard_conforming_strings: 'on',
    integer_datetimes: 'on',
    DateStyle: 'ISO, MDY',
  }).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
  message('K', Buffer.alloc(8)),
  message('Z', Buffer.from('I')),
]);

export async function startPostgresWithPgvector(): Promise<PostgresWithPgvector> {
  const database = await PGlite.create({ extensions: { vector } });
  const open = new Set<Socket>();
  const listening = new Set<Socket>();
  let user = ADMINISTRATOR;
  let lastTask: Promise<void> = Promise.resolve();

  /** Waits for the session, reserves it for a transaction, and returns a function that releases it. */
  const takeSession = async (by: string): Promise<() => void> => {
    const before = lastTask;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    lastTask = promise;
    await before;
    if (user !== by) {
      await database.execProtocolRaw(
        message('Q', Buffer.from(`SET SESSION AUTHORIZATION "${by.replaceAll('"', '""')}"\0`)),
      );
      user = by;
    }
    return () => {
      resolve(undefined);
    };
  };

  const serve = async (socket: Socket): Promise<void> => {
    let received = Buffer.alloc(0);
    let by: string | undefined;
    let batch: Buffer[] = [];
    let leave: (() => void) | undefined;
    const send = async (): Promise<void> => {
      leave ??= await takeSession(by ?? ADMINISTRATOR);
      const sent = Buffer.concat(batch);
      batch = [];
      if (/^\s*LISTEN\b/i.test(sent.toString('latin1', 5))) listening.add(socket);
      const answer = Buffer.from(await database.execProtocolRaw(sent));
      let state = 'I';
      const own: Buffer[] = [];
      for (let at = 0; at < answer.length;) {
        const end = at + 1 + answer.readUInt32BE(at + 1);
        const kind = String.fromCharCode(answer[at] ?? 0);
        const message = answer.subarray(at, end);
        if (kind === 'A') for (const other of listening) other.write(message);
        else own.push(message);
        if (kind === 'Z') state = String.fromCharCode(message[5] ?? 0);
        at = end;
      }
      socket.write(Buffer.concat(own));
      if (state !== 'I') return;
      leave();
      leave = undefined;
    };
    try {
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        received = Buffer.concat([received, chunk]);
        for (;;) {
          const head = by === undefined ? 0 : 1;
          if (received.length < head + 4) break;
          const end = head + received.readUInt32BE(head);
          if (received.length < end) break;
          const message = received.subarray(0, end);
          received = received.subarray(end);
          if (by === undefined) {
            // Declines encryption, then reads the user name.
            if (end === 8) socket.write('N');
            else {
              const words = message.toString('utf8', 8).split('\0');
              by = words[words.indexOf('user') + 1] ?? ADMINISTRATOR;
              socket.write(GREETING);
            }
            continue;
          }
          const kind = String.fromCharCode(message[0] ?? 0);
          if (kind === 'X') return;
          batch.push(message);
          if (kind === 'Q' || kind === 'S') await send();
        }
      }
    } finally {
      listening.delete(socket);
      if (leave !== undefined) {
        await database.execProtocolRaw(message('Q', Buffer.from('ROLLBACK\0')));
        leave();
      }
      socket.destroy();
    }
  };

  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    serve(socket).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    administrator: `postgres://${ADMINISTRATOR}@127.0.0.1:${String(address.port)}/postgres`,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
      await lastTask;
      await database.close();
    },
  };
}

function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
