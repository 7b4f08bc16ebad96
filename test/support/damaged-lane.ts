// Damages copies of a notebook and uses each, in a separate thread.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { copyNotebook, damage, use, type Seen } from './damaged-notebook.ts';

export interface LaneParameters {
  readonly whole: string;
  readonly root: string;
  readonly seeds: readonly number[];
}

export interface Used {
  /** Seed and kind of the damage. */
  readonly said: string;
  readonly first: Seen;
  readonly second: Seen;
  readonly files: readonly string[];
}

const { whole, root, seeds } = workerData as LaneParameters;
const used: Used[] = [];
for (const seed of seeds) {
  const folder = join(root, `copy ${String(seed)}`);
  copyNotebook(whole, folder);
  const said = `seed ${String(seed)}: ${damage(join(folder, 'notebook.sqlite'), seed)}`;
  const first = await use(folder);
  // A notebook without notices is unchanged, so it isn't opened again.
  const second = first.notices.length > 0 ? await use(folder) : { ...first, notices: [] };
  used.push({ said, first, second, files: readdirSync(folder) });
  rmSync(folder, { recursive: true, force: true });
}
parentPort?.postMessage(used);
