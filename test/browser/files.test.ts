import { expect, test } from './fixtures.ts';
import { answered, fixture, readySource } from './notebook.ts';

test(
  'answers cite Office files and notebooks, and the citations open them',
  { tag: '@all' },
  async ({ vscode, workspace }) => {
    for (const name of ['ferry.docx', 'orchard.pptx', 'stores.xlsx', 'tides.ipynb'])
      workspace.copy(fixture(`office/${name}`), `harbour/${name}`);
    const workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('harbour', 'Add to Notebook');
    await readySource(workbench, 'harbour');

    const ofSlides = await answered(workbench, 'How many kilograms does a Topaz tree bear?');
    await expect(ofSlides).toContainText('31 kilograms');
    await expect(ofSlides).toContainText('slide 2: Yield by variety');
    const ofSheet = await answered(workbench, 'Who has borrowed a rain gauge?');
    await expect(ofSheet).toContainText('Town library');
    await expect(ofSheet).toContainText('Loans!');

    const ofWord = await answered(workbench, 'Do dogs pay on the ferry?');
    await ofWord.locator('figure.quote', { hasText: 'dogs pay half' }).first().locator('.chip').click();
    const reading = await workbench.webview('main.page');
    await expect(reading.locator('mark').first()).toContainText('dogs pay half of the fare');
    await expect(reading.getByText('Open original file')).toBeVisible();
    await workbench.screenshot('citation-in-word');

    const ofNotebook = await answered(workbench, 'Which file does read_levels read?');
    await ofNotebook.locator('figure.quote', { hasText: 'harbour.csv' }).first().locator('.chip').click();
    await expect(workbench.tab('tides.ipynb')).toBeVisible();
    const cell = workbench.page.locator('.notebookOverlay .code-cell-row.focused');
    await expect(cell).toContainText('harbour.csv');
    await expect(cell.locator('.view-overlays .cdr[class*="ced-"]').first()).toBeVisible();
    await workbench.screenshot('citation-in-notebook');
  },
);
