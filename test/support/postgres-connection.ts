// The connection between a member's machine and PostgreSQL, on loopback, which a test can slow down, cut, or silence.
import { createServer, connect, type Socket } from 'node:net';
import { once } from 'node:events';

/** Delay of a lost packet until it arrives again, in milliseconds. */
const RETRANSMISSION = 1_000;

export interface PostgresLine {
  readonly port: number;
  /** Delays every packet by some milliseconds, and a share `lost` of them longer. */
  slow(delay: number, lost: number): void;
  /** Ends all connections, and accepts no new ones until it is mended. */
  cut(): void;
  /** Drops everything on existing connections without closing them. */
  silence(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Starts a line that leads to a port of this machine. */
export async function startLine(to: number, random = Math.random): Promise<PostgresLine> {
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let [delay, lost, isCut] = [0, 0, false];
  const lead = (from: Socket, onward: Socket): void => {
    let arrives = 0;
    from.on('data', (bytes: Buffer) => {
      if (silent.has(from)) return;
      const takes = delay + (random() < lost ? RETRANSMISSION : 0);
      arrives = Math.max(arrives, performance.now() + takes);
      if (takes === 0 && arrives <= performance.now()) onward.write(bytes);
      else setTimeout(() => onward.destroyed || onward.write(bytes), arrives - performance.now());
    });
    from.on('error', () => onward.destroy());
    from.on('close', () => {
      sockets.delete(from);
      onward.destroy();
    });
    sockets.add(from);
  };
  // Only `slow` delays packets.
  const server = createServer({ noDelay: true }, (socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect({ port: to, host: '127.0.0.1', noDelay: true });
    lead(socket, upstream);
    lead(upstream, socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The line has no port.');
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    slow: (milliseconds, share) => {
      [delay, lost] = [milliseconds, share];
    },
    cut: () => {
      isCut = true;
      end();
    },
    silence: () => {
      for (const socket of sockets) silent.add(socket);
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The same connection string by way of another port. */
export function throughPort(connection: string, port: number): string {
  const url = new URL(connection);
  url.port = String(port);
  return url.href;
}
