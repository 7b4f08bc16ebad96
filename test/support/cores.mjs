import { availableParallelism } from 'node:os';

/** Number of cores for the tests of a part: half of the machine's if parts run in parallel. */
export const cores = Number(process.env['TEST_CORES'] ?? availableParallelism());

/** Halves the cores for the parts that this process starts. */
export function halveCores() {
  process.env['TEST_CORES'] = String(Math.max(1, Math.floor(availableParallelism() / 2)));
}
