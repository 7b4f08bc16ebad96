// Returns malformed rows of a team database, as no honest member sends them.
import { pack, unpack } from '../../src/features/team/service/packed.ts';
import { wholeBelow } from './durability-random.ts';
import { mutatedBytes, mutatedJson } from './mutations.ts';

/** Column values that JSON doesn't have. */
const COLUMNS: readonly (() => unknown)[] = [
  () => undefined,
  () => Number.NaN,
  () => new Date(Number.NaN),
  () => new Date(8.64e15),
  () => Buffer.alloc(0),
  () => Buffer.alloc(64, 0xff),
];

/**
 * Changes one of several rows: a column, or packed data in one. Returns the same rows if there is nothing to change.
 */
export function changeRows(
  random: () => number,
  rows: readonly Record<string, unknown>[],
  isColumn: boolean,
): readonly Record<string, unknown>[] {
  const at = wholeBelow(random, Math.max(1, rows.length));
  const row = rows[at];
  if (row === undefined) return rows;
  const names = Object.keys(row).filter((name) => isColumn || row[name] instanceof Uint8Array);
  const name = names[wholeBelow(random, Math.max(1, names.length))];
  if (name === undefined) return rows;
  const before = row[name];
  if (!isColumn && before instanceof Uint8Array)
    return rows.with(at, { ...row, [name]: changeBytes(random, before) });
  const value = random() < 0.3 ? COLUMNS[wholeBelow(random, COLUMNS.length)]?.() : mutatedJson('12', random);
  return rows.with(at, { ...row, [name]: value });
}

function changeBytes(random: () => number, bytes: Uint8Array): Buffer {
  if (random() < 0.3) return mutatedBytes(bytes, random);
  let packed: unknown;
  try {
    packed = unpack(bytes);
  } catch {
    // Vectors and postings aren't packed.
    return mutatedBytes(bytes, random);
  }
  const value = mutatedJson(packed, random);
  return typeof value === 'object' && value !== null ? pack(value) : Buffer.from(String(value));
}
