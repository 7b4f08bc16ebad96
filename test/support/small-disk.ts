// A disk of 8 MB in memory, to be filled by a test.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Mounts a small disk in memory, or returns the reason why it can't. */
export function mountSmallDisk(path: string): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Only root on Linux mounts disks.';
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'No disk can be mounted here.';
  }
}

/** Mounts a small disk until a test ends. If it can't, skips the test and returns undefined. */
export function smallDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const disk = join(folder, 'disk');
  const reason = mountSmallDisk(disk);
  t.after(() => {
    if (reason === undefined) unmount(disk);
    rmSync(folder, { recursive: true, force: true });
  });
  if (reason === undefined) return disk;
  t.skip(reason);
  return undefined;
}

/** Creates a file that nobody can write, on a read-only disk for root. Returns a function that reverts it. */
export function makeReadOnly(folder: string, name: string, content: Uint8Array): () => void {
  const file = join(folder, name);
  if (mountSmallDisk(folder) === undefined) {
    writeFileSync(file, content);
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    return () => {
      unmount(folder);
    };
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, 0o444);
  return () => {
    chmodSync(file, 0o644);
  };
}

export function unmount(path: string): void {
  execFileSync('umount', ['-l', path]);
}
