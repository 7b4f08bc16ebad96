import type { BrowserContext } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

const pages = 1000;
const sections = 20;

/** A handbook of a thousand full pages: the first four are numbered in Roman, and every fiftieth begins a chapter. */
function handbook(): Uint8Array {
  const line =
    'Every valve is opened by hand, and what it lets through is written down at the end of the day.';
  return tinyPdf({
    title: 'Handbook of valves',
    pages: Array.from({ length: pages }, (_, index) => ({
      lines: column(72, 700, [
        `Valve number ${String(index + 1)} stands at the eastern channel.`,
        ...Array.from({ length: 40 }, (__, i) => `${String(i + 1)}. ${line}`),
      ]),
    })),
    labels: '0 << /S /r >> 4 << /S /D >>',
    outline: Array.from({ length: sections }, (_, index) => ({
      title: `Chapter ${String(index + 1)}`,
      page: index * (pages / sections),
      top: 720,
    })),
  });
}

/** What the browser holds in memory, in megabytes; undefined where the system does not tell. */
async function browserMemory(context: BrowserContext): Promise<number | undefined> {
  const session = await context.browser()?.newBrowserCDPSession();
  if (session === undefined || process.platform !== 'linux') return undefined;
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const kilobytes = processInfo.map(({ id }) => {
    try {
      const rollup = readFileSync(`/proc/${String(id)}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

test('a PDF of a thousand pages is walked through, searched, and asked about by its selected words', async ({
  vscode,
  workspace,
  context,
}) => {
  workspace.write('handbook.pdf', handbook());
  vscode.set({ 'workbench.editorAssociations': { '*.pdf': 'openNotebook.pdf' } });
  const workbench = await vscode.open(workspace.folder);
  await chatPanel(workbench);
  const before = await browserMemory(context);
  await workbench.openFile('handbook.pdf');
  const pdf = await workbench.webview('[aria-label="PDF"]');
  const toolbar = pdf.getByRole('toolbar', { name: 'PDF' });
  await expect(pdf.locator('.page[data-page-number="1"] canvas').first()).toBeVisible();
  const opened = await pdf.locator('body').evaluate(() => performance.now());
  await expect(toolbar).toContainText('(1 of 1,000)');

  const { keyboard } = workbench.page;
  await pdf.locator('.page').first().click();
  await keyboard.press('g');
  await expect(toolbar.getByLabel('Page', { exact: true })).toBeFocused();
  await keyboard.type('996');
  await keyboard.press('Enter');
  await expect(toolbar).toContainText('(1,000 of 1,000)');
  await expect(pdf.locator('.page[data-page-number="1000"] canvas').first()).toBeVisible();

  await toolbar.getByRole('button', { name: 'Outline (O)' }).click();
  const outline = pdf.getByRole('tree', { name: 'Outline' });
  await expect(outline.getByRole('treeitem')).toHaveCount(sections);
  await expect(outline.getByRole('treeitem', { name: 'Chapter 1', exact: true })).toBeFocused();
  for (let i = 0; i < 10; i++) await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(toolbar).toContainText('(501 of 1,000)');
  await expect(pdf.locator('.page[data-page-number="501"] canvas').first()).toBeVisible();
  await workbench.screenshot('pdf-outline');

  await keyboard.press('ControlOrMeta+f');
  await pdf.getByLabel('Find in PDF').fill('valve number 77');
  await expect(pdf.getByRole('status')).toHaveText(/ of 11$/, { timeout: 30_000 });
  await keyboard.press('Enter');
  await expect(pdf.locator('.textLayer .highlight.selected').first()).toBeVisible();
  await expect(toolbar).toBeInViewport({ ratio: 0.9 });
  await workbench.screenshot('pdf-find');
  const after = await browserMemory(context);
  expect(await pdf.locator('.page canvas').count()).toBeLessThan(30);
  const grown = before === undefined || after === undefined ? undefined : after - before;
  console.log(
    `${String(pages)} pages: first page seen ${opened.toFixed(0)} ms after the viewer began to load; ` +
      `the browser grew by ${grown?.toFixed(0) ?? '?'} MB.`,
  );
  if (grown !== undefined) expect(grown).toBeLessThan(600);

  // The match that was shown stays selected.
  await keyboard.press('Escape');
  const selection = pdf.getByRole('toolbar', { name: 'Selection' });
  await expect(selection).toBeVisible();
  await workbench.screenshot('pdf-selection');
  await selection.getByRole('button', { name: 'Add Selection' }).click();
  await expect(workbench.notification('Added the selection as handbook.pdf, p. 7')).toBeVisible();
  await readySource(workbench, /handbook\.pdf, p\. 7/);
  await pdf.locator('.container').focus();
  await keyboard.press('q');
  await workbench.fill('What is this?');
  const panel = await chatPanel(workbench);
  await expect(panel.locator('article.turn .question').last()).toContainText(/Valve number 77/i);
});

test('all citations of an answer are marked in a PDF, and more like one is found', async ({
  vscode,
  workspace,
}) => {
  const text = (fact: string): { lines: ReturnType<typeof column> } => ({
    lines: column(72, 700, [fact, 'This page says nothing else of it.']),
  });
  workspace.write(
    'orchard.pdf',
    tinyPdf({
      pages: [
        text('Apples are watered from May to August by the eastern channel.'),
        text('The gate of the orchard is painted green.'),
        text('Cherries are watered in June by the western channel.'),
      ],
    }),
  );
  workspace.write(
    'rules.md',
    '# Rules\n\nMembers meet in spring.\n\nThe eastern channel waters the apples from May to August.\n',
  );
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu(['orchard.pdf', 'rules.md'], 'Add to Notebook');
  await readySource(workbench, 'orchard.pdf');
  await readySource(workbench, 'rules.md');
  const turn = await answered(workbench, 'When are apples and cherries in orchard.pdf watered?');
  const apples = turn.locator('figure.quote', { hasText: 'Apples are watered' });
  const chip = apples.locator('.chip');
  await chip.click();
  const pdf = await workbench.webview('[aria-label="PDF"]');
  const toolbar = pdf.getByRole('toolbar', { name: 'PDF' });
  await expect(toolbar).toContainText('Citation 1 of 2');
  await expect(pdf.locator('.side')).toBeHidden();
  await expect(pdf.locator('.page[data-page-number="1"] .mark.current').first()).toBeVisible();
  await workbench.screenshot('pdf-citations');
  await toolbar.getByRole('button', { name: 'Next citation' }).click();
  await expect(toolbar).toContainText('Citation 2 of 2');
  await expect(pdf.locator('.page[data-page-number="3"] .mark.current').first()).toBeVisible();
  await workbench.page.keyboard.press('p');
  await expect(toolbar).toContainText('Citation 1 of 2');

  await expect(async () => {
    await workbench.page.mouse.move(700, 20);
    await chip.hover();
    await expect(apples.locator('.card mark').first()).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await workbench.screenshot('citation-card');
  await apples.getByRole('button', { name: 'Find more like this' }).click();
  const panel = await chatPanel(workbench);
  const more = panel.locator('article.turn').last();
  await expect(more.locator('.question')).toContainText('More like “Apples are watered');
  await expect(more).toContainText('Much the same, from 1 source');
  await expect(more.locator('figure.quote')).toContainText('The eastern channel waters the apples');
  await expect(apples.locator('.card')).toHaveCount(0);
  await workbench.screenshot('more-like-this');
});
