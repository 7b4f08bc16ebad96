import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NotebookError, type ErrorCode } from '../../src/core/domain/errors.ts';
import {
  isShared,
  notePath,
  readShared,
  sharedKey,
  sharedText,
  type SharedNotebook,
} from '../../src/features/sharing/model/shared-notebook.ts';
import type { Source, SourceOrigin } from '../../src/core/domain/source.ts';
import { root } from '../support/paths.mjs';

const shared: SharedNotebook = {
  sources: [
    { kind: 'folder', path: 'docs' },
    { kind: 'file', path: 'papers/a b.pdf' },
    { kind: 'page', url: 'https://example.com/', title: 'Example' },
    {
      kind: 'site',
      starts: ['https://example.com/docs/'],
      depth: 2,
      limit: 50,
      include: ['/docs/*'],
      exclude: [],
    },
    { kind: 'text', path: 'texts/Plan.md', title: 'Plan' },
  ],
  notes: ['notes/Compost.md'],
};

const fails = (code: ErrorCode) => (error: unknown) => error instanceof NotebookError && error.code === code;

test('writes shared sources one per line, and reads them back unchanged', () => {
  const text = sharedText(shared);
  assert.deepEqual(readShared(text), shared);
  assert.equal(text.split('\n').length, 14);
  assert.deepEqual(readShared(sharedText({ sources: [], notes: [] })), { sources: [], notes: [] });
  const written = { 'notes/Compost.md': 'a'.repeat(64), 'texts/Plan.md': 'b'.repeat(64) };
  assert.deepEqual(readShared(sharedText({ ...shared, written })), { ...shared, written });
  assert.equal(sharedText({ ...shared, written }).split('\n').length, 18);
  const keys = [...shared.sources, ...shared.notes].map((one) => sharedKey(one));
  assert.equal(new Set(keys).size, keys.length);
  // A file that a person writes may omit defaults.
  const short = '{"version":1,"sources":[{"kind":"site","starts":["https://example.com/"]}]}';
  assert.deepEqual(readShared(short).sources, [
    { kind: 'site', starts: ['https://example.com/'], depth: 2, limit: 200, include: [], exclude: [] },
  ]);
});

test('accepts no path out of the repository and no address outside the web', () => {
  const sources: readonly object[] = [
    { kind: 'file', path: '../secret' },
    { kind: 'file', path: '/etc/passwd' },
    { kind: 'file', path: 'c:/x' },
    { kind: 'folder', path: 'a//b' },
    { kind: 'folder', path: 'a\\..\\b' },
    { kind: 'text', path: '../../x.md' },
    { kind: 'file' },
    { kind: 'page', url: 'file:///etc/passwd' },
    { kind: 'page', url: 'command:x' },
    { kind: 'site', starts: ['ftp://example.com/'] },
    { kind: 'site', starts: ['https://example.com/'], limit: 1e9 },
    { kind: 'site', starts: ['https://example.com/'], include: [3] },
    { kind: 'program', path: 'x' },
  ];
  for (const source of sources)
    assert.throws(() => readShared(JSON.stringify({ version: 1, sources: [source] })), fails('damaged'));
  for (const text of ['', '[', 'null', '3']) assert.throws(() => readShared(text), fails('damaged'), text);
  const second = {
    version: 1,
    sources: [
      { kind: 'file', path: 'a' },
      { kind: 'page', url: 'command:x' },
    ],
  };
  assert.throws(() => readShared(JSON.stringify(second)), /Check \/sources\/1\/url in/);
  const note = JSON.stringify({ version: 1, sources: [], notes: ['../x.md'] });
  assert.throws(() => readShared(note), fails('damaged'));
  const many = { version: 1, sources: Array.from({ length: 1001 }, () => ({ kind: 'file', path: 'a' })) };
  assert.throws(() => readShared(JSON.stringify(many)), fails('damaged'));
  assert.throws(() => readShared('{"version":2}'), fails('unsupported'));
});

test('identifies a shared source by its origin, and a text by its title', () => {
  const source = (origin: SourceOrigin, title = 'T'): Source => ({
    id: '1',
    title,
    origin,
    state: { kind: 'ready' },
    addedAt: 0,
    readAt: 0,
    documents: 1,
    unrecognised: 0,
    isRecognitionPaused: false,
    passages: 1,
    skipped: { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 },
  });
  const toUri = (path: string): string => `file:///repo/${path}`;
  const of = (one: Source): number[] =>
    shared.sources.flatMap((each, index) => (isShared(one, each, toUri) ? [index] : []));
  assert.deepEqual(of(source({ kind: 'folder', uri: 'file:///repo/docs' })), [0]);
  assert.deepEqual(of(source({ kind: 'file', uri: 'file:///repo/docs' })), []);
  assert.deepEqual(of(source({ kind: 'page', url: 'https://example.com/' })), [2]);
  const rules = { starts: ['https://example.com/docs/'], depth: 1, limit: 9, include: [], exclude: [] };
  assert.deepEqual(of(source({ kind: 'site', ...rules, privateHosts: [] })), [3]);
  assert.deepEqual(of(source({ kind: 'text' }, 'Plan')), [4]);
  assert.deepEqual(of(source({ kind: 'text' }, 'Other')), []);
});

test('derives the path of a note from its key, but not of a source', () => {
  assert.equal(notePath(sharedKey('notes/Loaves and rolls.md')), 'notes/Loaves and rolls.md');
  assert.equal(notePath(sharedKey({ kind: 'file', path: 'notes/Loaves.md' })), undefined);
});

test('lists the same kinds and version in the schema for the editor', () => {
  const schema = JSON.parse(readFileSync(join(root, 'media', 'shared-notebook.schema.json'), 'utf8')) as {
    properties: {
      version: { const: number };
      sources: { items: { oneOf: { properties: { kind: { const?: string; enum?: string[] } } }[] } };
    };
  };
  const { version, sources } = schema.properties;
  const kinds = sources.items.oneOf.flatMap(({ properties: { kind } }) => kind.enum ?? [kind.const]);
  assert.deepEqual(kinds.toSorted(), ['file', 'folder', 'page', 'site', 'text']);
  assert.equal(version.const, (JSON.parse(sharedText(shared)) as { version: number }).version);
});
