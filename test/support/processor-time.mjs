// Measures the processor time of processes. Linux only, as other systems don't show it in files: elsewhere it is 0.
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports processor time to programs in hundredths of a second, whatever the kernel uses internally. */
const TICKS_PER_SECOND = 100;

const SAMPLE_INTERVAL_MS = 1000;

/**
 * Returns the seconds of processor that a process and its descendants have had, with those that ended and were waited
 * for. A descendant that was killed together with its parent isn't counted: `watchProcessorTime` counts it.
 * @param {number} pid
 */
export function processorSeconds(pid) {
  return readProcessorSeconds(pid, new Set());
}

/**
 * @param {number} pid
 * @param {Set<number>} others processes that aren't descendants; those that are found, are added
 */
function readProcessorSeconds(pid, others) {
  if (process.platform !== 'linux') return 0;
  /** @type {Map<number, { pid: number, ticks: number }[]>} */
  const children = new Map();
  let ticks = 0;
  const pids = new Set(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number),
  );
  for (const other of others) if (!pids.has(other)) others.delete(other);
  const unknown = new Set([...pids].filter((one) => !others.has(one)));
  for (const one of unknown) {
    const entry = readEntry(one);
    if (entry === undefined) continue;
    if (entry.pid === pid) ticks += entry.ticks;
    children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry]);
  }
  unknown.delete(pid);
  const waiting = [pid];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop())
    for (const child of children.get(parent) ?? []) {
      ticks += child.ticks;
      unknown.delete(child.pid);
      waiting.push(child.pid);
    }
  for (const other of unknown) others.add(other);
  return ticks / TICKS_PER_SECOND;
}

/** @param {number} pid */
function readEntry(pid) {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The program name in parentheses may contain spaces. For the numbers of the fields, see man 5 proc.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const field = (/** @type {number} */ number) => Number(fields[number - 3]);
    return { pid, parent: field(4), ticks: field(14) + field(15) + field(16) + field(17) };
  } catch {
    // The process has ended.
    return undefined;
  }
}

/**
 * Counts the processor seconds of a process and its descendants from now on, including killed ones: a decrease of the
 * sum between samples is added up.
 * @param {number} pid
 * @returns {{ read: () => number, stop: () => number }} the seconds so far
 */
export function watchProcessorTime(pid) {
  // A process never becomes a descendant later, so it is read once: a machine has hundreds.
  /** @type {Set<number>} */
  const others = new Set();
  const first = readProcessorSeconds(pid, others);
  let most = first;
  let lost = 0;
  const read = () => {
    const now = readProcessorSeconds(pid, others);
    lost = Math.max(lost, most - now);
    most = now + lost;
    return most - first;
  };
  const timer = setInterval(read, SAMPLE_INTERVAL_MS).unref();
  return {
    read,
    stop: () => {
      clearInterval(timer);
      return read();
    },
  };
}
