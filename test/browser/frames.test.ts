import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { MatrixPageApi } from '../../src/messages/matrix.ts';
import type { Params } from '../../src/messages/rpc.ts';
import type { MapView } from '../../src/messages/studio.ts';
import { measureFrames, showView, type Frames } from '../support/shown-views.ts';
import { expect, test } from './fixtures.ts';

/** A map of headings on three levels. */
function makeMap(count: number): MapView {
  const nodes = Array.from({ length: count }, (_, n) => ({
    title: `Heading ${String(n)} of the harbour and its ships`,
    depth: n % 50 === 0 ? 0 : n % 5 === 0 ? 1 : 2,
    place: { documentId: 1, start: n, end: n + 1 },
  }));
  return {
    ...{ thing: 'mindMap', sourceIds: undefined, notebook: '', title: 'Mind Map', of: 'One source' },
    map: { nodes, omitted: 0, madeOf: [] },
  };
}

/** A concept map of terms, each with two others. */
function makeConceptMap(count: number): MapView {
  const terms = Array.from({ length: count }, (_, n) => `term ${String(n)}`);
  const place = { documentId: 1, start: 0, end: 1 };
  const nodes = terms.flatMap((title, n) => [
    { title, depth: 0, place },
    ...[1, 2].map((step) => ({ title: terms[(n + step) % count] ?? '', depth: 1, place })),
  ]);
  return {
    ...{ thing: 'conceptMap', sourceIds: undefined, notebook: '', title: 'Concept Map', of: 'One source' },
    map: { nodes, omitted: 0, madeOf: [] },
  };
}

/** What a matrix of so many rows and columns is told as, all of whose cells are answered. */
function makeMatrix(rows: number, columns: number): Params<MatrixPageApi['changed']> {
  const ids = Array.from({ length: rows }, (_, n) => `row-${String(n)}`);
  const questions = Array.from({ length: columns }, (_, n) => ({
    id: `column-${String(n)}`,
    question: `Who is the keeper of part ${String(n)}, and since when?`,
  }));
  const said = 'Its keeper is Ada Berg, who has had it since 1998 and mends the sails in winter. ';
  return {
    head: {
      ...{ title: 'Matrix', columns: questions, omitted: 0, model: undefined, usage: undefined },
      ...{ isFilling: false, stopped: undefined },
    },
    rows: ids.map((id) => ({ id, title: `${id}.md`, version: '1', input: 900, output: 80 })),
    cells: questions.flatMap(({ id: columnId, question }) =>
      ids.map((rowId) => ({
        ...{ columnId, rowId, rowTitle: rowId, asked: question, version: '1', edited: undefined },
        ...{ was: undefined, failure: undefined, state: 'resting' as const, isNothing: false },
        pieces: [1, 2].map((n) => ({ text: said, verdict: 'supported' as const, citations: [n - 1] })),
        citations: [1, 2].map((n) => ({ place: `p. ${String(n)}`, quote: said, title: rowId })),
      })),
    ),
  };
}

function tell(what: string, { middle, most, mostWork }: Frames): void {
  const [usual, longest, work] = [middle, most, mostWork].map((time) => time.toFixed(1));
  console.log(
    `${what}: frames in ms: ${usual ?? ''} in the middle, ${longest ?? ''} at most; work of one at most ${work ?? ''}`,
  );
}

/** Tells what frames took, none of which may be more work than this, in milliseconds of the processor. */
const MOST_WORK = 50;
function expectSmooth(what: string, frames: Frames): void {
  tell(what, frames);
  expect(frames.mostWork, `${what}: work of one frame in ms`).toBeLessThan(MOST_WORK);
}

/** Shows a page of the extension in a page of its own, as large as most windows. */
async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1_400, height: 900 });
  return page;
}

test.describe('a matrix of 1,000 cells', () => {
  /** Shows it, and resolves to its grid. */
  async function showMatrix(context: BrowserContext): Promise<Locator> {
    const page = await openPage(context);
    await showView(page, 'matrix', {
      replies: { ready: { matrix: 'm', notebook: '' } },
      told: [{ method: 'changed', params: makeMatrix(100, 10) }],
    });
    const grid = page.getByRole('grid');
    await expect(grid.getByText('row-0.md')).toBeVisible();
    return grid;
  }

  const rowsInSight = (grid: Locator): Promise<number> =>
    grid.evaluate((element) => Math.ceil(element.clientHeight / 88) + 1);

  test('is scrolled, jumped and paged through in frames of little work', async ({ context }) => {
    const grid = await showMatrix(context);
    expectSmooth(
      'a matrix scrolled down',
      await measureFrames(grid, 80, (element, turn) => {
        element.scrollTop += turn < 40 ? 200 : -200;
      }),
    );
    expectSmooth(
      'a matrix scrolled aside',
      await measureFrames(grid, 40, (element, turn) => {
        element.scrollLeft += turn < 20 ? 100 : -100;
      }),
    );
    expectSmooth(
      'a matrix jumped through',
      await measureFrames(grid, 40, (element, turn) => {
        element.scrollTop = (turn % 4) * 2_200;
      }),
    );
    expectSmooth(
      'a matrix gone through by pages',
      await measureFrames(grid, 40, (element, turn) => {
        const isBack = turn % 10 === 9;
        element.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: isBack ? 'ArrowUp' : 'PageDown',
            ctrlKey: isBack,
            bubbles: true,
          }),
        );
      }),
    );
    tell(
      'a matrix gone through from end to end',
      await measureFrames(grid, 40, (element, turn) => {
        element.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: turn % 2 === 0 ? 'End' : 'Home',
            ctrlKey: true,
            bubbles: true,
          }),
        );
      }),
    );
    tell(
      'a matrix sorted',
      await measureFrames(grid, 40, (element) => {
        element.querySelector<HTMLElement>('.head .title .words')?.click();
      }),
    );
    expect(await grid.getByRole('gridcell').count()).toBeLessThan(200);
  });

  test('draws what is in sight alone after a jump, and what is around it at rest', async ({ context }) => {
    const grid = await showMatrix(context);
    const rows = grid.locator('.row');
    const drawn = await grid.evaluate(async (element) => {
      element.scrollTop = 0;
      await new Promise(requestAnimationFrame);
      element.scrollTop = 5_000;
      await new Promise(requestAnimationFrame);
      return element.querySelectorAll('.row').length;
    });
    // The active row is drawn, too.
    expect(drawn).toBeLessThanOrEqual((await rowsInSight(grid)) + 1);
    await expect.poll(() => rows.count()).toBeGreaterThan(drawn);
  });

  test('keeps the elements of its rows when it becomes lower', async ({ context }) => {
    const grid = await showMatrix(context);
    const rows = grid.locator('.row');
    // What is around it is drawn once it has come to rest.
    const inSight = await rowsInSight(grid);
    await expect.poll(() => rows.count()).toBeGreaterThan(inSight + 1);
    const before = await rows.count();
    await grid.evaluate((element) => {
      for (const row of element.querySelectorAll('.row')) row.classList.add('known');
      element.style.flex = '0 0 300px';
    });
    await expect.poll(() => rows.count()).toBeLessThan(before);
    expect(await grid.locator('.row:not(.known)').count()).toBe(0);
  });
});

test.describe('a map of 5,000 headings', () => {
  /** Shows it unfolded, and resolves to its tree. */
  async function showMap(context: BrowserContext): Promise<Locator> {
    const page = await openPage(context);
    await showView(page, 'studio', { replies: { ready: makeMap(5_000) }, told: [] });
    const tree = page.getByRole('tree');
    await page.getByRole('button', { name: 'Unfold All' }).click();
    await expect(tree.getByRole('treeitem', { name: 'Heading 4 of' })).toBeVisible();
    return tree;
  }

  test('is scrolled, moved, jumped and gone through in frames of little work', async ({ context }) => {
    const tree = await showMap(context);
    expectSmooth(
      'a map scrolled down',
      await measureFrames(tree, 80, (element, turn) => {
        element.scrollTop += turn < 40 ? 400 : -400;
      }),
    );
    expectSmooth(
      'a map moved aslant',
      await measureFrames(tree, 60, (element, turn) => {
        element.scrollBy(turn % 20 < 10 ? 40 : -40, 150);
      }),
    );
    expectSmooth(
      'a map jumped through',
      await measureFrames(tree, 40, (element, turn) => {
        element.scrollTop = (turn % 5) * 25_000;
      }),
    );
    tell(
      'a map made smaller and larger',
      await measureFrames(tree, 60, (element, turn) => {
        const [x, y] = [element.clientWidth / 2, element.clientHeight / 2];
        const deltaY = turn % 30 < 15 ? 40 : -40;
        element.dispatchEvent(
          new WheelEvent('wheel', {
            deltaY,
            ctrlKey: true,
            clientX: x,
            clientY: y + 100,
            bubbles: true,
            cancelable: true,
          }),
        );
      }),
    );
    expectSmooth(
      'a map gone through by keys',
      await measureFrames(tree, 60, (element) => {
        element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      }),
    );
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(300);
  });

  test('is made larger and smaller by keys, and draws what is in sight alone', async ({ context }) => {
    const tree = await showMap(context);
    await tree.focus();
    const width = async (): Promise<number> =>
      Math.round((await tree.getByRole('treeitem').nth(30).boundingBox())?.width ?? 0);
    for (const [key, expected] of [
      ['0', 224],
      ['+', 280],
      ['9', 56],
      ['0', 224],
    ] as const) {
      await tree.press(key);
      await expect.poll(width).toBe(expected);
      expect(await tree.getByRole('treeitem').count()).toBeLessThan(900);
    }
  });
});

test('the graph of a concept map is made larger and smaller by keys, tools and the wheel, and fits', async ({
  context,
}) => {
  const page = await openPage(context);
  await showView(page, 'studio', { replies: { ready: makeConceptMap(30) }, told: [] });
  const graph = page.getByRole('group', { name: 'Graph' });
  // Its words are as wide as the letters of each size are.
  const term = graph.locator('.term rect').first();
  const width = async (): Promise<number> => Math.round((await term.boundingBox())?.width ?? 0);
  await expect(term).toBeVisible();
  const usual = await width();
  const list = page.getByRole('treeitem').first();
  const row = (await list.boundingBox())?.width;
  await graph.focus();
  for (const [key, scale] of [
    ['+', 1.25],
    ['+', 1.5625],
    ['9', 1],
    ['-', 0.8],
    ['0', 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(async () => Math.abs((await width()) - usual * scale) <= 2).toBe(true);
  }
  await page.getByRole('button', { name: 'Zoom In (+)' }).click();
  await expect.poll(async () => Math.abs((await width()) - usual * 1.25) <= 2).toBe(true);
  // What is under the pointer stays there, and the list beside it is as it was.
  const area = await graph.boundingBox();
  const before = await term.boundingBox();
  if (area === null || before === null) throw new Error('The graph is not drawn.');
  const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  await expect.poll(width).toBeGreaterThan(Math.round(usual * 1.5));
  const after = await term.boundingBox();
  if (after === null) throw new Error('The graph is not drawn.');
  const grown = after.width / before.width;
  expect(Math.abs(after.x - x - (before.x - x) * grown)).toBeLessThan(4);
  expect(Math.abs(after.y - y - (before.y - y) * grown)).toBeLessThan(4);
  expect((await list.boundingBox())?.width).toBe(row);
});
