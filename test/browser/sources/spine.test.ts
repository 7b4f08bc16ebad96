import { join } from 'node:path';
import { root } from '../../support/paths.mjs';
import { expect, test } from '../fixtures.ts';
import { addPage, answered, chatPanel, fixture, findTurn, readySource, startOver } from '../notebook.ts';
import { sourcesWindow } from '../shared-windows.ts';

const page = `<!doctype html><html lang="en"><head><title>Keeping bees in winter</title>
<meta name="author" content="Ada Brandt"><meta property="article:published_time" content="2024-03-05T08:00:00Z"></head><body>
<nav><a href="/">Home</a></nav><main><article><h1>Keeping bees in winter</h1>
<p>Bees gather in a tight cluster when the air falls below ten degrees, and they stay in it until spring comes back.</p>
<h2>Feeding</h2>
<p>A colony needs about fifteen kilograms of honey to survive the winter, so the keeper leaves the upper frames untouched.</p>
<p>Sugar fondant is laid above the cluster in January, never syrup, because syrup chills the hive.</p>
</article></main></body></html>`;

test.use(sourcesWindow);

test('a folder, a PDF, and a web page are cited, and kept after a reload', async ({
  workbench,
  workspace,
  site,
}) => {
  await startOver(workbench, 'Bees');
  workspace.copy(join(root, 'src', 'features', 'models', 'editor'), 'src');
  workspace.copy(fixture('report.pdf'), 'report.pdf');
  site.set({ '/bees': page });

  await workbench.explorerMenu('src', 'Add to Notebook');
  await workbench.explorerMenu('report.pdf', 'Add to Notebook');
  await addPage(workbench, `${site.url}/bees`);
  await readySource(workbench, 'src');
  await readySource(workbench, 'report.pdf');
  await readySource(workbench, 'Keeping bees in winter');
  await workbench.screenshot('sources');

  const ofCode = await answered(
    workbench,
    'Which variable of the environment holds the key of OpenAI’s own endpoint?',
  );
  await expect(ofCode.locator('figure.quote').first()).toBeVisible();
  await expect(ofCode).toContainText('OPENAI_API_KEY');
  const ofPdf = await answered(workbench, 'When are apples watered by the eastern channel?');
  await expect(ofPdf).toContainText('Apples are watered from May to August');
  const ofPage = await answered(workbench, 'How much honey does a colony need in winter?');
  await expect(ofPage).toContainText('fifteen kilograms of honey');
  await workbench.screenshot('answer-quotes');

  await ofCode.locator('figure.quote', { hasText: 'OPENAI_API_KEY' }).first().locator('.chip').click();
  await expect(workbench.tab('api-key.ts')).toBeVisible();
  await expect(workbench.editorLines.filter({ hasText: 'OPENAI_API_KEY' }).first()).toBeVisible();
  await expect(
    workbench.page.locator('.editor-instance .view-overlays .cdr[class*="ced-"]').first(),
  ).toBeVisible();
  await workbench.screenshot('citation-in-code');

  await ofPdf.locator('figure.quote', { hasText: 'Apples are watered' }).first().locator('.chip').click();
  const pdf = await workbench.webview('[aria-label="PDF"]');
  await expect(workbench.tab('report.pdf')).toBeVisible();
  await expect(pdf.locator('.mark').first()).toBeVisible();
  await workbench.screenshot('citation-in-pdf');

  await ofPage.locator('figure.quote', { hasText: 'fifteen kilograms' }).first().locator('.chip').click();
  const reading = await workbench.webview('main.page');
  await expect(reading.locator('mark').first()).toContainText('fifteen kilograms of honey');
  await expect(reading.getByText('Open live page')).toBeVisible();
  await expect(reading.locator('.byline')).toHaveText('Author: Ada BrandtPublished: March 5, 2024');
  await workbench.screenshot('citation-in-page');

  await workbench.reload();
  await workbench.showViews();
  await expect(workbench.rows('Sources')).toHaveCount(3);
  const panel = await chatPanel(workbench);
  await expect(panel.locator('article.turn')).toHaveCount(3);
  await expect(findTurn(panel, 'How much honey')).toContainText('fifteen kilograms of honey');
  await findTurn(panel, 'When are apples').locator('.chip').first().click();
  await expect((await workbench.webview('[aria-label="PDF"]')).locator('.mark').first()).toBeVisible();
});
