import { dragSideBar } from '../support/dragging.ts';
import { expect, test } from './fixtures.ts';
import { seriousProblems } from '../support/accessibility.ts';
import {
  addPage,
  answered,
  chatPanel,
  fixture,
  inEachTheme,
  readySource,
  setInWorkspace,
} from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

## Watering

| plant | litres | when |
|---|---|---|
| tomato | 2 | every second morning |
| basil | 1 | every evening |

Basil is planted between the tomatoes because it keeps the white fly away from their leaves.
`;

const code = `/** Litres that a bed of plants needs. */
export function litres(plants: number, dry: boolean): number {
  // A dry week doubles what the tomatoes drink.
  return plants * (dry ? 4 : 2);
}
`;

const row = '<td>a plant of the garden with a long name that needs room</td>'.repeat(8);

const page = `<!doctype html><html lang="en"><title>The long garden</title><main><h1>The long garden</h1>
<p>The garden is long, and <a href="https://plants.example/">its plants</a> are many more than can be named here; their
number is <math display="block"><semantics><mi>n</mi><annotation encoding="application/x-tex">${'n + 1 + '.repeat(40)} 2</annotation></semantics></math>
as far as anybody has counted them in the years since it was laid out behind the house.</p>
<pre><code class="language-ts">const plants = ${'"a plant", '.repeat(40)}; // all of them</code></pre>
<table><tr><th>one</th><th>two</th><th>3</th><th>4</th><th>5</th><th>6</th><th>7</th><th>8</th></tr><tr>${row}</tr></table></main></html>`;

const written = [
  '## Watering\n\n',
  'Tomatoes are watered every second morning [2]. ',
  // That is the wrong passage.
  'Basil keeps the **white fly** away from their leaves [1]. ',
  'Roses are pruned in winter. ',
  '\n\n- A dry week doubles what the tomatoes drink [1].\n\n',
  '```ts\nconst need = litres(6, true);\n```\n',
];

test.use({ files: { 'garden.md': garden, 'water.ts': code } });

test('answers, quotes and summaries look right in every theme, wide and narrow', async ({
  vscode,
  model,
  workspace,
}) => {
  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
  workspace.copy(fixture('report.pdf'), 'report.pdf');
  model.reply(() => written);
  const workbench = await vscode.open(workspace.folder);
  const panel = await chatPanel(workbench);
  const inThemes = (look: (name: string) => Promise<void>): Promise<void> =>
    inEachTheme(workbench, workspace, [panel], look);
  const isUsable = async (): Promise<void> => {
    expect.soft(await seriousProblems(panel.locator('body'), 'sideBar')).toEqual([]);
  };
  await inThemes(isUsable);

  await workbench.explorerMenu(['garden.md', 'water.ts', 'report.pdf'], 'Add to Notebook');
  for (const source of ['garden.md', 'water.ts', 'report.pdf']) await readySource(workbench, source);
  const answer = await answered(
    workbench,
    'How often are tomatoes watered, and how many litres in a dry week?',
  );
  await expect(answer.locator('.summary')).toContainText('found');
  await expect(answer.locator('.chip.moved')).toHaveAccessibleName(
    /garden\.md.*moved here from another passage/,
  );
  await inThemes(async (name) => {
    await workbench.screenshot(`looks-${name}-written`);
    await isUsable();
  });
  for (const width of [500, 240, 165]) {
    await dragSideBar(workbench, width);
    await expect(answer.getByRole('button', { name: 'Copy as Markdown' })).toBeInViewport();
    await inThemes((name) => workbench.screenshot(`looks-${name}-written-${String(width)}`));
  }
  await answer.getByRole('button', { name: 'More actions' }).press('Enter');
  await expect(answer.getByRole('button', { name: 'Fewer actions' })).toBeFocused();
  await answer.getByRole('button', { name: 'Good answer' }).press('Enter');
  await expect(answer.getByRole('button', { name: 'Good answer (chosen)' })).toBeFocused();
  await inThemes(async (name) => {
    await workbench.screenshot(`looks-${name}-written-more`);
    await isUsable();
  });
  await dragSideBar(workbench, 345);

  setInWorkspace(workspace, { 'openNotebook.model.name': '' });
  await expect(panel.getByRole('button', { name: 'Quotes only' })).toBeVisible();
  const quotes = await answered(workbench, 'How many litres do plants need in a dry week?');
  const chip = quotes.locator('.chip').first();
  await inThemes(async (name) => {
    await workbench.page.mouse.move(700, 300);
    await chip.hover();
    await expect(quotes.locator('.card mark').first()).toBeVisible();
    await workbench.screenshot(`looks-${name}-quotes`);
    await isUsable();
  });
  const summary = await answered(workbench, 'Summarize this');
  await expect(summary).toContainText('What 3 sources begin with, and their sections, in their own words:');
  await expect(summary.locator('figure.quote').first()).toBeVisible();
  await summary.locator('.question').scrollIntoViewIfNeeded();
  await inThemes(async (name) => {
    await workbench.screenshot(`looks-${name}-summary`);
    await isUsable();
  });
  await workbench.resize(600, 700);
  await workbench.page.mouse.move(550, 300);
  await expect(quotes.locator('.card')).toHaveCount(0);
  await inThemes((name) => workbench.screenshot(`looks-${name}-narrow`));
});

test('a page and a PDF look right in every theme', async ({ vscode, site, workspace }) => {
  workspace.copy(fixture('report.pdf'), 'report.pdf');
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu('report.pdf', 'Add to Notebook');
  await readySource(workbench, 'report.pdf');
  site.set({ '/garden': page });
  await addPage(workbench, `${site.url}/garden`);
  await (await readySource(workbench, 'The long garden')).click();
  const reading = await workbench.webview('main.page');
  await expect(reading.locator('.formula .katex-html')).toHaveCount(1);
  await inEachTheme(workbench, workspace, [reading], async (name) => {
    await workbench.screenshot(`looks-${name}-page`);
    expect.soft(await seriousProblems(reading.locator('main'), 'editor')).toEqual([]);
  });

  await workbench.rows('Sources', 'report.pdf').click();
  const pdf = await workbench.webview('[aria-label="PDF"]');
  await expect(pdf.locator('.textLayer').first()).toBeVisible();
  await inEachTheme(workbench, workspace, [pdf], (name) => workbench.screenshot(`looks-${name}-pdf`));
  await pdf.getByRole('button', { name: 'Find (Ctrl+F)' }).click();
  await pdf.getByLabel('Find in PDF').fill('the');
  await expect(pdf.locator('.textLayer .highlight.selected').first()).toBeVisible();
  const colours = pdf.getByRole('button', { name: 'Dark page colours (I)' });
  await inEachTheme(workbench, workspace, [pdf], async (name) => {
    const hasColours = await colours.isVisible();
    if (hasColours) await colours.click();
    await workbench.screenshot(`looks-${name}-pdf-find`);
    expect.soft(await seriousProblems(pdf.locator('body'), 'editor')).toEqual([]);
    if (hasColours) await colours.click();
  });
});
