import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import { readRepository } from '../../src/features/forge/editor/repository-reader.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { forgeOptions, startForge, type ForgeAnswer } from '../support/forge-server.ts';

const url = 'https://github.com/mill/grain/tree/main';
const source = { id: 's', title: url, documents: 0 } as Source;

/** Reads a repository whose files have given responses, and returns the paths of the saved documents. */
async function read(
  context: Parameters<typeof startForge>[0],
  files: Readonly<Record<string, ForgeAnswer>>,
): Promise<readonly string[]> {
  const tree = Object.keys(files).map((path) => ({ path, type: 'blob', sha: path, size: 9 }));
  const forge = await startForge(context, ({ pathname }) => {
    if (pathname === '/repos/mill/grain')
      return { body: { full_name: 'mill/grain', default_branch: 'main' } };
    if (pathname.includes('/git/matching-refs/')) return { body: [] };
    if (pathname.includes('/git/trees/')) return { body: { tree } };
    return files[pathname.split('/').at(-1) ?? ''] ?? { status: 404 };
  });
  const saved: string[] = [];
  const call = (method: string, params: { readonly input?: { readonly key: string } }): Promise<unknown> => {
    if (params.input !== undefined) saved.push(params.input.key);
    return Promise.resolve(method === 'stamps' ? [] : undefined);
  };
  await readRepository(
    {
      notebook: { call } as unknown as NotebookClient,
      readers: {
        read: async ({ content, name }) => {
          assert.ok(content.kind === 'bytes');
          const document = await readDocument({ bytes: content.bytes, name, minimumLength: 1 }, {});
          return { kind: 'read', hash: name, document };
        },
      },
      threads: { asking: (_source, _address, _signal, action) => action(forgeOptions(forge)) },
    },
    {
      source,
      url,
      address: {
        ...{ forge: 'github', repository: 'mill/grain', ref: 'main', folder: '' },
        ...{ api: forge.url, raw: `${forge.url}/raw`, pages: 'https://github.com' },
      },
      isForced: false,
    },
    new AbortController().signal,
  );
  return saved.toSorted();
}

test('skips a file of a repository that is gone', async (context) => {
  const saved = await read(context, { 'gone.md': { status: 404 }, 'wheel.md': { body: '# The wheel' } });
  assert.deepEqual(saved, ['wheel.md']);
});

test('skips a file of a repository that is empty', async (context) => {
  const saved = await read(context, { 'empty.md': { body: '' }, 'wheel.md': { body: '# The wheel' } });
  assert.deepEqual(saved, ['wheel.md']);
});

test('fails if a file of a repository can’t be fetched', async (context) => {
  const files = { 'broken.md': { status: 500 }, 'wheel.md': { body: '# The wheel' } };
  await assert.rejects(read(context, files));
});
