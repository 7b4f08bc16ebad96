// Records the processor seconds of each test. Loaded before a unit test file. Child processes count once they have
// ended, and only on Linux.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { recordTestCost } from './test-costs.mjs';

const file = basename(process.argv[1] ?? '');

// Threads and forked processes of a test load this module, too.
if (isMainThread && /\.test\.ts$|^batch-/.test(file)) {
  const { afterEach, beforeEach } = await import('node:test');
  await import('./after-each-test.mjs');
  /** @type {number[]} */
  const starts = [];
  let sum = 0;
  const note = (/** @type {string} */ test, /** @type {number} */ seconds) => {
    recordTestCost({ tier: 'unit', test, seconds: Number(seconds.toFixed(3)) });
  };
  beforeEach(() => {
    starts.push(processorSeconds());
  });
  afterEach((context) => {
    const fullName = 'fullName' in context ? context.fullName : context.name;
    const start = starts.pop() ?? 0;
    // A test within a test counts as part of it.
    if (starts.length > 0) return;
    const seconds = processorSeconds() - start;
    sum += seconds;
    // A batch names its files itself.
    note(file.startsWith('batch-') ? fullName.replace(' > ', ': ') : `${file}: ${fullName}`, seconds);
  });
  process.on('exit', () => {
    note(`${file}: loading and hooks`, processorSeconds() - sum);
  });
}

/** Returns the processor time of this process and of its children that have ended. */
function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childrenSeconds();
}

function childrenSeconds() {
  if (process.platform !== 'linux') return 0;
  // The name of the program, in parentheses, may contain spaces. Times are in hundredths of a second.
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?!.*\) )/);
  const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
  return (user + system) / 100;
}
