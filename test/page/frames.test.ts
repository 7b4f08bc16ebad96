// Long tables and maps take little work to draw while they are scrolled.
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { measureFrames } from './frame-work.ts';
import { manyHeadings, mapHost } from './map-host.ts';
import { answeredCell, tableHead, tableHost, type TableView } from './table-host.ts';

/** Maximum work of the page's thread per frame, in milliseconds. */
const MAX_WORK_MS = 50;

test.use({ viewport: { width: 1_400, height: 900 } });

/** Does something before each of some frames, and expects that no frame takes too much work. */
async function expectSmooth(
  area: Locator,
  count: number,
  action: (element: Element, frame: number) => void,
): Promise<void> {
  const work = await measureFrames(area, count, action);
  expect(work, 'most work of one frame in ms').toBeLessThan(MAX_WORK_MS);
}

test.describe('Extraction table of 100 rows', () => {
  function manyCells(columns: number): TableView {
    const ids = Array.from({ length: 100 }, (_, n) => `row-${String(n)}`);
    const questions = Array.from({ length: columns }, (_, n) => ({
      id: `column-${String(n)}`,
      question: `Who is the keeper of part ${String(n)}, and since when?`,
    }));
    const words = 'Its keeper is Ada Berg, who has had it since 1998 and mends the sails in winter. ';
    return {
      head: tableHead({ columns: questions }),
      rows: ids.map((id) => ({ id, title: `${id}.md`, version: '1', input: 900, output: 80 })),
      cells: questions.flatMap(({ id: columnId, question }) =>
        ids.map((rowId) => answeredCell({ columnId, rowId }, question, words.repeat(2))),
      ),
    };
  }

  const countRowsInSight = (grid: Locator): Promise<number> =>
    grid.evaluate((element) => Math.ceil(element.clientHeight / 88) + 1);

  test('scrolls with little work per frame', async ({ page, show }) => {
    const { remote } = await show('tables', tableHost);
    remote.notify('changed', manyCells(10));
    const grid = page.getByRole('grid');
    await expect(grid.getByText('row-0.md')).toBeVisible();
    await expectSmooth(grid, 6, (element, frame) => {
      element.scrollTop += frame < 3 ? 200 : -200;
    });
    expect(await grid.getByRole('gridcell').count()).toBeLessThan(200);
  });

  test('moves with little work per frame in every direction', { tag: '@all' }, async ({ page, show }) => {
    const { remote } = await show('tables', tableHost);
    remote.notify('changed', manyCells(10));
    const grid = page.getByRole('grid');
    await expect(grid.getByText('row-0.md')).toBeVisible();
    await test.step('down', () =>
      expectSmooth(grid, 40, (element, frame) => {
        element.scrollTop += frame < 20 ? 200 : -200;
      }));
    await test.step('aside', () =>
      expectSmooth(grid, 20, (element, frame) => {
        element.scrollLeft += frame < 10 ? 100 : -100;
      }));
    await test.step('by jumps', () =>
      expectSmooth(grid, 20, (element, frame) => {
        element.scrollTop = (frame % 4) * 2_200;
      }));
    await test.step('by pages', () =>
      expectSmooth(grid, 20, (element, frame) => {
        const isBack = frame % 10 === 9;
        element.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: isBack ? 'ArrowUp' : 'PageDown',
            ctrlKey: isBack,
            bubbles: true,
          }),
        );
      }));
  });

  test('draws only the visible rows right after a jump', async ({ page, show }) => {
    const { remote } = await show('tables', tableHost);
    remote.notify('changed', manyCells(2));
    const grid = page.getByRole('grid');
    await expect(grid.getByText('row-0.md')).toBeVisible();
    const drawn = await grid.evaluate(async (element) => {
      element.scrollTop = 0;
      await new Promise(requestAnimationFrame);
      element.scrollTop = 5_000;
      await new Promise(requestAnimationFrame);
      return element.querySelectorAll('.row').length;
    });
    // The active row is drawn, too.
    expect(drawn).toBeLessThanOrEqual((await countRowsInSight(grid)) + 1);
    await expect.poll(() => grid.locator('.row').count()).toBeGreaterThan(drawn);
  });

  test('keeps the elements of its rows when it becomes lower', async ({ page, show }) => {
    const { remote } = await show('tables', tableHost);
    remote.notify('changed', manyCells(2));
    const grid = page.getByRole('grid');
    await expect(grid.getByText('row-0.md')).toBeVisible();
    const rowElements = grid.locator('.row');
    const inSight = await countRowsInSight(grid);
    await expect.poll(() => rowElements.count()).toBeGreaterThan(inSight + 1);
    const before = await rowElements.count();
    await grid.evaluate((element) => {
      for (const row of element.querySelectorAll('.row')) row.classList.add('known');
      element.style.flex = '0 0 300px';
    });
    await expect.poll(() => rowElements.count()).toBeLessThan(before);
    expect(await grid.locator('.row:not(.known)').count()).toBe(0);
  });
});

test.describe('Mind map of 5,000 headings', () => {
  test.beforeEach(async ({ page, show }) => {
    await show('maps', mapHost(manyHeadings(5_000)));
    await page.getByRole('button', { name: 'Expand All' }).click();
    await expect(page.getByRole('treeitem', { name: 'Heading 4 of' })).toBeVisible();
  });

  test('scrolls with little work per frame', async ({ page }) => {
    const tree = page.getByRole('tree');
    await expectSmooth(tree, 6, (element, frame) => {
      element.scrollTop += frame < 3 ? 400 : -400;
    });
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(300);
  });

  test('moves with little work per frame in every direction', { tag: '@all' }, async ({ page }) => {
    const tree = page.getByRole('tree');
    await test.step('down', () =>
      expectSmooth(tree, 40, (element, frame) => {
        element.scrollTop += frame < 20 ? 400 : -400;
      }));
    await test.step('aslant', () =>
      expectSmooth(tree, 30, (element, frame) => {
        element.scrollBy(frame % 20 < 10 ? 40 : -40, 150);
      }));
    await test.step('by jumps', () =>
      expectSmooth(tree, 20, (element, frame) => {
        element.scrollTop = (frame % 5) * 25_000;
      }));
    await test.step('by keys', () =>
      expectSmooth(tree, 30, (element) => {
        element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      }));
  });

  test('draws only the headings around the view', async ({ page }) => {
    const tree = page.getByRole('tree');
    await tree.evaluate((element) => {
      element.scrollTop = 24_000;
    });
    await expect(tree.getByRole('treeitem', { name: 'Heading 4 of' })).toHaveCount(0);
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(300);
  });
});
