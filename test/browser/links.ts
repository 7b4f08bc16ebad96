import type { Page } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import { expect } from './fixtures.ts';

/** Prefix of links to the extension. */
export const scheme = 'code-oss://open-notebook.open-notebook';

/** Follows a link to the extension as the browser does. */
export async function follow(workbench: Workbench, link: string): Promise<void> {
  const { page } = workbench;
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await workbench.run('Companion: Follow Link');
  await workbench.fill(link);
  await expect.poll(() => clipboard(page)).toMatch(/^http/);
  const outside = await page.context().newPage();
  await outside.goto(await clipboard(page));
  await page.bringToFront();
  await outside.close();
}

export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
