// Parts of the research page, in a browser page or in the frame of an editor.
import type { FrameLocator, Locator, Page } from '@playwright/test';

type ResearchPage = FrameLocator | Locator | Page;

/** Returns a button by its label. */
export function button(page: ResearchPage, label: string): Locator {
  return page.locator('vscode-button', { hasText: label });
}

/** Returns a step of the plan by its number, counted from 1. */
export function planStep(page: ResearchPage, number: number): Locator {
  return page.getByRole('listitem', { name: `Step ${String(number)}`, exact: true });
}

/** Returns the rows of the board in the column of a state that contain some words. */
export function row(page: ResearchPage, state: string, words: string): Locator {
  return page.getByRole('region', { name: state, exact: true }).locator('.row', { hasText: words });
}

/** Cites the first passage that a search for some words finds. */
export async function cite(page: ResearchPage, words: string): Promise<void> {
  await page.getByRole('searchbox').fill(words);
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('button', { name: 'Cite' }).first().click();
}
