import { figurePdf } from '../support/figure-pdf.ts';
import { expect, test } from './fixtures.ts';
import { answered, readySource } from './notebook.ts';

test('a figure of a PDF is seen with the words that name it, on its card and with its caption', async ({
  vscode,
  workspace,
}) => {
  test.setTimeout(180_000);
  workspace.write('waterworks.pdf', figurePdf());
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu('waterworks.pdf', 'Add to Notebook');
  await readySource(workbench, 'waterworks.pdf');

  const turn = await answered(workbench, 'how does leakage rise with frost?');
  const picture = turn.locator('.figure img').first();
  await turn.locator('.figure').first().scrollIntoViewIfNeeded();
  await expect(picture).toBeVisible({ timeout: 20_000 });
  await expect(picture).toHaveAttribute('alt', 'Figure 3: Results of the northern station by year.');
  await workbench.screenshot('figure-quote');
});
