import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { withForgeToken } from '../../src/features/forge/editor/with-forge-token.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { mayCarryToken } from '../../src/parsers/threads/may-carry-token.ts';
import { listRepository, readRepositoryFile } from '../../src/parsers/threads/read-repository.ts';
import { readThread } from '../../src/parsers/threads/read-thread.ts';
import { forgeOptions, startForge, type ForgeAnswer } from '../support/forge-server.ts';
import type { LoopbackServer, RecordedRequest } from '../support/loopback-server.ts';

const TOKEN = 'glpat-of-anna';

const thread = {
  title: 'The wheel stops',
  state: 'opened',
  description: 'It stops.',
  author: { username: 'anna' },
  created_at: '2024-01-02T03:04:05Z',
  labels: [],
  user_notes_count: 0,
};

/** Starts a GitLab server that shows a project only to requests with the token. */
const gitLab = (context: TestContext): Promise<LoopbackServer> =>
  startForge(context, ({ pathname }, { headers }): ForgeAnswer => {
    const token = headers['private-token'];
    if (token === undefined) return { status: 404, body: { message: '404 Project Not Found' } };
    if (token !== TOKEN) return { status: 401, body: { message: '401 Unauthorized' } };
    if (pathname.endsWith('/notes')) return { body: [] };
    if (/\/(?:issues|merge_requests)\/7$/.test(pathname)) return { body: thread };
    if (pathname.endsWith('/repository/tree'))
      return { body: [{ path: 'docs/wheel.md', type: 'blob', id: 'a' }] };
    if (pathname.endsWith('/raw')) return { body: '# The wheel' };
    return { body: { path_with_namespace: 'mill/grain', default_branch: 'trunk' } };
  });

const threadAt = ({ url }: LoopbackServer, kind: 'issue' | 'pull' = 'issue') =>
  ({ forge: 'gitlab', kind, repository: 'mill/grain', number: 7, api: `${url}/api/v4` }) as const;

const repositoryAt = ({ url }: LoopbackServer) =>
  ({
    ...({ forge: 'gitlab', repository: 'mill/grain', ref: undefined, folder: '' } as const),
    ...{ api: `${url}/api/v4`, raw: url, pages: url },
  }) as const;

const tokens = (requests: readonly RecordedRequest[]): unknown[] => [
  ...new Set(requests.map(({ headers }) => headers['private-token'])),
];

test('reads issues, merge requests, and documents of a private project with a token', async (context) => {
  const server = await gitLab(context);
  const options = forgeOptions(server, TOKEN);
  for (const kind of ['issue', 'pull'] as const)
    assert.match((await readThread(threadAt(server, kind), options)).markdown, /It stops\./);
  const { files } = await listRepository(repositoryAt(server), options);
  const [file] = files;
  assert.ok(file);
  const bytes = await readRepositoryFile(repositoryAt(server), file, options);
  assert.equal(Buffer.from(bytes).toString(), '# The wheel');
  assert.deepEqual(tokens(server.requests), [TOKEN]);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === undefined));
});

test('reports a rejected token without showing it, and a missing permission of the account', async (context) => {
  const answers: readonly (readonly [ForgeAnswer, string, RegExp])[] = [
    [{ status: 401 }, 'unauthorized', /^127\.0\.0\.1:\d+ rejected your token\. .*“Manage GitLab Tokens…”/],
    [
      { status: 403, body: { error: 'insufficient_scope', scope: 'read_api' } },
      'unauthorized',
      /rejected your token/,
    ],
    [
      { status: 403, body: { message: '403 Forbidden' } },
      'not-found',
      /or your account doesn’t have access to it\.$/,
    ],
    [{ status: 404 }, 'not-found', /or your account doesn’t have access to it\.$/],
    [{ status: 500, body: TOKEN }, 'server', /couldn’t return/],
    [{ body: TOKEN }, 'server', /^Can’t get this/],
  ];
  for (const [answer, code, message] of answers) {
    const server = await startForge(context, () => answer);
    for (const read of [
      readThread(threadAt(server), forgeOptions(server, TOKEN)),
      listRepository(repositoryAt(server), forgeOptions(server, TOKEN)),
    ])
      await assert.rejects(read, (error) => {
        assert.ok(error instanceof NotebookError);
        assert.equal(error.code, code);
        assert.match(error.message, message);
        assert.ok(!error.message.includes(TOKEN));
        return true;
      });
  }
  const expired = await startForge(context, () => ({ status: 401 }));
  await assert.rejects(readThread(threadAt(expired), forgeOptions(expired, TOKEN)), (error) => {
    assert.ok(!inspect(error, { depth: 9 }).includes(TOKEN));
    return true;
  });
});

test('sends no token to another host after a redirect, only within its host', async (context) => {
  const away = await startForge(context, () => ({ body: thread }));
  for (const to of [`${away.url}/api/v4/elsewhere`, away.url.replace('127.0.0.1', 'localhost')]) {
    const server = await startForge(context, () => ({ status: 302, headers: { location: to } }));
    for (const read of [
      readThread(threadAt(server), forgeOptions(server, TOKEN)),
      listRepository(repositoryAt(server), forgeOptions(server, TOKEN)),
    ])
      await assert.rejects(read, { code: 'server' });
  }
  assert.deepEqual(away.requests, []);
  // A redirect within the host is followed.
  const moved = await startForge(context, ({ pathname }) => {
    if (pathname.startsWith('/api/v4/projects/mill%2Fgrain'))
      return { status: 301, headers: { location: pathname.replace('mill%2Fgrain', '1') } };
    return pathname.endsWith('/notes') ? { body: [] } : { body: thread };
  });
  await readThread(threadAt(moved), forgeOptions(moved, TOKEN));
  assert.deepEqual(tokens(moved.requests), [TOKEN]);
});

test('sends a token only over encrypted connections, except to this machine', async () => {
  for (const address of [
    'https://gitlab.com/api/v4',
    'http://127.0.0.1:80/a',
    'http://[::1]/',
    'http://localhost/',
  ])
    assert.ok(mayCarryToken(address), address);
  for (const address of [
    'http://gitlab.com/',
    'http://127.0.0.1.example/',
    'http://10.0.0.1/',
    'http://localhost.example/',
  ])
    assert.ok(!mayCarryToken(address), address);
  const sent: unknown[] = [];
  const options = {
    fetch: (_url: URL, { headers }: { headers: Readonly<Record<string, string>> }) => {
      sent.push(headers['private-token']);
      return Promise.resolve({ ok: false, status: 404, headers: new Headers(), body: null });
    },
    signal: new AbortController().signal,
    userAgent: 'Test',
    token: TOKEN,
  };
  const address = { forge: 'gitlab', kind: 'issue', repository: 'mill/grain', number: 7 } as const;
  await assert.rejects(readThread({ ...address, api: 'http://gitlab.example.org/api/v4' }, options));
  await assert.rejects(readThread({ ...address, api: 'https://gitlab.example.org/api/v4' }, options));
  assert.deepEqual(sent, [undefined, TOKEN]);
});

test('asks the user for a token only for hidden content, until it is accepted or declined', async (context) => {
  const server = await gitLab(context);
  const read = (token: string | undefined): Promise<unknown> =>
    readThread(threadAt(server), forgeOptions(server, token));
  const account = (agreed: string | undefined, typed: readonly (string | undefined)[]) => {
    const tokenPrompts: (string | undefined)[] = [];
    const left = [...typed];
    return {
      asked: tokenPrompts,
      findAgreedToken: () => Promise.resolve(agreed),
      ask: (refused: string | undefined) => {
        tokenPrompts.push(refused);
        return Promise.resolve(left.shift());
      },
    };
  };
  const agreed = account(TOKEN, []);
  await withForgeToken(agreed, true, read);
  assert.deepEqual(agreed.asked, []);

  const mistyping = account(undefined, ['mistyped', TOKEN]);
  await withForgeToken(mistyping, true, read);
  assert.deepEqual(mistyping.asked, [undefined, 'mistyped']);

  const unwilling = account(undefined, []);
  await assert.rejects(withForgeToken(unwilling, true, read), { message: /It may be private or deleted\.$/ });
  assert.deepEqual(unwilling.asked, [undefined]);

  const expired = account('expired', [TOKEN]);
  await assert.rejects(withForgeToken(expired, false, read), { message: /rejected your token/ });
  assert.deepEqual(expired.asked, []);
  await withForgeToken(expired, true, read);
  assert.deepEqual(expired.asked, ['expired']);
});
