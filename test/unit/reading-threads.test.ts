import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThread } from '../../src/parsers/threads/read-thread.ts';
import { threadAddress } from '../../src/parsers/threads/thread-address.ts';
import { forgeOptions, startForge, type ForgeAnswer } from '../support/forge-server.ts';
import { assertLinear } from '../support/growth.ts';
import type { LoopbackServer } from '../support/loopback-server.ts';

const github = (server: LoopbackServer, kind: 'issue' | 'pull' = 'issue') =>
  ({ forge: 'github', kind, repository: 'mill/grain', number: 7, api: server.url }) as const;

const issue = {
  title: 'The wheel  stops',
  state: 'open',
  body: 'It stops.\n\n# How to see it\n\n```\n# no heading\n```',
  user: { login: 'anna' },
  created_at: '2024-01-02T03:04:05Z',
  comments: 2,
  labels: [{ name: 'bug' }],
};

const comment = (n: number) => ({
  body: `Comment ${String(n)}`,
  user: { login: `user${String(n)}` },
  created_at: new Date(1_700_000_000_000 + n * 60_000).toISOString(),
});

test('recognizes addresses of threads, and no other pages', () => {
  assert.deepEqual(threadAddress('https://github.com/mill/grain/issues/7#issuecomment-1'), {
    forge: 'github',
    kind: 'issue',
    repository: 'mill/grain',
    number: 7,
    api: 'https://api.github.com',
  });
  assert.equal(threadAddress('https://github.com/mill/grain/pull/8/files')?.kind, 'pull');
  const onGitLab = threadAddress('https://gitlab.example.org/a/b/c/-/merge_requests/9');
  assert.deepEqual(
    [onGitLab?.repository, onGitLab?.kind, onGitLab?.api],
    ['a/b/c', 'pull', 'https://gitlab.example.org/api/v4'],
  );
  for (const other of [
    'https://github.com/mill/grain',
    'https://example.com/a/b/issues/7',
    'https://github.com/mill/grain/issues',
    'file:///a/b/issues/7',
  ])
    assert.equal(threadAddress(other), undefined, other);
  assertLinear((size) => threadAddress(`https://gitlab.com/${'a/'.repeat(size)}-/issues/1`), 200);
});

test('reads an issue with its comments, each under its author and date', async (context) => {
  const server = await startForge(context, ({ pathname }) =>
    pathname.endsWith('/comments') ? { body: [comment(2), comment(1)] } : { body: issue },
  );
  const { title, markdown, warnings } = await readThread(github(server), forgeOptions(server));
  assert.equal(title, 'The wheel  stops (#7)');
  assert.equal(
    markdown,
    '# The wheel stops (#7)\n\nIssue in mill/grain · open · “bug”\n\n## anna, 2024-01-02\n\nIt stops.\n\n### How to see it\n\n```\n# no heading\n```\n\n' +
      '## user1, 2023-11-14\n\nComment 1\n\n## user2, 2023-11-14\n\nComment 2\n',
  );
  assert.deepEqual(warnings, []);
  assert.equal(server.requests[0]?.headers.authorization, undefined);
});

test('reads a pull request with reviews and code comments, and sends a token if there is one', async (context) => {
  const server = await startForge(context, ({ pathname }) => {
    if (pathname.endsWith('/reviews'))
      return { body: [{ body: '', user: { login: 'b' }, submitted_at: '2024-02-01T00:00:00Z' }] };
    if (pathname.endsWith('/pulls/7/comments'))
      return { body: [{ ...comment(3), path: 'src/wheel.ts', line: 12 }] };
    if (pathname.endsWith('/comments')) return { body: [comment(1)] };
    return { body: { ...issue, merged: true, state: 'closed' } };
  });
  const { markdown } = await readThread(github(server, 'pull'), forgeOptions(server, 'secret'));
  assert.match(markdown, /Pull request in mill\/grain · merged/);
  assert.match(markdown, /## user3, 2023-11-14, src\/wheel\.ts, line 12\n\nComment 3/);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === 'Bearer secret'));
});

test('reads the first 2,000 of 2,500 comments and says so', async (context) => {
  const server = await startForge(context, ({ pathname, searchParams }) => {
    if (!pathname.endsWith('/comments')) return { body: { ...issue, comments: 2_500 } };
    const page = Number(searchParams.get('page'));
    return { body: Array.from({ length: 100 }, (_unused, n) => comment((page - 1) * 100 + n)) };
  });
  const { markdown, warnings } = await readThread(github(server), forgeOptions(server));
  assert.equal(markdown.split('\n## ').length, 2_002);
  assert.deepEqual(warnings, ['Only the first 2000 of 2500 comments were read.']);
  assert.equal(server.requests.length, 21);
});

test('reports a thread that is gone, private, or rate-limited', async (context) => {
  const cases: readonly (readonly [ForgeAnswer, string | undefined, RegExp, string])[] = [
    [
      { status: 404 },
      undefined,
      /^This thread isn’t publicly available on GitHub\. It may be private or deleted\.$/,
      'unauthorized',
    ],
    [
      { status: 404 },
      'token',
      /^This thread doesn’t exist on GitHub, or your account doesn’t have access to it\.$/,
      'not-found',
    ],
    [{ status: 410 }, undefined, /^This thread was removed from GitHub\.$/, 'not-found'],
    [
      { status: 403, headers: { 'x-ratelimit-remaining': '0' } },
      undefined,
      /^GitHub is limiting requests\. Refresh this source in an hour\.$/,
      'rate-limited',
    ],
    [{ status: 429 }, undefined, /^GitHub is limiting requests/, 'rate-limited'],
    [{ status: 502 }, undefined, /^GitHub couldn’t return the thread \(502\)\. Try again later\.$/, 'server'],
    [{ body: [1, 2] }, undefined, /^Can’t get this thread from GitHub\. Try again later\.$/, 'server'],
  ];
  for (const [answer, token, message, code] of cases) {
    const server = await startForge(context, () => answer);
    await assert.rejects(readThread(github(server), forgeOptions(server, token)), { message, code });
  }
});

test('reads a renamed repository at its new address and requests no other host', async (context) => {
  const server = await startForge(context, ({ pathname }) => {
    if (pathname.startsWith('/repos/mill/grain/issues/7'))
      return { status: 301, headers: { location: pathname.replace('/repos/mill/grain', '/repositories/1') } };
    return pathname.endsWith('/comments') ? { body: [] } : { body: issue };
  });
  assert.match((await readThread(github(server), forgeOptions(server))).markdown, /It stops/);
  const away = await startForge(context, () => ({
    status: 301,
    headers: { location: `${server.url}/elsewhere` },
  }));
  const before = server.requests.length;
  await assert.rejects(readThread(github(away), forgeOptions(away, 'secret')), { code: 'server' });
  assert.equal(server.requests.length, before);
});

test('reads GitLab threads without system notes', async (context) => {
  const server = await startForge(context, ({ pathname }) =>
    pathname.endsWith('/notes')
      ? {
          body: [
            {
              body: 'changed the label',
              author: { username: 'a' },
              created_at: '2024-01-03T00:00:00Z',
              system: true,
            },
            {
              body: 'I see it, too',
              author: { username: 'b' },
              created_at: '2024-01-04T00:00:00Z',
              position: null,
            },
          ],
        }
      : {
          body: {
            ...issue,
            description: issue.body,
            author: { username: 'anna' },
            labels: ['bug'],
            user_notes_count: 2,
          },
        },
  );
  const address = {
    forge: 'gitlab',
    kind: 'issue',
    repository: 'group/sub/grain',
    number: 7,
    api: `${server.url}/api/v4`,
  } as const;
  const { markdown } = await readThread(address, forgeOptions(server));
  assert.match(markdown, /## b, 2024-01-04\n\nI see it, too\n$/);
  assert.ok(!markdown.includes('changed the label'));
  assert.ok(server.requests[0]?.path.startsWith('/api/v4/projects/group%2Fsub%2Fgrain/issues/7'));
});

const post = (login: string | null, body: string) => ({
  body,
  author: login === null ? null : { login },
  createdAt: '2024-05-06T07:08:09Z',
});

const discussionAt = ({ url }: LoopbackServer) =>
  ({ forge: 'github', kind: 'discussion', repository: 'mill/grain', number: 7, api: url }) as const;

test('reads a discussion with its answer and replies in order, page by page, when signed in', async (context) => {
  assert.equal(threadAddress('https://github.com/mill/grain/discussions/7')?.kind, 'discussion');
  const comments = [
    {
      nodes: [
        {
          ...post('ben', 'Grease it.'),
          isAnswer: true,
          replies: { totalCount: 60, nodes: [post('anna', 'That helps.')] },
        },
      ],
      pageInfo: { hasNextPage: true, endCursor: 'next' },
    },
    {
      nodes: [{ ...post(null, 'Same here.'), replies: { totalCount: 0, nodes: [] } }],
      pageInfo: { hasNextPage: false, endCursor: null },
    },
  ];
  const server = await startForge(context, (_, { body }) => {
    const { variables } = JSON.parse(body) as { variables: { after: string | null } };
    const page = comments[variables.after === null ? 0 : 1];
    const discussion = {
      ...{ ...post('anna', 'How is it greased?'), title: 'The wheel squeaks', closed: false },
      ...{ category: { name: 'Q&A' }, labels: { nodes: [{ name: 'wheel' }] } },
      comments: { ...page, totalCount: 2 },
    };
    return { body: { data: { repository: { discussion } } } };
  });
  const { title, markdown, warnings } = await readThread(
    discussionAt(server),
    forgeOptions(server, 'secret'),
  );
  assert.equal(title, 'The wheel squeaks (#7)');
  assert.equal(
    markdown,
    '# The wheel squeaks (#7)\n\nDiscussion in mill/grain · Q&A · open · “wheel”\n\n## anna, 2024-05-06\n\nHow is it greased?\n\n' +
      '## ben, 2024-05-06, accepted answer\n\nGrease it.\n\n## anna, 2024-05-06, reply to ben\n\nThat helps.\n\n## Unknown user, 2024-05-06\n\nSame here.\n',
  );
  assert.deepEqual(warnings, ['Only the first 3 of 62 comments were read.']);
  assert.deepEqual(
    server.requests.map(({ method, path, headers }) => `${method} ${path} ${String(headers.authorization)}`),
    ['POST /graphql Bearer secret', 'POST /graphql Bearer secret'],
  );
});

test('reports in one sentence a discussion that is gone, rate-limited, or requires sign-in', async (context) => {
  const missingForge = await startForge(context, () => ({
    body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'No such thing' }] },
  }));
  await assert.rejects(readThread(discussionAt(missingForge), forgeOptions(missingForge, 'secret')), {
    code: 'not-found',
    message: 'This thread doesn’t exist on GitHub, or your account doesn’t have access to it.',
  });
  await assert.rejects(readThread(discussionAt(missingForge), forgeOptions(missingForge)), {
    code: 'unauthorized',
    message:
      'GitHub provides discussions only to signed-in users. Add the discussion again to use your account.',
  });
  assert.equal(missingForge.requests.length, 1);
  const spent = await startForge(context, () => ({
    body: { data: null, errors: [{ type: 'RATE_LIMITED' }] },
  }));
  await assert.rejects(readThread(discussionAt(spent), forgeOptions(spent, 'secret')), {
    code: 'rate-limited',
  });
});
