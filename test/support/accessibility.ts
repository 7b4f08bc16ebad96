import type { Locator } from '@playwright/test';
import axe from 'axe-core';

type Axe = typeof axe;

/** Rules whose result depends on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the serious and critical problems that axe finds in the page around an element, one line each.
 * @param rules every rule by default; `colors` for those whose result depends on the theme
 */
export async function seriousProblems(
  within: Locator,
  rules: 'all' | 'colors' = 'all',
): Promise<readonly string[]> {
  const element = await within.elementHandle();
  const frame = await element.ownerFrame();
  if (frame === null) throw new Error('The element is not in a page.');
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axe.source);
  return await frame.evaluate(
    async (runOnly) => {
      const { axe: checker } = globalThis as unknown as { axe: Axe };
      const { violations } = await checker.run(document, {
        resultTypes: ['violations'],
        iframes: false,
        ...(runOnly && { runOnly }),
      });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ html, any }) => `${id}: ${any[0]?.message ?? ''} ${html.slice(0, 200)}`),
        );
    },
    rules === 'colors' ? COLOR_RULES : undefined,
  );
}
