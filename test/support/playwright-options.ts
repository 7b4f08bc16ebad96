// Options that the page tests and the browser tests share.
import type { PlaywrightTestConfig, PlaywrightTestOptions, ReporterDescription } from '@playwright/test';
import { join } from 'node:path';
import { browserArguments, findBrowser } from './browser.mjs';
import { results } from './paths.mjs';
import { isEverything } from './test-size.mjs';

const executablePath = findBrowser();

/** The browser, its pictures of failures, and a trace of a test that is tried again. */
export const sharedOptions: Partial<PlaywrightTestOptions> & PlaywrightTestConfig['use'] = {
  // A trace needs a third of a test's time. Add `--trace=on` if the picture of a failure shows too little.
  trace: 'on-first-retry',
  screenshot: 'only-on-failure',
  launchOptions: { args: browserArguments, ...(executablePath === undefined ? {} : { executablePath }) },
};

/** Skips tests tagged `@all` unless `npm run test:all` runs. */
export const skippedTags: Pick<PlaywrightTestConfig, 'grepInvert'> = isEverything
  ? {}
  : { grepInvert: /@all\b/ };

/** Prints a line for each test, and writes the counts and the cost of each test to `test-results`. */
export function playwrightReporters(tier: string): ReporterDescription[] {
  return [['list'], ['json', { outputFile: join(results, `${tier}.json`) }]];
}
