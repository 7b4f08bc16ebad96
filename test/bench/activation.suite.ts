// Runs in the extension host: see activation.ts.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { note } from '../support/suite-report.ts';

/** Times in milliseconds. */
export interface ActivationFigures {
  /** Time to load the extension's code, and the code of an extension that does nothing. */
  readonly loading: number;
  readonly loadingEmpty: number;
  /** First activation: total time, and the part in the extension's own code and its calls. */
  readonly activating: number;
  readonly activatingItself: number;
  /** JavaScript of the extension that the activation reads: its size in bytes, and number of files. */
  readonly bytesLoaded: number;
  readonly filesLoaded: number;
}

const repetitions = 15;

/** Returns the shortest time to load code that was never loaded before. */
function measureLoading(write: (folder: string) => void): number {
  const times = Array.from({ length: repetitions }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'loading-'));
    write(folder);
    const load = createRequire(join(folder, 'extension.cjs'));
    const began = performance.now();
    load('./extension.cjs');
    const time = performance.now() - began;
    rmSync(folder, { recursive: true });
    return time;
  });
  return Math.min(...times);
}

/** Returns the duration of some work, and the part within calls of code in a folder, by samples of its stack. */
async function profiled(
  folder: string,
  action: () => Thenable<unknown>,
): Promise<{ all: number; within: number }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const began = performance.now();
  await action();
  const all = performance.now() - began;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const isWithin = new Set<number>();
  // A node's children come after it.
  for (const { id, callFrame, children = [] } of profile.nodes) {
    if (callFrame.url.includes(folder)) isWithin.add(id);
    if (isWithin.has(id)) for (const child of children) isWithin.add(child);
  }
  const { samples = [], timeDeltas = [] } = profile;
  const within = samples.reduce((sum, id, i) => sum + (isWithin.has(id) ? (timeDeltas[i] ?? 0) : 0), 0);
  return { all, within: within / 1_000 };
}

/** Returns the files of a folder that were loaded as modules. */
function loadedFrom(folder: string): string[] {
  return Object.keys(createRequire(join(folder, 'any.cjs')).cache).filter((file) => file.startsWith(folder));
}

suite('activation', () => {
  test('activates the extension', async function () {
    this.timeout(60_000);
    const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
    assert.ok(extension);
    const built = join(extension.extensionUri.fsPath, 'dist');
    const { all: activating, within: activatingItself } = await profiled(built, () => extension.activate());
    const loaded = loadedFrom(built);
    const loading = measureLoading((folder) => {
      for (const name of readdirSync(built).filter((file) => /^extension.*\.cjs$/.test(file)))
        copyFileSync(join(built, name), join(folder, name));
    });
    const loadingEmpty = measureLoading((folder) => {
      writeFileSync(join(folder, 'extension.cjs'), 'exports.activate = () => {};');
    });
    const figures: ActivationFigures = {
      ...{ loading, loadingEmpty, activating, activatingItself },
      bytesLoaded: loaded.reduce((sum, file) => sum + statSync(file).size, 0),
      filesLoaded: loaded.length,
    };
    note('activation', figures);
  });
});
