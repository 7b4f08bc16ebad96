import type { Locator, Page } from '@playwright/test';
import type { MapNode } from '../../src/core/domain/artifact.ts';
import { expect, lookInEachTheme, screenshot, test } from './fixtures.ts';
import { manyHeadings, mapHost, mapView } from './map-host.ts';

const place = (start: number): MapNode['place'] => ({ documentId: 1, start, end: start + 5 });

const harbor: readonly MapNode[] = [
  { title: 'Harbor', depth: 0, place: place(0) },
  { title: 'Ships', depth: 1, place: place(10) },
  { title: 'Sails', depth: 2, place: place(20) },
  { title: 'Trade', depth: 1, place: place(30) },
];

const node = (page: Page, name: string): Locator => page.getByRole('treeitem', { name, exact: true });

test.describe('Mind map', () => {
  test('shows all headings of a short source', async ({ page, show }) => {
    const shown = await show('maps', mapHost(mapView('mindMap', harbor)));
    await expect(page.getByRole('treeitem')).toHaveText(['Harbor', 'Ships', 'Sails', 'Trade']);
    await expect(page.locator('header .of')).toHaveText('One source');
    await lookInEachTheme(page, shown, 'mind-map');
  });

  test('folds and unfolds headings', async ({ page, show }) => {
    await show('maps', mapHost(mapView('mindMap', harbor)));
    const tree = page.getByRole('tree');
    await tree.press('Home');
    await tree.press('ArrowLeft');
    await expect(page.getByRole('treeitem')).toHaveText(['Harbor']);
    await tree.press('ArrowRight');
    await expect(page.getByRole('treeitem')).toHaveCount(4);
    await page.getByRole('button', { name: 'Collapse All', exact: true }).click();
    await expect(page.getByRole('treeitem')).toHaveText(['Harbor']);
    await page.getByRole('button', { name: 'Expand All' }).click();
    await expect(page.getByRole('treeitem')).toHaveCount(4);
  });

  test('goes to a heading that a search finds, even in a folded branch', async ({ page, show }) => {
    await show('maps', mapHost(mapView('mindMap', harbor)));
    await page.getByRole('button', { name: 'Collapse All', exact: true }).click();
    await page.getByRole('searchbox').fill('sails');
    await page.getByRole('searchbox').press('Enter');
    await expect(node(page, 'Sails')).toHaveClass(/active/);
    await expect(page.getByRole('toolbar').getByRole('status')).toHaveText('1 found');
  });

  test('opens the section of a heading', async ({ page, show }) => {
    const { callsOf } = await show('maps', mapHost(mapView('mindMap', harbor)));
    await node(page, 'Trade').click();
    await node(page, 'Ships').click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('tree').press('Enter');
    await expect
      .poll(() => callsOf('open'))
      .toEqual([
        { place: place(30), beside: false },
        { place: place(10), beside: true },
        { place: place(10), beside: false },
      ]);
  });

  test('exports all headings as SVG and Markdown', async ({ page, show }) => {
    const { callsOf } = await show('maps', mapHost(mapView('mindMap', harbor)));
    await page.getByRole('button', { name: 'Export as SVG' }).click();
    await expect.poll(() => callsOf('saveSvg')[0]?.svg).toContain('Sails</text>');
    await page.getByRole('button', { name: 'Open as Markdown' }).click();
    await expect.poll(() => callsOf('openMarkdown')).toHaveLength(1);
  });

  test('stores its state in the form that earlier versions restore', async ({ page, show }) => {
    await show('maps', mapHost(mapView('mindMap', harbor)));
    await expect(node(page, 'Trade')).toBeVisible();
    const state = await page.evaluate(() => sessionStorage.getItem('state of the page') ?? '');
    expect(JSON.parse(state)).toEqual({ thing: 'mindMap', notebook: '' });
  });

  test('marks new headings and lists removed ones after an update', async ({ page, show }) => {
    const changed = harbor.map((one) => (one.title === 'Sails' ? { ...one, title: 'Rigging' } : one));
    const { remote } = await show('maps', mapHost(mapView('mindMap', harbor), mapView('mindMap', changed)));
    remote.notify('changed', { difference: { added: 0, changed: 1, removed: 0 } });
    await expect(page.locator('header .changed')).toContainText('Out of date. Sources: 1 changed');
    await page.getByRole('button', { name: 'Update from Sources' }).click();
    await expect(page.locator('.since')).toHaveText('1 new, highlighted in the map. Removed: Sails.');
    await expect(node(page, 'Rigging')).toHaveClass(/fresh/);
    await expect(node(page, 'Trade')).not.toHaveClass(/fresh/);
    await expect(page.locator('header .changed')).toHaveCount(0);
  });

  test('zooms by keys in wide and narrow windows', async ({ page, show }) => {
    await page.setViewportSize({ width: 320, height: 600 });
    await show('maps', mapHost(manyHeadings(500)));
    await page.getByRole('button', { name: 'Expand All' }).click();
    const tree = page.getByRole('tree');
    const width = async (): Promise<number> =>
      (await tree.getByRole('treeitem').first().boundingBox())?.width ?? 0;
    const usual = await width();
    for (const [key, scale] of [
      ['0', 1],
      ['+', 1.25],
      ['9', 0.25],
    ] as const) {
      await tree.press(key);
      await expect.poll(async () => Math.abs((await width()) - usual * scale)).toBeLessThan(1);
    }
    const overflow = await page.evaluate(() => document.body.scrollWidth - document.body.clientWidth);
    expect(overflow).toBe(0);
    await screenshot(page, 'mind-map-narrow');
    await tree.press('0');
    await expect.poll(async () => Math.abs((await width()) - usual)).toBeLessThan(1);
  });

  test('shows two levels in a window of 260 pixels', async ({ page, show }) => {
    await page.setViewportSize({ width: 260, height: 600 });
    await show('maps', mapHost(mapView('mindMap', harbor)));
    const items = page.getByRole('treeitem');
    await expect(items).toHaveText(['Harbor', 'Ships', 'Sails', 'Trade']);
    for (const item of await items.all()) {
      const box = await item.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(260);
    }
    const isScrolled = await page.getByRole('tree').evaluate((tree) => tree.scrollWidth > tree.clientWidth);
    expect(isScrolled).toBe(false);
  });
});

test.describe('Concept map', () => {
  const terms = ['ballast', 'ship', 'storm'];
  const concepts = mapView(
    'conceptMap',
    terms.flatMap((title, n) => [
      { title, depth: 0, place: place(100 * n) },
      { title: terms[(n + 1) % terms.length] ?? '', depth: 1, place: place(100 * n + 50) },
    ]),
  );

  test('shows its terms as a list and as a graph', async ({ page, show }) => {
    const shown = await show('maps', mapHost(concepts));
    await expect(node(page, 'ballast').first()).toBeVisible();
    const graph = page.getByRole('img', { name: 'Graph of terms that appear together.' });
    await expect(graph.locator('.term', { hasText: 'ballast' })).toBeVisible();
    await lookInEachTheme(page, shown, 'concept-map');
    await page.setViewportSize({ width: 320, height: 600 });
    await screenshot(page, 'concept-map-narrow');
    const overflow = await page.evaluate(() => document.body.scrollWidth - document.body.clientWidth);
    expect(overflow).toBe(0);
  });

  test('opens the cited text of a term and of a connection', async ({ page, show }) => {
    const { callsOf } = await show('maps', mapHost(concepts));
    const graph = page.getByRole('img', { name: 'Graph of terms that appear together.' });
    await graph.locator('.term', { hasText: 'ship' }).click();
    // A line opens the first sentence that contains both of its terms.
    await graph.locator('.line .hit').first().dispatchEvent('click');
    await expect
      .poll(() => callsOf('open'))
      .toEqual([
        { place: place(100), beside: false },
        { place: place(50), beside: false },
      ]);
  });
});

test.describe('Relations of a concept map', () => {
  const related = mapView('conceptMap', [
    { title: 'ship', depth: 0, place: place(0) },
    {
      ...{ title: 'ballast', depth: 1, place: place(10), quote: 'ship is steadied by ballast' },
      relation: { words: 'is steadied by', isReversed: false },
    },
    {
      ...{ title: 'storm', depth: 1, place: place(20), quote: 'storm in winter endangers each ship' },
      relation: { words: 'endangers', isReversed: true },
    },
  ]);

  test('have names in the list for screen readers', async ({ page, show }) => {
    await show('maps', mapHost(related));
    await expect(node(page, 'ship is steadied by ballast')).toHaveText('is steadied byballast');
    await expect(node(page, 'storm endangers ship')).toHaveText('stormendangers ship');
    await expect(node(page, 'storm endangers ship')).toHaveAttribute('title', /\nstorm in winter/);
  });

  test('are beside the lines of a wide graph, and above all else on the line under the pointer', async ({
    page,
    show,
  }) => {
    await page.setViewportSize({ width: 1_400, height: 900 });
    await show('maps', mapHost(related));
    const labels = page.locator('.graph .relation');
    await expect(labels.filter({ hasText: 'endangers' })).toHaveCount(1);
    await page.setViewportSize({ width: 260, height: 600 });
    const line = page.locator('.line').nth(1);
    await line.dispatchEvent('pointerenter');
    await expect(labels.filter({ hasText: 'endangers' })).toBeVisible();
    await expect(line.locator('title')).toContainText('storm endangers ship');
  });
});

test.describe('Graph of a concept map', () => {
  const terms = Array.from({ length: 30 }, (_, n) => `term ${String(n)}`);
  const many = mapView(
    'conceptMap',
    terms.flatMap((title, n) => [
      { title, depth: 0, place: place(n) },
      ...[1, 2].map((step) => ({ title: terms[(n + step) % 30] ?? '', depth: 1, place: place(n) })),
    ]),
  );
  const firstTerm = (page: Page): Locator => page.locator('.term rect').first();
  const width = async (page: Page): Promise<number> => (await firstTerm(page).boundingBox())?.width ?? 0;

  test.use({ viewport: { width: 1_400, height: 900 } });

  test('zooms by keys and tools', async ({ page, show }) => {
    await show('maps', mapHost(many));
    const graph = page.getByRole('group', { name: 'Graph' });
    await expect(firstTerm(page)).toBeVisible();
    const usual = await width(page);
    const isZoomed = (scale: number) => async (): Promise<boolean> =>
      Math.abs((await width(page)) - usual * scale) <= 2;
    for (const [key, scale] of [
      ['+', 1.25],
      ['+', 1.5625],
      ['9', 1],
      ['-', 0.8],
      ['0', 1],
    ] as const) {
      await graph.press(key);
      await expect.poll(isZoomed(scale)).toBe(true);
    }
    await page.getByRole('button', { name: 'Zoom In (+)' }).click();
    await expect.poll(isZoomed(1.25)).toBe(true);
  });

  test('keeps the point under the pointer in place when the wheel zooms', async ({ page, show }) => {
    await show('maps', mapHost(many));
    const graph = page.getByRole('group', { name: 'Graph' });
    await expect(firstTerm(page)).toBeVisible();
    await graph.press('+');
    const list = page.getByRole('treeitem').first();
    const listWidth = (await list.boundingBox())?.width;
    const area = await graph.boundingBox();
    const before = await firstTerm(page).boundingBox();
    if (area === null || before === null) throw new Error('The graph is not drawn.');
    const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
    await page.mouse.move(x, y);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
    await expect.poll(() => width(page)).toBeGreaterThan(before.width * 1.2);
    const after = await firstTerm(page).boundingBox();
    if (after === null) throw new Error('The graph is not drawn.');
    const scale = after.width / before.width;
    expect(Math.abs(after.x - x - (before.x - x) * scale)).toBeLessThan(4);
    expect(Math.abs(after.y - y - (before.y - y) * scale)).toBeLessThan(4);
    expect((await list.boundingBox())?.width).toBe(listWidth);
  });
});
