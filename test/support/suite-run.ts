import Mocha from 'mocha';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { watchProcessorTime } from './processor-time.mjs';
import { slowness } from './slowness.ts';
import { StallWatch } from './stalls.ts';
import { isEverything } from './test-size.mjs';
import { notes, type HostReport, type HostTest } from './suite-report.ts';

/** Maximum time that the extension may block the extension host, in milliseconds of an ordinary machine. */
const MAX_TURN_LENGTH = 100;

const TEST_TIMEOUT_MS = 30_000;

/** Message of the failure of each first attempt at a test. */
const FIRST_ATTEMPT = 'The first attempt fails on purpose.';

const ownCode = /[\\/]open-notebook\.open-notebook-[^\\/]*[\\/]dist[\\/]/;

/**
 * Runs the tests that `load` defines, in Mocha's `suite` and `test` style. Rewrites the report after each test, so that
 * it shows the progress even if the suite is cut short.
 */
export async function runSuite(load: () => Promise<void>): Promise<void> {
  process.setSourceMapsEnabled(true);
  // The base reporter prints nothing, because the report contains everything.
  const mocha = new Mocha({
    ui: 'tdd',
    timeout: TEST_TIMEOUT_MS,
    reporter: Mocha.reporters.Base,
    // The first attempt fails on purpose in `npm run test:all`.
    retries: isEverything ? 2 : 1,
  });
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis as Mocha.MochaGlobals, '', mocha);
  await load();
  if (isEverything) failFirstAttempts(mocha.suite);
  // A hidden view costs nothing when files change.
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
  const file = process.env.E2E_RESULTS;
  if (file === undefined) throw new Error('E2E_RESULTS does not say where the report goes.');
  const tests: HostTest[] = [];
  const time = watchProcessorTime(process.pid);
  const count = (state: HostTest['state']): number => tests.filter((test) => test.state === state).length;
  const write = (): void => {
    const report: HostReport = {
      ...{ passed: count('passed'), failed: count('failed'), tests, notes },
      hookSeconds: time.read() - tests.reduce((sum, { seconds }) => sum + seconds, 0),
    };
    writeFileSync(file, JSON.stringify(report));
  };
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => {
      resolve();
    });
    let before = 0;
    const starts: { readonly test: Mocha.Test; readonly at: number }[] = [];
    const {
      EVENT_RUN_END,
      EVENT_SUITE_END,
      EVENT_TEST_BEGIN,
      EVENT_TEST_PASS,
      EVENT_TEST_FAIL,
      EVENT_TEST_PENDING,
      EVENT_TEST_RETRY,
    } = Mocha.Runner.constants;
    let firstError: Error | undefined;
    const add = (test: Mocha.Test, state: HostTest['state'], error?: Error): void => {
      tests.push({
        title: test.fullTitle(),
        state,
        time: test.duration ?? 0,
        seconds: time.read() - before,
        // The first failure comes first: the second may only be a result of what the first left behind.
        ...(error && { error: [firstError ?? [], error].flat().map(stackOf).join('\nWhen retried:\n') }),
        ...(state === 'passed' && firstError && { firstError: firstError.message }),
      });
      firstError = undefined;
      write();
    };
    const stalls = new StallWatch((url) => ownCode.test(url), MAX_TURN_LENGTH * slowness());
    runner.on(EVENT_TEST_BEGIN, (test) => {
      before = time.read();
      starts.push({ test, at: performance.now() });
    });
    runner.on(EVENT_SUITE_END, (suite) => {
      if (suite.parent?.root !== true) return;
      for (const { own, where, endedAt } of stalls.take()) {
        const { test } = starts.findLast(({ at }) => at <= endedAt) ?? {};
        const error = new Error(`The extension held up its host for ${own.toFixed(0)} ms: ${where}.`);
        tests.push({
          title: test?.fullTitle() ?? suite.fullTitle(),
          ...{ state: 'failed', time: 0, seconds: 0, error: error.message },
        });
      }
      write();
    });
    runner.once(EVENT_RUN_END, () => {
      stalls.dispose();
      time.stop();
    });
    runner.on(EVENT_TEST_PASS, (test) => {
      add(test, 'passed');
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      add(test, 'failed', error as Error);
    });
    runner.on(EVENT_TEST_RETRY, (_test, error: Error) => {
      if (error.message !== FIRST_ATTEMPT) firstError ??= error;
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      add(test, 'skipped');
    });
  });
  write();
  const failed = count('failed');
  if (failed > 0) throw new Error(`${String(failed)} failed`);
}

/** Makes the first attempt at each test fail at its end, to show that a retry can pass after whatever it left behind. */
function failFirstAttempts(suite: Mocha.Suite): void {
  for (const test of suite.tests) {
    const { fn } = test;
    if (fn === undefined) continue;
    let attempts = 0;
    test.fn = async function (this: Mocha.Context) {
      await (fn as Mocha.AsyncFunc).call(this);
      if (++attempts === 1) throw new Error(FIRST_ATTEMPT);
    };
  }
  for (const child of suite.suites) failFirstAttempts(child);
}

function stackOf({ stack, message }: Error): string {
  return stack ?? message;
}
