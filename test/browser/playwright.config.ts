import { defineConfig } from '@playwright/test';
import { join } from 'node:path';
import { browserArguments, findBrowser } from '../support/browser.mjs';
import { results } from '../support/paths.mjs';

const executablePath = findBrowser();

export default defineConfig({
  testDir: '.',
  outputDir: join(results, 'browser'),
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  // A busy machine may make VS Code miss a click; a retry is reported as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['json', { outputFile: join(results, 'browser.json') }]],
  use: {
    viewport: { width: 1400, height: 900 },
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { args: browserArguments, ...(executablePath === undefined ? {} : { executablePath }) },
  },
});
