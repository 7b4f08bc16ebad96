import { dragSideBar } from '../support/dragging.ts';
import { expect, test, themes } from './fixtures.ts';
import { seriousProblems } from './accessibility.ts';
import { addPage, answered, chatPanel, fixture, readySource } from './notebook.ts';

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

for (const [name, theme] of Object.entries(themes))
  test.describe(name, () => {
    test.use({
      files: { 'garden.md': garden, 'water.ts': code },
      settings: { 'workbench.colorTheme': theme },
    });

    test('answers, quotes and citations look right', async ({ vscode, model, site, workspace }) => {
      test.setTimeout(180_000);
      vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
      workspace.copy(fixture('report.pdf'), 'report.pdf');
      model.reply(() => written);
      const workbench = await vscode.open(workspace.folder);
      const panel = await chatPanel(workbench);
      expect.soft(await seriousProblems(panel.locator('body'), 'sideBar')).toEqual([]);
      await workbench.explorerMenu(['garden.md', 'water.ts', 'report.pdf'], 'Add to Notebook');
      for (const source of ['garden.md', 'water.ts', 'report.pdf']) await readySource(workbench, source);
      let turn = await answered(
        workbench,
        'How often are tomatoes watered, and how many litres in a dry week?',
      );
      await expect(turn.locator('.summary')).toContainText('found');
      await expect(turn.locator('.chip.moved')).toHaveAccessibleName(
        /garden\.md.*moved here from another passage/,
      );
      await workbench.screenshot(`looks-${name}-written`);
      expect.soft(await seriousProblems(turn, 'sideBar')).toEqual([]);
      for (const width of [500, 240, 165]) {
        await dragSideBar(workbench, width);
        await expect(turn.getByRole('button', { name: 'Copy as Markdown' })).toBeInViewport();
        await workbench.screenshot(`looks-${name}-written-${String(width)}`);
      }
      await turn.getByRole('button', { name: 'More actions' }).press('Enter');
      await expect(turn.getByRole('button', { name: 'Fewer actions' })).toBeFocused();
      await turn.getByRole('button', { name: 'Good answer' }).press('Enter');
      await expect(turn.getByRole('button', { name: 'Good answer (chosen)' })).toBeFocused();
      await workbench.screenshot(`looks-${name}-written-more`);
      expect.soft(await seriousProblems(turn, 'sideBar')).toEqual([]);
      await dragSideBar(workbench, 345);

      workspace.write('.vscode/settings.json', JSON.stringify({ 'openNotebook.model.name': '' }));
      await expect((await chatPanel(workbench)).getByRole('button', { name: 'Quotes only' })).toBeVisible();
      turn = await answered(workbench, 'How many litres do plants need in a dry week?');
      await turn.locator('.chip').first().hover();
      await expect(turn.locator('.card mark').first()).toBeVisible();
      await workbench.screenshot(`looks-${name}-quotes`);
      expect.soft(await seriousProblems(turn, 'sideBar')).toEqual([]);
      const summary = await answered(workbench, 'Summarize this');
      await expect(summary).toContainText(
        'What 3 sources begin with, and their sections, in their own words:',
      );
      await expect(summary.locator('figure.quote').first()).toBeVisible();
      await summary.locator('.question').scrollIntoViewIfNeeded();
      await workbench.screenshot(`looks-${name}-summary`);
      expect.soft(await seriousProblems(summary, 'sideBar')).toEqual([]);
      await workbench.resize(600, 700);
      await workbench.page.mouse.move(550, 300);
      await expect(turn.locator('.card')).toHaveCount(0);
      await workbench.screenshot(`looks-${name}-narrow`);

      await workbench.resize(1400, 900);
      site.set({ '/garden': page });
      await addPage(workbench, `${site.url}/garden`);
      await (await readySource(workbench, 'The long garden')).click();
      const reading = await workbench.webview('main.page');
      await expect(reading.locator('.formula .katex-html')).toHaveCount(1);
      await workbench.screenshot(`looks-${name}-page`);
      expect.soft(await seriousProblems(reading.locator('main'), 'editor')).toEqual([]);
      await workbench.rows('Sources', 'report.pdf').click();
      const pdf = await workbench.webview('[aria-label="PDF"]');
      await expect(pdf.locator('.textLayer').first()).toBeVisible();
      await workbench.screenshot(`looks-${name}-pdf`);
      await pdf.getByRole('button', { name: 'Find (Ctrl+F)' }).click();
      await pdf.getByLabel('Find in PDF').fill('the');
      await expect(pdf.locator('.textLayer .highlight.selected').first()).toBeVisible();
      const colours = pdf.getByRole('button', { name: 'Dark page colours (I)' });
      if (await colours.isVisible()) await colours.click();
      await workbench.screenshot(`looks-${name}-pdf-find`);
      expect.soft(await seriousProblems(pdf.locator('body'), 'editor')).toEqual([]);
    });
  });
