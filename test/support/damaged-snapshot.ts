import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ways in which a snapshot can be damaged. */
export const SNAPSHOT_DAMAGES: readonly ((path: string) => void)[] = [
  (path) => rmSync(path),
  (path) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
  },
  (path) => {
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  },
];

/** Damages the snapshot in a folder, if there is one. */
export function damageSnapshot(folder: string, damage: (path: string) => void): void {
  const name = readdirSync(folder).find((file) => file.endsWith('.snapshot'));
  if (name !== undefined) damage(join(folder, name));
}
