// A disk of 8 MB in memory, to be filled by a test.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mounts a small disk in memory; returns why not where it can't be. */
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

/** Makes a file that nobody can write: root can, unless its disk is for reading alone. Returns what undoes it. */
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
