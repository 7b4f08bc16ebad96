import { defineConfig } from '@playwright/test';
import { join } from 'node:path';
import { browserArguments } from '../support/browser.mjs';
import { cores } from '../support/cores.mjs';
import { playwrightReporters, sharedOptions, skippedTags } from '../support/playwright-options.ts';
import { results } from '../support/paths.mjs';

export default defineConfig({
  testDir: '.',
  outputDir: join(results, 'page'),
  workers: cores,
  fullyParallel: true,
  timeout: 30_000,
  expect: { timeout: 10_000, toPass: { timeout: 20_000 } },
  retries: 1,
  forbidOnly: process.env.CI !== undefined,
  ...skippedTags,
  reporter: playwrightReporters('page'),
  use: {
    ...sharedOptions,
    viewport: { width: 900, height: 800 },
    actionTimeout: 10_000,
    launchOptions: {
      ...sharedOptions.launchOptions,
      // A page costs less in the process of the previous page, which has compiled the scripts.
      args: [...browserArguments, '--process-per-site'],
    },
  },
});
