// A disk of 8 MB in memory, to be filled by a test.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

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

export function unmount(path: string): void {
  execFileSync('umount', ['-l', path]);
}
