import { defineConfig } from '@playwright/test';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { browserArguments, findBrowser } from '../support/browser.mjs';
import { results } from '../support/paths.mjs';

const executablePath = findBrowser();

export default defineConfig({
  testDir: '.',
  outputDir: join(results, 'browser'),
  // Each has a VS Code and a browser, and takes about one core and one gigabyte, of two that the machine has for it.
  workers: Math.max(2, Math.min(availableParallelism(), Math.floor(totalmem() / 2e9))),
  fullyParallel: true,
  // Limits end what hangs: on the slowest machine, too, what works has time for it.
  timeout: 900_000,
  expect: { timeout: 120_000, toPass: { timeout: 240_000 } },
  // A busy machine may make VS Code miss a click; a retry is reported as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['json', { outputFile: join(results, 'browser.json') }]],
  use: {
    viewport: { width: 1400, height: 900 },
    actionTimeout: 60_000,
    navigationTimeout: 240_000,
    // It takes a third of a test's time: `npm run test:browser -- NAME --trace=on` where a failure's picture says too little.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: { args: browserArguments, ...(executablePath === undefined ? {} : { executablePath }) },
  },
});
