// Test function of page tests. Each test has its own page, and fails if a page reports an error.
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { join } from 'node:path';
import type { WebviewPage } from '../../src/platform/webview-html.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { results } from '../support/paths.mjs';
import { costFixture, type CostFixtures } from '../support/test-cost-fixture.ts';
import { isEverything } from '../support/test-size.mjs';
import { address } from './page-files.ts';
import { showPage, type HostScript, type NotifyingScript, type ShownPage } from './page-host.ts';
import { themeNames, type ThemeName } from './themes.ts';

export { expect };

/** Shows a page of the extension, whose host answers as the script says. Call it once for each browser page. */
export type Show = <V extends WebviewPage>(
  view: V,
  script: HostScript<V> | NotifyingScript<V>,
  options?: { readonly theme?: ThemeName; readonly translation?: object; readonly page?: Page },
) => Promise<ShownPage<V>>;

interface PageFixtures {
  readonly show: Show;
}

interface WorkerFixtures {
  /** Browser for all tests of a process, with a page that keeps its renderer process alive between tests. */
  readonly sharedContext: BrowserContext;
}

export const test = base.extend<PageFixtures & CostFixtures, WorkerFixtures>({
  ...costFixture('page'),

  sharedContext: [
    async ({ browser }, use) => {
      const context = await browser.newContext();
      const first = await context.newPage();
      await first.goto(address('empty'));
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],

  context: async ({ sharedContext }, use) => {
    await use(sharedContext);
    for (const page of sharedContext.pages().slice(1)) await page.close();
    await sharedContext.clearPermissions();
  },

  page: async ({ context, viewport }, use) => {
    const page = await context.newPage();
    if (viewport !== null) await page.setViewportSize(viewport);
    await use(page);
  },

  show: async ({ page }, use) => {
    const shown: { problems(): readonly string[] }[] = [];
    await use(async (view, script, { page: other = page, ...options } = {}) => {
      const openPage = await showPage(other, view, script, options);
      shown.push(openPage);
      return openPage;
    });
    expect(
      shown.flatMap((one) => one.problems()),
      'problems of the page',
    ).toEqual([]);
  },
});

/**
 * Looks at a page in each theme: no serious accessibility problem, and a screenshot `NAME-THEME.png`. In `npm test`, the
 * first theme is checked for every rule, and the others for the rules that depend on the theme.
 */
export async function lookInEachTheme<V extends WebviewPage>(
  page: Page,
  shown: ShownPage<V>,
  name: string,
): Promise<void> {
  for (const theme of themeNames)
    await test.step(theme, async () => {
      await shown.setTheme(theme);
      const rules = isEverything || theme === themeNames[0] ? 'all' : 'colors';
      expect.soft(await seriousProblems(page.locator('body'), rules), `${name} in ${theme}`).toEqual([]);
      await screenshot(page, `${name}-${theme}`);
    });
}

/** Saves a screenshot as `test-results/screenshots/page/NAME.png` in `npm run test:all`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!isEverything) return;
  await page.screenshot({
    path: join(results, 'screenshots', 'page', `${name}.png`),
    animations: 'disabled',
  });
}
