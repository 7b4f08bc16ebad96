// What is on the page of a research.
import type { FrameLocator, Locator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';

/** The page of researches in the tab that is in front. */
export function researchPage(workbench: Workbench): FrameLocator {
  return workbench.page
    .locator(
      'iframe.webview.ready[src*="extensionId=open-notebook.open-notebook"]:not([src*="purpose=webviewView"]):visible',
    )
    .contentFrame()
    .frameLocator('#active-frame');
}

/** A button of the page by its words. */
export function button(page: FrameLocator | Locator, label: string): Locator {
  return page.locator('vscode-button', { hasText: label });
}

/** A step of the plan, counted from 1. */
export function planStep(page: FrameLocator, number: number): Locator {
  return page.getByRole('listitem', { name: `Step ${String(number)}`, exact: true });
}

/** A row of the board in the column of a state. */
export function row(page: FrameLocator, state: string, words: string): Locator {
  return page.getByRole('region', { name: state, exact: true }).locator('.row', { hasText: words });
}

/** Cites the first passage that a search finds. */
export async function cite(page: FrameLocator, words: string): Promise<void> {
  await page.getByRole('searchbox').fill(words);
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('button', { name: 'Cite' }).first().click();
}
