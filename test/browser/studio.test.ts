import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { inEachTheme, readySource } from './notebook.ts';

const harbour = `# Harbour

A tide table is a list of the times at which the water is highest. The harbour was opened on 3 May 1998.

## Ships

Ballast refers to heavy material that keeps a ship upright. A ship with ballast stands in the storm.

A ship without ballast rolls in the storm.

| Ship | Length |
| --- | --- |
| Alba | 40 m |

### Sails

The sails of a ship are mended in winter.

## Trade

In 1883, the trade of grain began.
`;
const headings = Array.from(
  { length: 5_000 },
  (_, n) =>
    `${n % 50 === 0 ? '#' : n % 5 === 0 ? '##' : '###'} Heading ${String(n)}\n\nText of ${String(n)}.\n`,
).join('\n');

test.use({
  files: { 'harbour.md': harbour, 'long.md': headings, 'plain.txt': 'Nothing but a line of words here.\n' },
});

async function make(workbench: Workbench, thing: string, source = 'harbour.md'): Promise<void> {
  await workbench.menu(workbench.rows('Sources', source), 'Make…');
  await workbench.pick(thing);
}

function mapPage(workbench: Workbench): Promise<FrameLocator> {
  return workbench.webview('.map');
}

test.describe('of sources is made without a model', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  test('a glossary of the terms that they define', async ({ workbench }) => {
    const { editorLines } = workbench;
    await workbench.explorerMenu('harbour.md', 'Add to Notebook');
    await readySource(workbench, 'harbour.md');
    await workbench.run('Open Notebook: Make…');
    await expect(workbench.quickInput).toContainText('The terms that the sources define, in their own words');
    await workbench.screenshot('studio-choice');
    await workbench.pick('Glossary');
    await expect(workbench.tab('Glossary – harbour.md')).toBeVisible();
    await expect(editorLines.filter({ hasText: '**Ballast**' })).toBeVisible();
    await expect(editorLines.filter({ hasText: '**tide table**' })).toBeVisible();
    await workbench.screenshot('studio-glossary');
  });

  test('a glossary, whose changes are shown before they are kept, and which keeps what the user wrote', async ({
    workbench,
    workspace,
  }) => {
    const { page, editorLines } = workbench;
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\nMy own line.\n');
    await page.keyboard.press('ControlOrMeta+s');
    workspace.write('harbour.md', `${harbour}\nA quay is a wall that ships are tied to.\n`);
    const lens = page.locator('.codelens-decoration a', { hasText: 'Bring Up to Date' });
    await expect(lens).toBeVisible();
    await workbench.screenshot('studio-outdated');
    await lens.click();
    await expect(page.locator('.diff-editor, .monaco-diff-editor').first()).toBeVisible();
    await workbench.screenshot('studio-diff');
    await page.getByRole('button', { name: 'Keep the Change' }).click();
    await expect(editorLines.filter({ hasText: '**quay**' })).toBeVisible();
    // For a moment lines of before are drawn, too.
    await expect(editorLines.filter({ hasText: 'My own line.' })).toHaveCount(1);
    await expect(lens).toHaveCount(0);
    await workbench.run('View: Close All Editors');
  });

  for (const [thing, words] of [
    ['Timeline', '**1883** In 1883, the trade of grain began.'],
    ['Index', '**ballast**'],
    ['Tables', '| Alba | 40 m |'],
    ['Cloze Cards', '{{c1::Ballast}}'],
    ['Slides', 'marp: true'],
  ] as const)
    test(`${thing} as a note`, async ({ workbench }) => {
      const { editorLines } = workbench;
      await make(workbench, thing);
      await expect(workbench.tab(`${thing} – harbour.md`)).toBeVisible();
      await expect(editorLines.filter({ hasText: words }).first()).toBeVisible();
      await workbench.run('View: Close All Editors');
    });

  test('a mind map, whose nodes are folded, unfolded and searched by keys', async ({
    workbench,
    workspace,
  }) => {
    const { page } = workbench;
    await make(workbench, 'Mind Map');
    const map = await mapPage(workbench);
    const tree = map.getByRole('tree');
    await expect(tree.getByRole('treeitem', { name: 'Sails' })).toBeVisible();
    expect(await seriousProblems(map.locator('.map'), 'editor')).toEqual([]);
    await inEachTheme(workbench, workspace, [map], async (name) => {
      await workbench.screenshot(`studio-map-${name}`);
    });
    await tree.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect(tree.getByRole('treeitem')).toHaveCount(1);
    await page.keyboard.press('ArrowRight');
    await map.getByRole('searchbox').fill('sails');
    await map.getByRole('searchbox').press('Enter');
    await expect(tree.getByRole('treeitem', { name: 'Sails' })).toHaveClass(/active/);
  });

  test('a mind map, which is exported as SVG and opened as Markdown', async ({ workbench, workspace }) => {
    const { editorLines } = workbench;
    const map = await mapPage(workbench);
    await map.getByRole('button', { name: 'Export as SVG' }).click();
    const box = workbench.quickInput.locator('input').first();
    await expect(box).toHaveValue(/\.svg$/);
    await box.press('Enter');
    await expect(workbench.notification('.svg.')).toBeVisible();
    await map.getByRole('button', { name: 'Open as Markdown' }).click();
    await expect(editorLines.filter({ hasText: '  - Ships' }).first()).toBeVisible();
    await expect(editorLines.filter({ hasText: '    - Sails' }).first()).toBeVisible();
    await workbench.run('View: Revert and Close Editor');
    await workbench.tab('Mind Map – harbour').click();
    const svg = readdirSync(workspace.folder).find((name) => name.endsWith('.svg')) ?? '';
    expect(readFileSync(join(workspace.folder, svg), 'utf8')).toContain('Sails</text>');
  });

  test('a mind map, in which what is new is marked and what went is told, and whose nodes open their sections', async ({
    workbench,
    workspace,
  }) => {
    const now = readFileSync(join(workspace.folder, 'harbour.md'), 'utf8');
    workspace.write('harbour.md', now.replace('### Sails', '### Rigging'));
    const shown = await mapPage(workbench);
    await shown.getByRole('button', { name: 'Bring Up to Date' }).click();
    await expect(shown.locator('.since')).toHaveText('1 new, marked in the map. No longer there: Sails.');
    await expect(shown.getByRole('treeitem', { name: 'Rigging' })).toHaveClass(/fresh/);
    await workbench.screenshot('studio-map-changed');
    await shown.getByRole('treeitem', { name: 'Trade' }).click();
    await expect(workbench.tab('harbour.md')).toHaveClass(/active/);
    await expect(workbench.statusBarItem('Ln 19, Col 1')).toBeVisible();
    await workbench.run('View: Close All Editors');
  });

  test('a concept map, whose terms and lines open the words', async ({ workbench, workspace }) => {
    await make(workbench, 'Concept Map');
    const map = await mapPage(workbench);
    await expect(map.getByRole('treeitem', { name: 'ballast' }).first()).toBeVisible();
    const graph = map.getByRole('img', { name: 'Terms that stand together' });
    await expect(graph.locator('.term', { hasText: 'ballast' })).toBeVisible();
    expect(await seriousProblems(map.locator('.map'), 'editor')).toEqual([]);
    await inEachTheme(workbench, workspace, [map], async (name) => {
      await workbench.screenshot(`studio-concepts-${name}`);
    });
    await workbench.resize(620, 700);
    await workbench.screenshot('studio-concepts-narrow');
    await workbench.resize(1_400, 900);
    // A line opens the first sentence that holds both of its terms.
    await graph.locator('.line .hit').first().dispatchEvent('click');
    await expect(workbench.tab('harbour.md')).toHaveClass(/active/);
    await workbench.tab('Concept Map').click();
    const again = await mapPage(workbench);
    await again
      .getByRole('img', { name: 'Terms that stand together' })
      .locator('.term', { hasText: 'ballast' })
      .click();
    await expect(workbench.tab('harbour.md')).toHaveClass(/active/);
    await workbench.run('View: Close All Editors');
  });

  test('no mind map where a source has no headings, which is said', async ({ workbench }) => {
    await workbench.explorerMenu('plain.txt', 'Add to Notebook');
    await readySource(workbench, 'plain.txt');
    await make(workbench, 'Mind Map', 'plain.txt');
    await expect(workbench.notification('These sources have no headings')).toBeVisible();
  });

  test('a timeline of several that are selected together', async ({ workbench }) => {
    const { editorLines } = workbench;
    await workbench.rows('Sources', 'harbour.md').click();
    await workbench.rows('Sources', 'plain.txt').click({ modifiers: ['ControlOrMeta'] });
    await workbench.menu(workbench.rows('Sources', 'plain.txt'), 'Make…');
    await expect(workbench.quickInput).toContainText('Make of 2 Sources');
    await workbench.pick('Timeline');
    await expect(workbench.tab('Timeline')).toBeVisible();
    await expect(editorLines.filter({ hasText: 'Of the sources harbour.md' })).toContainText('plain.txt');
    await expect(editorLines.filter({ hasText: '**1883**' }).first()).toBeVisible();
    await workbench.run('View: Close All Editors');
  });

  test('a mind map of 5,000 headings, of which those around the view are drawn', async ({ workbench }) => {
    await workbench.explorerMenu('long.md', 'Add to Notebook');
    await readySource(workbench, 'long.md');
    await make(workbench, 'Mind Map', 'long.md');
    const map = await mapPage(workbench);
    await map.getByRole('button', { name: 'Unfold All' }).click();
    await expect(map.getByRole('treeitem', { name: 'Heading 4', exact: true })).toBeVisible();
    const tree = map.getByRole('tree');
    await tree.evaluate((element) => {
      element.scrollTop = 24_000;
    });
    await expect(map.getByRole('treeitem', { name: 'Heading 4', exact: true })).toHaveCount(0);
    // Of 5,000 nodes those around the view alone are drawn, wherever that is.
    expect(await tree.getByRole('treeitem').count()).toBeLessThan(300);
    await map.getByRole('button', { name: 'Fit (9)' }).click();
    await workbench.screenshot('studio-map-fit');
    await workbench.resize(620, 700);
    await workbench.screenshot('studio-narrow');
  });
});
