// npm test: runs every check, and prints a sum in the last line. Two parts run at a time, each with half of the cores.
//   node test/support/test.mjs [--all] [PART] [FILTER ...]    runs one part; a filter is a part of a test file's name
// With --all, which is `npm run test:all`, slow tests and rounds run, too.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { halveCores } from './cores.mjs';
import { installDependencies } from './dependencies.mjs';
import { onEnd } from './on-end.mjs';
import { results, root } from './paths.mjs';
import { runCheck, runTests } from './parts.mjs';
import { endPrograms } from './run-program.mjs';
import { clearTestCosts, mostExpensiveTests } from './test-costs.mjs';
import { packExtension } from './vsix.mjs';
import { installNode24, installServer, node24 } from './vscode-server.mjs';

/** @typedef {import('./parts.mjs').Counts} Counts */

const words = process.argv.slice(2).filter((argument) => argument !== '--' && argument !== '--all');
const [command, ...filters] = words;
// Test processes inherit it; `test-size.mjs` reads it.
if (process.argv.includes('--all')) process.env['TEST_ALL'] = '1';
const bin = (/** @type {string[]} */ ...path) => join(root, 'node_modules', ...path);
const knip = bin('knip', 'bin', 'knip.js');
const oxfmt = bin('oxfmt', 'bin', 'oxfmt');
const oxlint = bin('oxlint', 'bin', 'oxlint');
const playwright = bin('@playwright', 'test', 'cli.js');
// The fast compiler. Knip and the tests of patterns and words use the syntax trees of the older one.
const tsc = bin('typescript-7', 'bin', 'tsc');

/** Prerequisites of the parts, each prepared at most once. */
const needs = {
  dependencies: once(installDependencies),
  node24: once(installNode24),
  server: once(installServer),
  browser: once(async () => {
    process.env['CHROMIUM'] = await ensureBrowser();
  }),
  extension: once(async () => {
    process.env['OPEN_NOTEBOOK_VSIX'] = await packExtension();
  }),
};

/**
 * Parts by name in starting order, the longest first, with their prerequisites and functions.
 * @type {Record<string, { needs: (keyof typeof needs)[], run: (shown: boolean) => Promise<Counts> }>}
 */
const parts = {
  browser: { needs: ['dependencies', 'server', 'browser', 'extension'], run: runBrowserTests },
  lint: { needs: ['dependencies'], run: () => runCheck(oxlint, []) },
  'types of src': { needs: ['dependencies'], run: () => runCheck(tsc, ['-p', '.']) },
  'types of webview': { needs: ['dependencies'], run: () => runCheck(tsc, ['-p', 'webview']) },
  'types of test': { needs: ['dependencies'], run: () => runCheck(tsc, ['-p', 'test']) },
  format: { needs: ['dependencies'], run: () => runCheck(oxfmt, ['--check']) },
  checks: {
    needs: ['dependencies', 'node24'],
    // READMEs, package.json, translations, and the patterns of the code.
    run: () =>
      runCheck('--test', ['--test-timeout=30000', join(root, 'test', 'checks', '*.test.ts')], node24),
  },
  unused: { needs: ['dependencies'], run: () => runCheck(knip, ['--no-progress']) },
  package: {
    needs: ['dependencies', 'extension'],
    run: () => runCheck(join(root, 'test', 'support', 'check-package.mjs'), []),
  },
  unit: {
    needs: ['dependencies', 'node24'],
    run: (shown) => runTests('unit', [join(root, 'test', 'support', 'unit-run.mjs'), ...filters], shown),
  },
  host: {
    needs: ['dependencies', 'server', 'browser', 'extension'],
    run: (shown) => runTests('host', [join(root, 'test', 'host', 'run.ts'), ...filters], shown),
  },
  page: {
    needs: ['dependencies', 'node24', 'browser', 'extension'],
    run: (shown) => runTests('page', playwrightArguments('page'), shown),
  },
  desktop: {
    needs: ['dependencies', 'node24', 'extension'],
    run: (shown) =>
      runTests('desktop', [join(root, 'test', 'host', 'run.ts'), '--desktop', ...filters], shown),
  },
};

/** Parts by the name on the command line. Without a name, all parts run that need no desktop. */
const commands = {
  lint: ['lint', 'format', 'checks', 'unused'],
  package: ['package'],
  typecheck: ['types of src', 'types of webview', 'types of test'],
  unit: ['unit'],
  host: ['host'],
  page: ['page'],
  browser: ['browser'],
  desktop: ['desktop'],
};

onEnd(() => {
  endPrograms();
  process.exit(1);
});
process.exitCode = await main();

async function main() {
  const names = partNames();
  if (!names) {
    console.error(
      `There is no part ${String(command)}: name one of ${Object.keys(commands).join(', ')}, or none for all.`,
    );
    return 1;
  }
  // Hundreds of processes load the same modules, including VS Code's, so they share compiled code within a run.
  const compiled = join(results, 'compiled');
  rmSync(compiled, { recursive: true, force: true });
  process.env['NODE_COMPILE_CACHE'] = compiled;
  clearTestCosts();
  const isOnlyPart = names.length === 1;
  if (!isOnlyPart) halveCores();
  const waiting = [...names];
  /** @type {Awaited<ReturnType<typeof runPart>>[]} */
  const counts = [];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      counts.push(await runPart(name, isOnlyPart));
  };
  await Promise.all([lane(), lane()]);
  const { passed, failed, failures, flaky, seconds } = sumOf(counts);
  printCosts();
  if (!isOnlyPart) {
    console.log(`\n${counts.map(({ line }) => line).join('\n')}`);
    console.log(`processor time    ${seconds.toFixed(0)} s`);
  }
  printTests(`failed: ${String(failed)}`, failures);
  printTests(`passed only when tried again: ${String(flaky.length)}`, flaky);
  console.log(`${String(passed)} passed, ${String(failed)} failed`);
  return failed === 0 ? 0 : 1;
}

/** @returns {string[] | undefined} */
function partNames() {
  if (command === undefined) return Object.keys(parts).filter((name) => name !== 'desktop');
  return Object.entries(commands).find(([name]) => name === command)?.[1];
}

/**
 * Runs a part. Missing prerequisites count as one failure.
 * @param {string} name
 * @param {boolean} shown whether its output is shown at once instead of at its end
 * @returns {Promise<Counts & { line: string }>}
 */
async function runPart(name, shown) {
  const started = Date.now();
  if (!shown) console.log(`${name}…`);
  const counts = await countsOf(name, shown);
  const elapsed = ((Date.now() - started) / 1000).toFixed(1);
  const processor = (counts.seconds ?? 0).toFixed(1);
  const line = `${name.padEnd(17)} ${String(counts.passed)} passed, ${String(counts.failed)} failed, ${elapsed} s, processor ${processor} s`;
  console.log(line);
  return { ...counts, line };
}

/**
 * @param {string} heading
 * @param {readonly import('./parts.mjs').FailedTest[]} tests
 */
function printTests(heading, tests) {
  console.log(heading);
  for (const { title, error, trace } of tests) {
    const lines = [
      ...error.split('\n'),
      ...(trace === undefined ? [] : [`npx playwright show-trace ${trace}`]),
    ];
    console.log(`  ${title}\n${lines.map((line) => `    ${line}`).join('\n')}`);
  }
}

/** Prints the tests that took the most processor time. */
function printCosts() {
  const tests = mostExpensiveTests(20);
  if (tests.length === 0) return;
  console.log('\nThe most expensive tests, in seconds of processor with children:');
  for (const { tier, test, seconds } of tests)
    console.log(`${seconds.toFixed(1).padStart(7)}  ${tier.padEnd(8)} ${test}`);
}

/**
 * @param {string} name
 * @param {boolean} shown
 * @returns {Promise<Counts>}
 */
async function countsOf(name, shown) {
  const part = parts[name];
  if (!part) throw new Error(`There is no part ${name}.`);
  try {
    for (const need of part.needs) await needs[need]();
    if (shown) console.log(`\n── ${name}`);
    const counts = await part.run(shown);
    if (!shown) process.stdout.write(`\n── ${name}\n${counts.output ?? ''}`);
    if (counts.passed + counts.failed === 0) throw new Error(`No ${name} test ran.`);
    return counts;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`\n${name}:`, message);
    return {
      passed: 0,
      failed: 1,
      failures: [{ title: name, error: message.slice(-2_000), trace: undefined }],
    };
  }
}

/**
 * Runs the browser tests, and with --all those tagged `@alone`, which measure times or memory, one after the other.
 * @param {boolean} shown
 * @returns {Promise<Counts>}
 */
async function runBrowserTests(shown) {
  if (process.env['TEST_ALL'] !== '1')
    return await runTests('browser', playwrightArguments('browser'), shown);
  const most = await runTests(
    'browser',
    [...playwrightArguments('browser'), '--grep-invert', '@alone'],
    shown,
  );
  const alone = [...playwrightArguments('browser', 'browser-alone'), '--grep', '@alone', '--workers', '1'];
  return sumOf([most, await runTests('browser-alone', alone, shown)]);
}

/**
 * @param {string} tier the folder of the tests
 * @param {string} [name] of the folder for screenshots and traces of failures
 */
function playwrightArguments(tier, name = tier) {
  const config = join(root, 'test', tier, 'playwright.config.ts');
  return [
    ...[playwright, 'test', '--config', config, '--output', join(results, name), '--pass-with-no-tests'],
    ...filters,
  ];
}

/**
 * @param {Counts[]} all
 * @returns {Required<Counts>}
 */
function sumOf(all) {
  const sum = (/** @type {(one: Counts) => number} */ count) =>
    all.reduce((whole, one) => whole + count(one), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    seconds: sum(({ seconds }) => seconds ?? 0),
    failures: all.flatMap(({ failures }) => failures ?? []),
    flaky: all.flatMap(({ flaky }) => flaky ?? []),
    output: all.map(({ output }) => output ?? '').join(''),
  };
}

/**
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
function once(make) {
  /** @type {Promise<T> | undefined} */
  let value;
  return () => (value ??= make());
}
