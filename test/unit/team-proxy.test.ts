import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as listenTo, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { usesProxy, proxyEnvironment, type Proxy } from '../../src/features/team/service/proxy.ts';
import { close, makeFolder, openNew } from '../support/opened-notebooks.ts';
import { makeOwnCertificate } from '../support/own-certificate.ts';
import { startPostgres, type Postgres } from '../support/postgres.ts';
import { startProxy } from '../support/proxy-server.ts';
import { Machine } from '../support/team.ts';
import { context, makeTeam } from '../support/team-members.ts';

const certificate = makeOwnCertificate();
let postgres: Postgres;
before(async () => {
  postgres = await startPostgres({}, certificate);
});
after(() => postgres.stop());

test('connects to and syncs with a team database through the editor’s proxy, with TLS inside', async (running) => {
  const administrator = await postgres.createDatabase();
  const { ada = '' } = await makeTeam(administrator, { ada: 'author' }, 'proxied');
  const authorization = `Basic ${Buffer.from('garden:a word/2').toString('base64')}`;
  const proxy = await startProxy(`http://127.0.0.1:${String(postgres.port)}`, authorization);
  running.after(() => proxy.close());
  const root = join(makeFolder(), 'root.pem');
  writeFileSync(root, certificate.cert);
  const elsewhere = `${ada.replace(/@[^/]+/, '@db.garden.invalid:6000')}?sslmode=verify-ca&sslrootcert=${root}`;
  const useProxy = (one: Proxy): void => {
    Object.assign(process.env, proxyEnvironment(one));
  };
  running.after(() => Reflect.deleteProperty(process.env, 'OPEN_NOTEBOOK_PROXY'));
  const named = proxy.url.replace('http://', 'http://garden:a%20word%2F2@');
  useProxy({ url: named, without: [] });
  const { folder, index } = await openNew();
  index.features.notes.add({ title: 'Plan', text: 'Dig.\n', citations: [] });
  await close(index);
  const machine = await Machine.share(elsewhere, folder, randomUUID());
  machine.goOnline();
  await machine.settled();
  await machine.goOffline();
  assert.ok(proxy.hosts.length > 1);
  assert.deepEqual([...new Set(proxy.hosts)], ['db.garden.invalid:6000']);
  // The connection is encrypted end to end.
  const client = await openConnection(readConnectionString(elsewhere));
  const { rows } = await client.query(
    'SELECT ssl::text AS name FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
  );
  assert.deepEqual(rows, [{ name: 'true' }]);
  await closeConnection(client);

  const team = (): Promise<unknown> => Promise.resolve(teamHandlers.team({ connection: elsewhere }, context));
  useProxy({ url: proxy.url, authorization, without: [] });
  await team();
  useProxy({ url: proxy.url, without: [] });
  await assert.rejects(
    team,
    /The proxy 127\.0\.0\.1:\d+ requires a user name and a password\. Add them to the http\.proxy setting/,
  );
  // An invalid escape is used as it is.
  const credentials = Buffer.from('garden:100%').toString('base64');
  const other = await startProxy(`http://127.0.0.1:${String(postgres.port)}`, `Basic ${credentials}`);
  running.after(() => other.close());
  useProxy({ url: other.url.replace('http://', 'http://garden:100%@'), without: [] });
  await team();
  useProxy({ url: 'socks://127.0.0.1', without: [] });
  await assert.rejects(team, /the http\.proxy setting isn’t a valid proxy URL/);
  useProxy({ url: named, without: ['.invalid'] });
  await assert.rejects(team, /Can’t find the host db\.garden\.invalid/);
  await proxy.close();
  useProxy({ url: named, without: [] });
  await assert.rejects(team, /The proxy 127\.0\.0\.1:\d+ doesn’t respond\. Check the http\.proxy setting/);
});

test('connects directly to hosts that the proxy refuses or that are exempt from it', async (running) => {
  const refusing = createServer().on('connect', (_, socket) => {
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  running.after(() => refusing.close());
  const url = `http://127.0.0.1:${String((refusing.address() as AddressInfo).port)}`;
  // A name of this machine that isn't exempt from the proxy.
  const target = readConnectionString((await postgres.createDatabase()).replace('@127.0.0.1', '@0.0.0.0'));
  const client = await openConnection(target, undefined, { url, without: [] });
  await closeConnection(client);
  const proxy = { url, without: ['db.example', '.garden.example', '*.kitchen.example:5432', '10.0.0.7'] };
  const through = ['127.evil.example', 'db.example.org', 'other.example', 'gardens.example', '10.0.0.70'];
  const directly = [
    'localhost',
    '127.0.0.1',
    '::1',
    'DB.example',
    'a.garden.example',
    'b.kitchen.example',
    '10.0.0.7',
  ];
  for (const host of through) assert.ok(usesProxy(proxy, host), host);
  for (const host of directly) assert.ok(!usesProxy(proxy, host), host);
  assert.ok(!usesProxy({ url, without: ['*'] }, 'db.example'));
});

test('stops connecting when the signal is aborted', async (running) => {
  const silent = listenTo().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  running.after(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const connection = readConnectionString(`postgres://ada@127.0.0.1:${String(port)}/team?sslmode=disable`);
  const controller = new AbortController();
  silent.once('connection', (socket) => {
    running.after(() => socket.destroy());
    controller.abort();
  });
  await assert.rejects(openConnection(connection, controller.signal), { code: 'cancelled' });
});
