import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const SNAPSHOT = /^index-[0-9a-f]+\.snapshot(?:\.(\d+))?$/;

/** Puts a snapshot in its place at once: whoever reads the file finds the one before or this one, never half of one. */
export async function writeSnapshotFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${String(process.pid)}`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes what killed processes left half-written beside a notebook's snapshot, and snapshots of a database that is gone. */
export async function removeStraySnapshots(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const match = SNAPSHOT.exec(name);
    const file = join(dirname(path), name);
    if (match === null || file === path || isAlive(match[1])) continue;
    await rm(file, { force: true });
  }
}

function isAlive(pid: string | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
