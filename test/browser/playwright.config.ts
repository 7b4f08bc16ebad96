import { defineConfig } from '@playwright/test';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { cores } from '../support/cores.mjs';
import { playwrightReporters, sharedOptions, skippedTags } from '../support/playwright-options.ts';
import { results } from '../support/paths.mjs';

export default defineConfig({
  testDir: '.',
  outputDir: join(results, 'browser'),
  // Each has a VS Code and a browser, which take about one core and one gigabyte.
  workers: Math.max(1, Math.min(cores, Math.floor(totalmem() / 2e9))),
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
  // A busy machine may make VS Code miss a click. Retries are counted and listed at the end of the run.
  retries: 1,
  forbidOnly: process.env.CI !== undefined,
  ...skippedTags,
  reporter: playwrightReporters('browser'),
  use: {
    ...sharedOptions,
    viewport: { width: 1400, height: 900 },
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
  },
});
