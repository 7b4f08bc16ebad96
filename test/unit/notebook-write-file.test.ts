// Runs in a process of its own: it changes how files are written.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { appendToFile, fileState } from '../../src/features/pdf/editor/append-to-file.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { createFile, replaceFile, type FileContent } from '../../src/core/domain/write-file.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('write-file-');
const handles = await fileHandles();

/** Returns the prototype of open files. */
async function fileHandles(): Promise<FileHandle> {
  const file = await open(join(root, 'any'), 'w');
  await file.close();
  return Object.getPrototypeOf(file) as FileHandle;
}

type Write = (
  this: FileHandle,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ readonly bytesWritten: number }>;

/** Simulates a disk that writes `most` bytes at a time and is full after `room` bytes. */
function shorten(context: TestContext, { most, room = Infinity }: { most: number; room?: number }): void {
  const write = Reflect.get(handles, 'write') as Write;
  let left = room;
  const short: Write = async function (bytes, offset, length, position) {
    const written = Math.min(length, most, left);
    if (written === 0) return { bytesWritten: 0 };
    left -= written;
    return write.call(this, bytes, offset, written, position);
  };
  mock.method(handles, 'write', short);
  context.after(() => {
    mock.restoreAll();
  });
}

const contents: Readonly<Record<string, { readonly content: () => FileContent; readonly expected: string }>> =
  {
    text: { content: () => 'grüße'.repeat(99), expected: 'grüße'.repeat(99) },
    bytes: { content: () => Buffer.alloc(1000, 'a'), expected: 'a'.repeat(1000) },
    chunks: {
      content: async function* () {
        yield await Promise.resolve(Buffer.alloc(300, 'a'));
        yield Buffer.alloc(0);
        yield Buffer.alloc(500, 'b');
      },
      expected: 'a'.repeat(300) + 'b'.repeat(500),
    },
    'a copy with a tail': {
      content: () => {
        writeFileSync(join(root, 'original'), 'x'.repeat(700));
        return { copyOf: join(root, 'original'), tail: Buffer.alloc(400, 'y') };
      },
      expected: 'x'.repeat(700) + 'y'.repeat(400),
    },
  };

for (const [name, { content, expected }] of Object.entries(contents)) {
  test(`writes all of ${name} if the disk accepts a part at a time`, async (context) => {
    shorten(context, { most: 7 });
    const path = join(root, `whole ${name}`);
    await replaceFile(path, content());
    assert.equal(readFileSync(path, 'utf8'), expected);
  });

  test(`keeps the old file if the disk gets full within ${name}`, async (context) => {
    const folder = temporaryFolder('write-file-full-', context);
    const path = join(folder, 'file');
    writeFileSync(path, 'before');
    shorten(context, { most: 100, room: 350 });
    await assert.rejects(replaceFile(path, content()), {
      ...{ name: 'NotebookError', code: 'disk-full' },
      message: 'Can’t save file because the disk is full. Free up some space, then try again.',
    });
    assert.equal(readFileSync(path, 'utf8'), 'before');
    assert.deepEqual(readdirSync(folder), ['file']);
  });
}

test('replaces a file only after the disk stored all of it', async (context) => {
  const path = join(root, 'synced');
  writeFileSync(path, 'before');
  const seen: string[] = [];
  const sync: (this: FileHandle) => Promise<void> = Reflect.get(handles, 'sync');
  mock.method(handles, 'sync', async function (this: FileHandle) {
    seen.push(`${readFileSync(path, 'utf8')} ${String((await this.stat()).size)}`);
    await sync.call(this);
  });
  context.after(() => {
    mock.restoreAll();
  });
  await replaceFile(path, 'after');
  assert.deepEqual(seen, ['before 5']);
  assert.equal(readFileSync(path, 'utf8'), 'after');
});

for (const [code, expected] of Object.entries({ ENOSPC: 'disk-full', EDQUOT: 'disk-full', EIO: 'EIO' }))
  test(`keeps the old file if its sync fails with ${code}`, async (context) => {
    const folder = temporaryFolder('write-file-sync-', context);
    const path = join(folder, 'file');
    writeFileSync(path, 'before');
    mock.method(handles, 'sync', () => Promise.reject(Object.assign(new Error(code), { code })));
    context.after(() => {
      mock.restoreAll();
    });
    await assert.rejects(replaceFile(path, 'after'), { code: expected });
    assert.equal(readFileSync(path, 'utf8'), 'before');
    assert.deepEqual(readdirSync(folder), ['file']);
  });

test('writes on file systems without sync', async (context) => {
  mock.method(handles, 'sync', () => Promise.reject(Object.assign(new Error('no'), { code: 'EINVAL' })));
  context.after(() => {
    mock.restoreAll();
  });
  await replaceFile(join(root, 'unsynced'), 'text');
  assert.equal(readFileSync(join(root, 'unsynced'), 'utf8'), 'text');
});

test('copies a read-only file to one that its owner can write', async () => {
  const original = join(root, 'read-only');
  writeFileSync(original, 'before', { mode: 0o444 });
  const path = join(root, 'copy');
  await replaceFile(path, { copyOf: original, tail: Buffer.from(' after') });
  assert.equal(readFileSync(path, 'utf8'), 'before after');
  assert.equal(statSync(path).mode & 0o200, 0o200);
});

test('leaves a file alone that already exists at the path', async () => {
  const path = join(root, 'taken');
  writeFileSync(path, 'before');
  await assert.rejects(createFile(path, 'after'), { code: 'EEXIST' });
  await assert.rejects(createFile(path, { copyOf: join(root, 'any') }), { code: 'EEXIST' });
  assert.equal(readFileSync(path, 'utf8'), 'before');
});

test('leaves a PDF unchanged if the disk has no room for the appended part', async (context) => {
  const disk = smallDisk(context);
  if (disk === undefined) return;
  const path = join(disk, 'file.pdf');
  const before = Buffer.alloc(3 * 2 ** 20, 'p');
  writeFileSync(path, before);
  const state = await fileState(path);
  const tail = Buffer.alloc(3 * 2 ** 20, 't');
  await assert.rejects(
    appendToFile({ from: path, to: path, state, name: 'file.pdf' }, tail),
    (error) => error instanceof NotebookError && error.code === 'disk-full',
  );
  assert.ok(readFileSync(path).equals(before));
  assert.deepEqual(readdirSync(disk), ['file.pdf']);
});
