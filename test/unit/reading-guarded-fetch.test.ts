import assert from 'node:assert/strict';
import { globalAgent } from 'node:http';
import { Socket, type TcpNetConnectOpts } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { whyNothing } from '../../src/parsers/sites/report.ts';
import { fetchPage } from '../../src/parsers/web/fetch-page.ts';
import { guardedFetch, type AddressLookup } from '../../src/parsers/web/guarded-fetch.ts';
import { hostAndPort, isPrivateHost, isPrivateNumber } from '../../src/parsers/web/private-addresses.ts';
import { openCrawledSite, makePage, quickPace, rulesFor } from '../support/site-crawl.ts';
import { file, redirect, siteOfTest, type Site } from '../support/site.ts';

const privateNumbers =
  '0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.168.1.1 198.18.0.1 198.19.255.255 224.0.0.251 239.255.255.250 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::10.0.0.1 ::ffff:10.0.0.1 ::ffff:a00:1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::1 2001:0:1::1 2002:7f00:1:: fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1';
const publicNumbers =
  '1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 192.0.1.1 198.17.255.255 198.20.0.1 223.255.255.255 2001:4860:4860::8888 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808';

describe('a private host', () => {
  test('is recognized by its IP address', () => {
    for (const number of privateNumbers.split(' ')) assert.ok(isPrivateNumber(number), number);
    for (const number of publicNumbers.split(' ')) assert.ok(!isPrivateNumber(number), number);
  });

  test('is recognized by its name in any spelling', () => {
    const written =
      'localhost LOCALHOST localhost. a.localhost printer.local db.internal db.internal. nas.home.arpa wiki 2130706433 0x7f.1 017700000001 127.1 １２７.0.0.1 [::1] [::ffff:127.0.0.1] [0:0::1]';
    for (const host of written.split(' '))
      assert.ok(isPrivateHost(new URL(`http://${host}/`).hostname), host);
    for (const host of ['example.org', 'local.example.org', 'localhost.example.org', '8.8.8.8'])
      assert.ok(!isPrivateHost(new URL(`http://${host}/`).hostname), host);
  });

  test('is allowed with its port', () => {
    const keys = ['http://localhost/', 'https://localhost/', 'http://[::1]:3000/a'].map((address) =>
      hostAndPort(new URL(address)),
    );
    assert.deepEqual(keys, ['localhost:80', 'localhost:443', '[::1]:3000']);
  });
});

const secret = file('text/plain', 'the role of this machine is harbour-master '.repeat(10));
const hostName = ({ url }: Site): string => new URL(url).host;

/** Starts a server without consent. */
const innerSite = (context: TestContext): Promise<Site> =>
  siteOfTest(context, { '/latest/meta-data': secret, '/': secret, '/robots.txt': file('text/plain', '') });

/** Returns a DNS lookup with these answers in turn. The last one repeats. */
function answering(...answers: readonly (readonly string[])[]): {
  lookUp: AddressLookup;
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    lookUp: (hostname) => {
      const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(hostname);
      return Promise.resolve(
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  };
}

/** Returns the addresses that a request connects to if its host is resolved twice. Connects to nothing. */
async function whereConnected(context: TestContext, ask: () => Promise<unknown>): Promise<string[]> {
  const addresses: string[] = [];
  const connecting = context.mock.method(globalAgent, 'createConnection', ((options: TcpNetConnectOpts) => {
    const socket = new Socket();
    const note = (_error: Error | null, address: unknown): void => {
      addresses.push(String(address));
      if (addresses.length === 2) socket.destroy(new Error('Nothing goes out.'));
    };
    for (let times = 0; times < 2; times++) options.lookup?.(options.host ?? '', {}, note);
    return socket;
  }) as typeof globalAgent.createConnection);
  await assert.rejects(ask(), { code: 'connection' });
  connecting.mock.restore();
  return addresses;
}

const get = (address: string, agreed: readonly string[] = [], lookUp?: AddressLookup) =>
  fetchPage(address, { fetch: guardedFetch(agreed, lookUp), timeoutMilliseconds: 5_000 });

describe('an address of a source', () => {
  test('isn’t requested on a private host without consent', async (context) => {
    const inner = await innerSite(context);
    await assert.rejects(get(`${inner.url}/latest/meta-data`), {
      code: 'forbidden',
      message: /127\.0\.0\.1:\d+ is on this machine or on a private network/,
    });
    await assert.rejects(get(inner.url.replace('127.0.0.1', 'localhost')), { code: 'forbidden' });
    assert.equal(inner.requests.length, 0);
  });

  test('is requested with consent, only on that port and through redirects on its host', async (context) => {
    const inner = await innerSite(context);
    const own = await siteOfTest(context, {
      '/old': redirect('/docs'),
      '/docs': secret,
      '/away': redirect(`${inner.url}/latest/meta-data`),
    });
    const agreed = [hostName(own)];
    assert.equal((await get(`${own.url}/old`, agreed)).url, `${own.url}/docs`);
    await assert.rejects(get(`${own.url}/away#part`, agreed), {
      code: 'forbidden',
      message: new RegExp(
        `${hostName(own)} redirects to ${inner.url}/latest/meta-data, which is on this machine`,
      ),
    });
    assert.equal(inner.requests.length, 0);
  });

  test('is requested at the HTTPS address of an allowed host', async () => {
    await assert.rejects(get('https://127.0.0.1/', ['127.0.0.1:80']), { code: 'connection' });
    await assert.rejects(get('https://127.0.0.1:8443/', ['127.0.0.1:80']), { code: 'forbidden' });
    await assert.rejects(get('http://127.0.0.1/', ['127.0.0.1:443']), { code: 'forbidden' });
  });

  test('is resolved once and requested at the IP address that was checked', async (context) => {
    const inner = await innerSite(context);
    const { port } = new URL(inner.url);
    const name = `http://rebinding.example.org:${port}/latest/meta-data`;
    // The host resolves to a public address at first, and then to this machine.
    const { lookUp, asked } = answering(['203.0.113.1'], ['127.0.0.1']);
    const connected = await whereConnected(context, () => get(name, [], lookUp));
    assert.deepEqual(connected, ['203.0.113.1', '203.0.113.1']);
    assert.deepEqual(asked, ['rebinding.example.org']);
    await assert.rejects(get(name, [], lookUp), { code: 'forbidden' });
    // One private address among public ones is enough to reject a host, and an allowed host is connected to.
    await assert.rejects(get(name, [], answering(['203.0.113.1', '::1']).lookUp), { code: 'forbidden' });
    assert.equal(inner.requests.length, 0);
    await get(name, [`rebinding.example.org:${port}`], answering(['127.0.0.1']).lookUp);
    assert.equal(inner.requests.length, 1);
  });

  test('isn’t requested over a connection that was opened with consent', async (context) => {
    const inner = await innerSite(context);
    const name = `http://kept.example.org:${new URL(inner.url).port}/`;
    await get(name, [new URL(name).host], answering(['127.0.0.1']).lookUp);
    await assert.rejects(get(name, [], answering(['203.0.113.1']).lookUp), { code: 'forbidden' });
    assert.equal(inner.requests.length, 1);
  });

  test('waits for a slow DNS lookup before it connects, and fails without one', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const inner = await innerSite(context);
    const name = `http://slow.example.org:${new URL(inner.url).port}/`;
    const lookUp = Promise.withResolvers<{ address: string; family: number }[]>();
    const asking = guardedFetch([], () => lookUp.promise)(new URL(name), {
      headers: {},
      signal: new AbortController().signal,
    });
    context.mock.timers.tick(60_000);
    lookUp.resolve([{ address: '127.0.0.1', family: 4 }]);
    await assert.rejects(asking, { code: 'forbidden' });
    assert.equal(inner.requests.length, 0);
    context.mock.timers.reset();
    const unknown: AddressLookup = () =>
      Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    await assert.rejects(get(name, [], unknown), { code: 'connection', message: /Can’t find / });
    await assert.rejects(get(name, [], answering([]).lookUp), { code: 'connection' });
  });
});

describe('a site', () => {
  const crawled = async (context: TestContext, site: Site) => {
    const all = await openCrawledSite(
      context,
      rulesFor(`${site.url}/`),
      quickPace,
      guardedFetch([hostName(site)]),
    );
    const { saved } = await all.crawl();
    return { saved, all };
  };
  const start = makePage('Start', ['/a']);

  test('doesn’t lead to private hosts, neither in pages nor in lists', async (context) => {
    const inner = await innerSite(context);
    const away = redirect(`${inner.url}/latest/meta-data`);
    const site = await siteOfTest(context, {
      '/': makePage(
        'Start',
        ['/a', `${inner.url}/latest/meta-data`],
        '<link rel="alternate" type="text/markdown" href="/start.md">',
      ),
      '/a': away,
      '/start.md': away,
      '/llms.txt': away,
      '/sitemap.xml': file(
        'text/xml',
        `<sitemapindex><sitemap><loc>${inner.url}/</loc></sitemap><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>`,
      ),
      '/b.xml': away,
    });
    const { saved, all } = await crawled(context, site);
    assert.equal(saved, 1);
    assert.deepEqual(all.inState('left-out'), ['/a']);
    assert.equal(inner.requests.length, 0);
  });

  test('isn’t read if its start or robots.txt redirects to a private host, which the error names', async (context) => {
    const inner = await innerSite(context);
    for (const path of ['/', '/robots.txt']) {
      const site = await siteOfTest(context, { '/': start, [path]: redirect(`${inner.url}/`) });
      const { saved, all } = await crawled(context, site);
      assert.equal(saved, 0);
      const reason = whyNothing(all.record());
      assert.match(reason, /private network/);
      assert.ok(reason.includes(hostName(inner)), reason);
    }
    assert.equal(inner.requests.length, 0);
  });
});

describe('a response', () => {
  test('is decompressed while it arrives', async (context) => {
    const text = Buffer.from('The keel was laid in 1931. '.repeat(2000));
    const packed = { gzip: gzipSync(text), br: brotliCompressSync(text), deflate: deflateSync(text) };
    const nested = gzipSync(brotliCompressSync(text));
    const site = await siteOfTest(context, { '/plain': file('text/plain', text) });
    for (const [encoding, body] of [
      ...Object.entries(packed),
      ['br, gzip', nested],
      ['x-own', text],
    ] as const) {
      const headers = { 'content-type': 'text/plain', 'content-encoding': encoding };
      site.set({ '/packed': { headers, body } });
      const page = await get(`${site.url}/packed`, [hostName(site)]);
      assert.ok(text.equals(page.bytes), encoding);
    }
    assert.ok(text.equals((await get(`${site.url}/plain`, [hostName(site)])).bytes));
    assert.match(site.requests[0]?.headers['accept-encoding'] ?? '', /gzip/);
    // Damaged data is an error, and a response that exceeds the limit when unpacked is rejected.
    const bomb = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    site.set({ '/bomb': { headers: bomb, body: gzipSync(Buffer.alloc(30_000_000)) } });
    await assert.rejects(get(`${site.url}/bomb`, [hostName(site)]), { code: 'too-large' });
    site.set({ '/broken': { headers: bomb, body: Buffer.from('no gzip at all') } });
    await assert.rejects(get(`${site.url}/broken`, [hostName(site)]), { code: 'connection' });
  });

  test('can have any status', async (context) => {
    const site = await siteOfTest(context, { '/999': { status: 999 }, '/204': { status: 204 } });
    await assert.rejects(get(`${site.url}/999`, [hostName(site)]), { code: 'server', message: /999/ });
    assert.equal((await get(`${site.url}/204`, [hostName(site)])).bytes.length, 0);
  });

  test('is requested again if a kept-alive connection breaks', async (context) => {
    let connections = 0;
    const site = await siteOfTest(context, {
      '/first': secret,
      '/second': (_request, before) => {
        connections++;
        if (before === 0) throw new Error('The connection was closed in this moment.');
        return secret;
      },
    });
    await get(`${site.url}/first`, [hostName(site)]);
    await get(`${site.url}/second`, [hostName(site)]);
    assert.equal(connections, 2);
  });
});
