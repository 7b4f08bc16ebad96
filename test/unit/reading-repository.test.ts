import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { listRepository, readRepositoryFile } from '../../src/parsers/threads/read-repository.ts';
import { repositoryAddress, type RepositoryAddress } from '../../src/parsers/threads/repository-address.ts';
import { forgeOptions, startForge, type ForgeAnswer } from '../support/forge-server.ts';
import { assertLinear } from '../support/growth.ts';
import type { LoopbackServer } from '../support/loopback-server.ts';

const at = ({ url }: LoopbackServer, more: Partial<RepositoryAddress> = {}): RepositoryAddress => ({
  ...{ forge: 'github', repository: 'mill/grain', ref: undefined, folder: '' },
  ...{ api: url, raw: `${url}/raw`, pages: 'https://github.com' },
  ...more,
});

const blob = (path: string, more: object = {}) => ({
  path,
  type: 'blob',
  sha: `sha of ${path}`,
  size: 9,
  ...more,
});

const tree = [
  blob('docs/guide/wheel.md'),
  blob('README.md'),
  blob('docs/index.rst'),
  blob('docs/größe #1.md'),
  blob('src/main.ts'),
  blob('vendor/other/README.md'),
  blob('.github/pull_request_template.md'),
  blob('huge.md', { size: 3_000_000 }),
  { path: 'docs', type: 'tree', sha: 'd' },
];

const github = (context: TestContext, truncated = false): Promise<LoopbackServer> =>
  startForge(context, ({ pathname }) => {
    if (pathname === '/repos/mill/grain')
      return { body: { full_name: 'mill/grain', default_branch: 'main' } };
    if (pathname.includes('/git/matching-refs/heads/feature'))
      return {
        body: ['feature/wheel', 'feature/wheel/2', 'feature/w'].map((one) => ({ ref: `refs/heads/${one}` })),
      };
    if (pathname.includes('/git/matching-refs/tags/release'))
      return { body: [{ ref: 'refs/tags/release/1.0' }] };
    if (pathname.includes('/git/matching-refs/')) return { body: [] };
    if (
      /^\/repos\/mill\/grain\/git\/trees\/(?:main|abc123|feature%2Fwheel%2F2|release%2F1\.0)$/.test(pathname)
    )
      return { body: { tree, truncated } };
    if (pathname.startsWith('/raw/') || pathname.includes('/git/blobs/'))
      return { body: `# ${decodeURIComponent(pathname)}` };
    return { status: 404 };
  });

test('recognizes addresses of repositories and their folders, and no other pages', () => {
  const known = (address: string): unknown[] => {
    const { forge: on, repository, ref, folder, api } = repositoryAddress(address) ?? {};
    return [on, repository, ref, folder, api];
  };
  const api = 'https://api.github.com';
  assert.deepEqual(known('https://github.com/mill/grain'), ['github', 'mill/grain', undefined, '', api]);
  assert.deepEqual(known('https://github.com/mill/grain.git/'), ['github', 'mill/grain', undefined, '', api]);
  assert.deepEqual(known('https://www.github.com/mill/grain/tree/v1.2/docs/a%20b/?x#y'), [
    ...['github', 'mill/grain', 'v1.2', 'docs/a b', api],
  ]);
  assert.deepEqual(known('https://gitlab.com/a/b/c'), [
    ...['gitlab', 'a/b/c', undefined, '', 'https://gitlab.com/api/v4'],
  ]);
  assert.deepEqual(known('https://git.example.org/a/b/-/tree/main/docs'), [
    ...['gitlab', 'a/b', 'main', 'docs', 'https://git.example.org/api/v4'],
  ]);
  for (const other of [
    'https://github.com/mill',
    'https://github.com/mill/grain/issues/7',
    'https://github.com/mill/grain/blob/main/README.md',
    'https://github.com/features/actions',
    'https://github.com/orgs/mill',
    'https://gitlab.com/explore/groups',
    'https://example.com/mill/grain',
    'https://gitlab.com/a/b/-/issues/3',
    'file:///a/b/-/tree/main',
  ])
    assert.equal(repositoryAddress(other), undefined, other);
  assertLinear((size) => repositoryAddress(`https://gitlab.com/${'a/'.repeat(size)}-/tree/x`), 200);
});

test('lists the documents of a public repository, top level first, and fetches them', async (context) => {
  const server = await github(context);
  const { title, files, warnings } = await listRepository(at(server), forgeOptions(server));
  assert.equal(title, 'mill/grain');
  assert.deepEqual(
    files.map(({ path }) => path),
    ['README.md', 'docs/größe #1.md', 'docs/index.rst', 'docs/guide/wheel.md'],
  );
  assert.deepEqual(warnings, []);
  const [, second] = files;
  assert.ok(second);
  assert.equal(second.hash, 'sha of docs/größe #1.md');
  assert.equal(second.page, 'https://github.com/mill/grain/blob/main/docs/gr%C3%B6%C3%9Fe%20%231.md');
  const bytes = await readRepositoryFile(at(server), second, forgeOptions(server));
  assert.equal(Buffer.from(bytes).toString(), '# /raw/mill/grain/main/docs/größe #1.md');
  assert.ok(server.requests.every(({ headers }) => headers.authorization === undefined));
});

test('lists the documents of one folder, and reads private ones through the API only with an account', async (context) => {
  const server = await github(context, true);
  const folder = at(server, { ref: 'main', folder: 'docs/guide' });
  const { title, files, warnings } = await listRepository(folder, forgeOptions(server, 'secret'));
  assert.deepEqual(
    [title, files.map(({ path }) => path)],
    ['mill/grain/docs/guide', ['docs/guide/wheel.md']],
  );
  assert.match(warnings[0] ?? '', /too many files to list/);
  const [file] = files;
  assert.ok(file);
  await readRepositoryFile(folder, file, forgeOptions(server, 'secret'));
  assert.match(server.requests.at(-1)?.path ?? '', /\/git\/blobs\/sha/);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === 'Bearer secret'));
});

test('separates a branch or tag with slashes from the folder below it by what exists', async (context) => {
  const server = await github(context);
  const listed = async (address: string): Promise<unknown> => {
    const { ref, folder } = repositoryAddress(address) ?? {};
    const { title, files } = await listRepository(
      at(server, { ref, folder: folder ?? '' }),
      forgeOptions(server),
    );
    return [title, files[0]?.page, files[0]?.address.replace(server.url, '')];
  };
  const [pages, raw] = ['https://github.com/mill/grain/blob', '/raw/mill/grain'];
  const branch = 'https://github.com/mill/grain/tree/feature/wheel/2';
  assert.deepEqual(await listed(`${branch}/docs/guide`), [
    'mill/grain/docs/guide',
    ...[pages, raw].map((before) => `${before}/feature/wheel/2/docs/guide/wheel.md`),
  ]);
  assert.deepEqual(await listed(branch), [
    'mill/grain',
    ...[pages, raw].map((before) => `${before}/feature/wheel/2/README.md`),
  ]);
  assert.deepEqual(await listed('https://github.com/mill/grain/tree/release/1.0/docs/guide'), [
    'mill/grain/docs/guide',
    ...[pages, raw].map((before) => `${before}/release/1.0/docs/guide/wheel.md`),
  ]);
  // A commit is neither a branch nor a tag.
  assert.deepEqual(await listed('https://github.com/mill/grain/tree/abc123/docs/guide'), [
    'mill/grain/docs/guide',
    ...[pages, raw].map((before) => `${before}/abc123/docs/guide/wheel.md`),
  ]);
});

test('separates a GitLab branch with slashes by what exists, too', async (context) => {
  const server = await startForge(context, ({ pathname, searchParams }) => {
    if (pathname.endsWith('/repository/branches')) {
      assert.equal(searchParams.get('search'), '^feature');
      return { body: [{ name: 'feature/wheel' }, { name: 'feature/wheels' }] };
    }
    if (pathname.endsWith('/repository/tree')) {
      assert.deepEqual([searchParams.get('ref'), searchParams.get('path')], ['feature/wheel', 'docs']);
      return { body: [{ path: 'docs/a.md', type: 'blob', id: 'a' }] };
    }
    return { body: { path_with_namespace: 'mill/grain', default_branch: 'trunk' } };
  });
  const gitlab = at(server, {
    forge: 'gitlab',
    ref: 'feature',
    folder: 'wheel/docs',
    pages: 'https://git.example.org',
  });
  const { title, files } = await listRepository(gitlab, forgeOptions(server));
  assert.equal(title, 'mill/grain/docs');
  assert.equal(files[0]?.page, 'https://git.example.org/mill/grain/-/blob/feature/wheel/docs/a.md');
});

test('lists GitLab repositories page by page', async (context) => {
  const server = await startForge(context, ({ pathname, searchParams }) => {
    if (pathname.endsWith('/repository/tree')) {
      assert.equal(searchParams.get('path'), 'docs');
      const page = Number(searchParams.get('page'));
      const names =
        page === 1 ? Array.from({ length: 100 }, (_, n) => `docs/${String(n)}.md`) : ['docs/last.md'];
      return { body: names.map((path) => ({ path, type: 'blob', id: path })) };
    }
    if (pathname.endsWith('/raw')) return { body: pathname };
    return { body: { path_with_namespace: 'mill/grain', default_branch: 'trunk' } };
  });
  const gitlab = at(server, { forge: 'gitlab', folder: 'docs', pages: 'https://git.example.org' });
  const { files, warnings } = await listRepository(gitlab, forgeOptions(server));
  assert.deepEqual([files.length, warnings], [101, []]);
  const last = files.find(({ path }) => path === 'docs/last.md');
  assert.ok(last);
  assert.equal(last.page, 'https://git.example.org/mill/grain/-/blob/trunk/docs/last.md');
  const bytes = await readRepositoryFile(gitlab, last, forgeOptions(server));
  assert.equal(Buffer.from(bytes).toString(), '/projects/mill%2Fgrain/repository/files/docs%2Flast.md/raw');
});

test('reports a repository that is gone, private, rate-limited, empty, or too large', async (context) => {
  const errorFor = async (answer: ForgeAnswer, token?: string): Promise<unknown> => {
    const server = await startForge(context, () => answer);
    return listRepository(at(server), forgeOptions(server, token)).catch((error: unknown) => error);
  };
  const spent = await errorFor({ status: 403, headers: { 'x-ratelimit-remaining': '0' } });
  for (const [error, code, message] of [
    [
      await errorFor({ status: 404 }),
      'unauthorized',
      /^This repository or folder isn’t publicly available on GitHub/,
    ],
    [await errorFor({ status: 404 }, 'secret'), 'not-found', /or your account doesn’t have access to it\.$/],
    [spent, 'rate-limited', /is limiting requests\. Refresh this source in an hour\.$/],
    [await errorFor({ status: 500 }), 'server', /couldn’t return the repository \(500\)/],
    [await errorFor({ body: 'no JSON' }), 'server', /^Can’t get this repository from/],
  ] as const) {
    assert.ok(error instanceof Error && 'code' in error);
    assert.equal(error.code, code);
    assert.match(error.message, message);
  }
  const bare = await startForge(context, ({ pathname }) =>
    pathname.endsWith('/main')
      ? { body: { tree: [blob('src/main.ts')] } }
      : { body: { full_name: 'mill/grain', default_branch: 'main' } },
  );
  await assert.rejects(listRepository(at(bare), forgeOptions(bare)), {
    code: 'empty',
    message: /has no documents/,
  });
  const many = Array.from({ length: 1_203 }, (_, n) => blob(`docs/${String(n)}.md`));
  const large = await startForge(context, ({ pathname }) =>
    pathname.endsWith('/main')
      ? { body: { tree: many } }
      : { body: { full_name: 'mill/grain', default_branch: 'main' } },
  );
  const { files, warnings } = await listRepository(at(large), forgeOptions(large));
  assert.deepEqual([files.length, warnings], [1_000, ['Only the first 1000 of 1203 documents were read.']]);
});
