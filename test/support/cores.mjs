import { availableParallelism } from 'node:os';

/** How many cores the tests of a part may use: half of the machine's where parts run beside each other. */
export const cores = Number(process.env['TEST_CORES'] ?? availableParallelism());

/** Halves the cores for the parts that this process starts. */
export function halveCores() {
  process.env['TEST_CORES'] = String(Math.max(1, Math.floor(availableParallelism() / 2)));
}
