import type { Locator } from '@playwright/test';
import axe from 'axe-core';

type Axe = typeof axe;

/**
 * Returns the serious and critical problems that axe finds in the page around an element, one line each.
 * @param surface the theme's color behind a page that is transparent itself
 */
export async function seriousProblems(
  within: Locator,
  surface?: 'editor' | 'sideBar',
): Promise<readonly string[]> {
  const element = await within.elementHandle();
  const frame = await element.ownerFrame();
  if (frame === null) throw new Error('The element is not in a page.');
  await frame.evaluate(axe.source);
  return await frame.evaluate(async (name) => {
    if (name !== undefined) document.body.style.backgroundColor = `var(--vscode-${name}-background)`;
    const { axe: checker } = globalThis as unknown as { axe: Axe };
    const { violations } = await checker.run(document, { resultTypes: ['violations'], iframes: false });
    if (name !== undefined) document.body.style.backgroundColor = '';
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${any[0]?.message ?? ''} ${html.slice(0, 200)}`),
      );
  }, surface);
}
