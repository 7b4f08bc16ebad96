// A web proxy on loopback that connects every host to one server of this machine.
import { createServer, request as forward } from 'node:http';
import { connect } from 'node:net';

/** The running proxy. */
interface ProxyServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** Requested hosts, in order. */
  readonly hosts: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy that forwards every request and every tunnel to a server of this machine, by its address. If
 * `authorization` is given, only tunnels with it are opened.
 */
export async function startProxy(to: string, authorization?: string): Promise<ProxyServer> {
  const { hostname, port } = new URL(to);
  const hosts: string[] = [];
  const server = createServer((incoming, response) => {
    const requestUrl = new URL(incoming.url ?? '', 'http://nowhere.invalid');
    hosts.push(requestUrl.host);
    const { method, headers } = incoming;
    const onward = forward(
      { hostname, port, method, headers, path: requestUrl.pathname + requestUrl.search },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      },
    );
    onward.on('error', () => {
      response.destroy();
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket, head) => {
    hosts.push(incoming.url ?? '');
    if (authorization !== undefined && incoming.headers['proxy-authorization'] !== authorization) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
      return;
    }
    const tunnel = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tunnel.write(head);
      tunnel.pipe(socket);
      socket.pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    hosts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
