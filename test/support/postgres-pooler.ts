// A pooler in transaction mode like PgBouncer: each transaction gets another session, so nothing that belongs to a
// session survives, and notifications don't arrive.
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';

interface Pooler {
  readonly port: number;
  /** Returns the number of forwarded transactions. */
  readonly transactions: () => number;
  close(): Promise<void>;
}

/** The sessions that a login's transactions go round. */
const SESSIONS = 3;

const AUTHENTICATED = message('R', Buffer.of(0, 0, 0, 0));
const READY = message('Z', Buffer.from('I'));
/** PgBouncer's answer to a search path. */
const REFUSED = message(
  'E',
  Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter in options: search_path\0\0'),
);

/** Starts a pooler that needs no password and knows the connection strings of the logins. */
export async function startPooler(connections: readonly string[]): Promise<Pooler> {
  const open = new Set<Socket>();
  const pools = new Map<string, { readonly sessions: Session[]; next: number }>();
  let transactions = 0;
  const sessionFor = async (user: string): Promise<Session> => {
    const pool = pools.get(user) ?? { sessions: [], next: 0 };
    pools.set(user, pool);
    for (;;) {
      // Uses another session each time, so that no client gets the previous one again.
      const at = pool.next++ % SESSIONS;
      const connection = connections.find((one) => decodeURIComponent(new URL(one).username) === user);
      if (connection === undefined) throw new Error(`The pooler knows no ${user}.`);
      const session = (pool.sessions[at] ??= new Session(connection));
      if (!session.isTaken) {
        session.isTaken = true;
        await session.opened;
        transactions++;
        return session;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  // Without a delay, or the server's small messages would wait for acknowledgments of 40 ms each.
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    serve(socket, sessionFor).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The pooler has no port.');
  return {
    port: address.port,
    transactions: () => transactions,
    close: async () => {
      for (const socket of open) socket.destroy();
      for (const { sessions } of pools.values()) for (const session of sessions) session.end();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Session of the pooler with the server. It ends if a client leaves during a transaction. */
class Session {
  readonly opened: Promise<void>;
  isTaken = false;
  #socket: Socket | undefined;
  readonly #client: pg.Client;

  constructor(connection: string) {
    this.#client = new pg.Client({ connectionString: connection });
    this.#client.on('error', () => undefined);
    this.opened = this.#client.connect().then(() => {
      const { stream } = (this.#client as unknown as { connection: { stream: Socket } }).connection;
      stream.removeAllListeners('data');
      this.#socket = stream;
    });
  }

  get socket(): Socket {
    if (this.#socket === undefined) throw new Error('The session is not open yet.');
    return this.#socket;
  }

  end(): void {
    this.#socket?.destroy();
  }
}

async function serve(socket: Socket, sessionFor: (user: string) => Promise<Session>): Promise<void> {
  let user: string | undefined;
  let session: Session | undefined;
  let rest = Buffer.alloc(0);
  socket.on('close', () => session?.end());
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      // The first message has no type byte before its length.
      const letters = user === undefined ? 0 : 1;
      if (rest.length < letters + 4) break;
      const length = letters + rest.readUInt32BE(letters);
      if (rest.length < length) break;
      const whole = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (user === undefined) {
        // A request for TLS has a number in place of the version.
        if (whole.readUInt32BE(4) === 80_877_103) {
          socket.write('N');
          continue;
        }
        const words = whole.subarray(8).toString().split('\0');
        if (words.includes('options')) {
          socket.end(REFUSED);
          return;
        }
        user = words[words.indexOf('user') + 1] ?? '';
        socket.write(Buffer.concat([AUTHENTICATED, READY]));
        continue;
      }
      if (whole[0] === 'X'.charCodeAt(0)) {
        socket.end();
        return;
      }
      if (session === undefined) {
        const clientSession = await sessionFor(user);
        session = clientSession;
        leadBack(clientSession, socket, () => {
          session = undefined;
        });
      }
      session.socket.write(whole);
    }
  }
}

/** Forwards the server's messages to the client until its transaction ends, except notifications. */
function leadBack(session: Session, socket: Socket, over: () => void): void {
  let rest = Buffer.alloc(0);
  const { socket: from } = session;
  const closeSocket = (): void => void socket.destroy();
  const read = (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) return;
      const whole = rest.subarray(0, length);
      rest = rest.subarray(length);
      const letter = String.fromCharCode(whole[0] ?? 0);
      const isOver = letter === 'Z' && whole[5] === 'I'.charCodeAt(0);
      if (isOver) {
        from.off('data', read).off('close', closeSocket);
        over();
        session.isTaken = false;
      }
      if (letter !== 'A' && letter !== 'S') socket.write(whole);
    }
  };
  from.on('data', read).once('close', closeSocket);
}

function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeUInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}
