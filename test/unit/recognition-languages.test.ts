import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Emitter } from '../../src/platform/emitter.ts';
import type { Fetching } from '../../src/platform/fetched-files.ts';
import { languageName, offeredLanguage, offeredLanguages } from '../../src/features/ocr/editor/catalog.ts';
import { RecognitionLanguages } from '../../src/features/ocr/editor/recognition-languages.ts';
import { makeGate } from '../support/gate.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { root } from '../support/paths.mjs';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('recognition-');
let folderCount = 0;

function newFolder(): string {
  const path = join(folder, String(++folderCount));
  mkdirSync(path);
  return path;
}

const fileName = (code: string): string => `${code}.traineddata.gz`;

/** Returns the name of a language's file in its package. */
function packed(code: string): string {
  return join(root, 'node_modules/@tesseract.js-data', code, '4.0.0_best_int', fileName(code));
}

const french = offeredLanguage('fra')!;

async function mirror(t: TestContext): Promise<{ server: ModelServer; served: string }> {
  const served = newFolder();
  copyFileSync(packed('fra'), join(served, fileName('fra')));
  const server = await startModelServer(served);
  t.after(() => server.close());
  return { server, served };
}

interface Set {
  readonly languages: RecognitionLanguages;
  readonly kept: string;
  readonly carried: string;
  /** Languages in the settings. */
  chosen: readonly string[];
  address: string;
  readonly tellChange: () => void;
}

function setUp(
  address = 'https://cdn.example/{language}',
  cacheFolder = join(newFolder(), 'recognition'),
): Set {
  const changes = new Emitter<undefined>();
  const carried = join(newFolder(), fileName('eng'));
  copyFileSync(packed('eng'), carried);
  const set = { chosen: ['eng'] as readonly string[], address };
  const languages = new RecognitionLanguages({
    folder: cacheFolder,
    carried,
    userAgent: 'Test',
    settings: {
      recognitionLanguages: () => set.chosen,
      recognitionAddress: () => set.address,
      onDidChange: (_, listener) => changes.event(listener),
    },
  });
  return Object.assign(set, {
    languages,
    kept: cacheFolder,
    carried,
    tellChange: () => {
      changes.fire(undefined);
    },
  });
}

function quietly(more: Partial<Fetching> = {}): Fetching {
  const nothing = (): void => undefined;
  return { signal: new AbortController().signal, onProgress: nothing, onWait: nothing, ...more };
}

const addressPattern = ({ url }: ModelServer): string => `${url}/{language}.traineddata.gz`;

describe('list of languages', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { items?: { enum: string[] } }> }[] };
    capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  };
  const codes = offeredLanguages.map(({ code }) => code);

  test('has the lengths and checksums of the packages’ files', () => {
    for (const code of ['eng', 'fra']) {
      const bytes = readFileSync(packed(code));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      assert.deepEqual(offeredLanguage(code), { code, bytes: bytes.length, sha256 });
      assert.ok(gunzipSync(bytes).length > bytes.length);
    }
  });

  test('lists each language once, with its own checksum', () => {
    assert.deepEqual(codes, [...new Set(codes)].sort());
    assert.equal(new Set(offeredLanguages.map(({ sha256 }) => sha256)).size, codes.length);
    for (const { bytes, sha256 } of offeredLanguages) {
      assert.match(sha256, /^[\da-f]{64}$/);
      assert.ok(bytes > 400_000 && bytes < 4_000_000);
    }
  });

  test('contains the values of the setting, which an untrusted workspace can’t change', () => {
    const name = 'openNotebook.recognition.languages';
    const setting = manifest.contributes.configuration.flatMap(({ properties }) => properties[name] ?? [])[0];
    assert.deepEqual(setting?.items?.enum, codes);
    assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(name));
  });

  test('names each language in the editor’s language and its own', () => {
    const names = (...spoken: string[]): string[] => codes.map((code) => languageName(code, ...spoken));
    for (const all of [names('en'), names('zh-cn'), names()]) {
      assert.equal(new Set(all).size, codes.length);
      for (const code of codes) assert.ok(!all.includes(code));
    }
    assert.equal(languageName('deu', 'en'), 'German');
    assert.equal(languageName('deu', 'zh-cn'), '德语');
    assert.equal(languageName('deu'), 'Deutsch');
    assert.equal(languageName('chi_tra', 'en'), 'Traditional Chinese');
  });
});

describe('a language', () => {
  test('is downloaded and checked, used while selected, and deleted', async (t) => {
    const { server } = await mirror(t);
    const set = setUp(addressPattern(server));
    const { languages, kept, carried } = set;
    let changes = 0;
    languages.onDidChange(() => changes++);
    const progress: number[] = [];
    await languages.fetch(french, quietly({ onProgress: (bytes) => progress.push(bytes) }));
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    );
    assert.equal(progress.at(-1), french.bytes);
    assert.deepEqual(readdirSync(kept), [fileName('fra')]);
    assert.deepEqual(readFileSync(join(kept, fileName('fra'))), readFileSync(packed('fra')));
    assert.ok(server.requests.every(({ headers }) => headers['user-agent'] === 'Test'));
    assert.equal(changes, 1);

    const english = { code: 'eng', path: carried };
    const ours = { code: 'fra', path: join(kept, fileName('fra')) };
    assert.deepEqual(await languages.listInstalled(), [french]);
    assert.deepEqual(await languages.files(), [english]);
    set.chosen = ['eng', 'fra', 'deu', 'fra', '../..'];
    set.tellChange();
    assert.equal(changes, 2);
    assert.deepEqual(await languages.files(), [ours, english]);
    set.chosen = ['fra'];
    assert.deepEqual(await languages.files(), [ours]);

    await languages.remove('fra');
    assert.equal(changes, 3);
    assert.deepEqual(readdirSync(kept), []);
    assert.deepEqual(await languages.listInstalled(), []);
    assert.deepEqual(await languages.files(), [english]);
    languages.dispose();
    set.tellChange();
    assert.equal(changes, 3);
  });

  test('resumes a download that broke off or was paused', async (t) => {
    const { server } = await mirror(t);
    const { languages, kept } = setUp(addressPattern(server));
    const gate = makeGate();
    server.mishaps = [
      { kind: 'cut', after: 200_000 },
      { kind: 'wait', after: 200_000, gate },
    ];
    const stop = new AbortController();
    const fetching = languages.fetch(french, quietly({ signal: stop.signal }));
    await gate.reached;
    stop.abort();
    await assert.rejects(fetching, { code: 'cancelled' });
    gate.open();
    assert.deepEqual(await languages.listInstalled(), []);
    const downloadedBytes = await languages.bytesThere('fra');
    assert.ok(downloadedBytes > 200_000 && downloadedBytes < french.bytes, String(downloadedBytes));
    // Another window resumes after this one was closed.
    const { languages: others } = setUp(addressPattern(server), kept);
    await others.fetch(french, quietly());
    const [first, second, third] = server.ranges();
    assert.equal(first, undefined);
    assert.match(second ?? '', /^bytes=[1-9]\d{4,}-$/);
    assert.equal(third, `bytes=${String(downloadedBytes)}-`);
    assert.deepEqual(await others.listInstalled(), [french]);
    // A server without range requests sends the file from its beginning.
    const { languages: wholly } = setUp(addressPattern(server));
    server.mishaps = [{ kind: 'cut', after: 200_000 }, { kind: 'status', status: 500 }, { kind: 'whole' }];
    await wholly.fetch(french, quietly());
    assert.deepEqual(await wholly.listInstalled(), [french]);
  });

  test('rejects a wrong file in one sentence, and downloads it again from the start', async (t) => {
    const { server, served } = await mirror(t);
    const set = setUp(addressPattern(server));
    const { languages, kept } = set;
    const refused = async (code: string, message: RegExp): Promise<void> => {
      await assert.rejects(languages.fetch(french, quietly()), { name: 'NotebookError', code, message });
      assert.deepEqual(await languages.listInstalled(), []);
    };
    const good = readFileSync(packed('fra'));
    const bad = Buffer.from(good);
    bad[300_000] = (bad[300_000] ?? 0) ^ 1;
    writeFileSync(join(served, fileName('fra')), bad);
    await refused(
      'damaged',
      /^Discarded fra\.traineddata\.gz because its checksum doesn’t match\. Download it again/,
    );
    assert.deepEqual(readdirSync(kept), []);
    writeFileSync(join(served, fileName('fra')), good);
    server.mishaps = [{ kind: 'text', text: '<html>Sign in to the network' }];
    await refused('damaged', /returned a different file than requested/);
    for (const [status, code] of [
      [404, 'not-found'],
      [403, 'forbidden'],
      [429, 'rate-limited'],
    ] as const) {
      server.mishaps = [{ kind: 'status', status }];
      await refused(code, new RegExp(`\\(${String(status)}\\)`));
    }
    set.address = server.url;
    await refused('unsupported', /doesn’t contain \{language\}\. In Settings, add \{language\} to/);
    set.address = 'tessdata/{language}.gz';
    await refused('unsupported', /isn’t a URL or an absolute path\. Correct openNotebook\.recog/);
    set.address = join(served, 'gone', '{language}.gz');
    await refused('not-found', /Can’t read the file .*gone\/fra\.gz/);
    set.address = served;
    // A local file works, too.
    set.address = join(served, '{language}.traineddata.gz');
    await languages.fetch(french, quietly());
    assert.deepEqual(await languages.listInstalled(), [french]);
  });

  test('is downloaded once by two windows', async (t) => {
    const { server } = await mirror(t);
    const { languages, kept } = setUp(addressPattern(server));
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 200_000, gate }];
    const firstDownload = languages.fetch(french, quietly());
    await gate.reached;
    const waited = Promise.withResolvers<undefined>();
    const onWait = (): void => {
      waited.resolve(undefined);
    };
    const two = setUp(addressPattern(server), kept).languages.fetch(french, quietly({ onWait }));
    await waited.promise;
    gate.open();
    await Promise.all([firstDownload, two]);
    assert.equal(server.ranges().length, 1);
    assert.deepEqual(readdirSync(kept), [fileName('fra')]);
  });

  test('rejects a download larger than the free space, and resumes one that filled the disk', async (t) => {
    const disk = smallDisk(t);
    if (disk === undefined) return;
    const { server } = await mirror(t);
    const { languages } = setUp(addressPattern(server), join(disk, 'recognition'));
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(7_900_000));
    await assert.rejects(languages.fetch(french, quietly()), {
      code: 'disk-full',
      message: /^Can’t download fra\.traineddata\.gz because it needs 0\.7 MB, and only [\d.]+ MB is free\./,
    });
    assert.deepEqual(server.ranges(), []);
    rmSync(ballast);
    // Another program uses the free space meanwhile.
    const gate = makeGate();
    server.mishaps = [{ kind: 'wait', after: 200_000, gate }];
    const fetching = languages.fetch(french, quietly());
    await gate.reached;
    writeFileSync(ballast, Buffer.alloc(7_900_000));
    gate.open();
    await assert.rejects(fetching, { code: 'disk-full', message: /^The disk is full\. Free up some space/ });
    rmSync(ballast);
    await languages.fetch(french, quietly());
    assert.match(server.ranges().at(-1) ?? '', /^bytes=[1-9]/);
  });
});

describe('a damaged language', () => {
  /** Returns a language that was copied here as if it had been downloaded. */
  function installed(): Set & { readonly path: string; readonly damaged: string[] } {
    const set = setUp();
    mkdirSync(set.kept);
    const path = join(set.kept, fileName('fra'));
    copyFileSync(packed('fra'), path);
    set.chosen = ['fra'];
    const damaged: string[] = [];
    set.languages.onDidFindDamaged(({ code }) => damaged.push(code));
    return Object.assign(set, { path, damaged });
  }

  test('is deleted if it can’t be read, and reported once', async () => {
    const { languages, path, carried, damaged } = installed();
    assert.equal(await languages.reportDamaged('fra'), false);
    const bytes = readFileSync(path);
    bytes[500_000] = (bytes[500_000] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    assert.deepEqual(await languages.files(), [{ code: 'fra', path }]);
    let changes = 0;
    languages.onDidChange(() => changes++);
    const pages = [1, 2, 3].map(() => languages.reportDamaged('fra'));
    assert.deepEqual(await Promise.all(pages), [true, true, true]);
    assert.equal(await languages.reportDamaged('fra'), true);
    assert.deepEqual(damaged, ['fra']);
    assert.equal(changes, 1);
    assert.ok(!existsSync(path));
    assert.deepEqual(await languages.files(), [{ code: 'eng', path: carried }]);
    assert.equal(await languages.reportDamaged('../x'), false);
  });

  test('is detected by its length before it is read', async () => {
    const { languages, path, carried, damaged } = installed();
    truncateSync(path, 1_000);
    assert.deepEqual(await languages.files(), [{ code: 'eng', path: carried }]);
    assert.deepEqual(damaged, ['fra']);
    assert.ok(!existsSync(path));
  });

  test('stays in place if it is included in the extension, and is reported once', async () => {
    const { languages, carried, damaged } = installed();
    assert.equal(await languages.reportDamaged('eng'), false);
    truncateSync(carried, 1_000);
    assert.equal(await languages.reportDamaged('eng'), true);
    assert.equal(await languages.reportDamaged('eng'), true);
    assert.deepEqual(damaged, ['eng']);
    assert.ok(existsSync(carried));
  });
});
