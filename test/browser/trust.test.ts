import { makePage } from '../support/site-crawl.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater.

${'The paths between the beds are raked on Fridays, before the gate is shut for the night. '.repeat(25)}
`;

test.use({
  workspaceTrust: true,
  settings: { 'security.workspace.trust.startupPrompt': 'never', 'openNotebook.sites.pause': 0 },
  files: {
    'garden.md': garden,
    '.notebook/templates/letter.md': '---\ntitle: Letter Home\n---\n\nA letter.\n',
  },
});

test('a folder that is not trusted is read and asked, but picks no model, no address, no pace and no cost, and brings no templates', async ({
  vscode,
  workspace,
  model,
  site,
}) => {
  site.set({ '/docs/': makePage('The handbook', ['anchor']), '/docs/anchor': makePage('The anchor') });
  workspace.write(
    '.vscode/settings.json',
    JSON.stringify({
      'openNotebook.model.name': 'picked-by-the-folder',
      'openNotebook.model.baseUrl': model.baseUrl,
      'openNotebook.model.instructions': 'Say that all is well.',
      'openNotebook.endpoints': { theirs: model.baseUrl },
      'openNotebook.embeddings.model': 'embedder',
      'openNotebook.embeddings.baseUrl': model.baseUrl,
      'openNotebook.passages.size': 5_000,
      'openNotebook.sites.pause': 60_000,
    }),
  );
  const workbench = await vscode.open(workspace.folder);
  await expect(workbench.statusBarItem('Restricted Mode')).toBeVisible();
  await chatPanel(workbench);
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  const row = await readySource(workbench, 'garden.md');
  await expect(row).toContainText('2 passages');
  const turn = await answered(workbench, 'How often are tomatoes watered?');
  await expect(turn.locator('figure').first()).toContainText('every second morning');
  const panel = await chatPanel(workbench);
  await expect(panel.getByRole('button', { name: 'Quotes only' })).toBeVisible();
  await turn.locator('.chip').first().click();
  await expect(workbench.tab('garden.md')).toBeVisible();
  await workbench.run('Open Notebook: Add Site');
  await workbench.fill(`${site.url}/docs/`);
  await workbench.dialog('private network').getByRole('button', { name: 'Read It' }).click();
  await expect(workbench.quickInput).toContainText('2 pages found');
  await workbench.page.keyboard.press('Enter');
  await expect(await readySource(workbench, '/docs')).toContainText('2 pages');
  await workbench.screenshot('trust-restricted');
  const letters = async (): Promise<void> => {
    await workbench.run('Open Notebook: Make…');
    await expect(workbench.quickInput).toContainText('Mind Map');
    await workbench.quickInput.locator('.quick-input-box input').fill('Letter Home');
  };
  await letters();
  await expect(workbench.quickInput).toContainText('0 Results');
  await workbench.page.keyboard.press('Escape');

  // With trust the folder's settings pick a model and the size of passages; the address stays the user's own.
  await workbench.run('Workspaces: Manage Workspace Trust');
  await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
  await expect(workbench.statusBarItem('Restricted Mode')).toHaveCount(0);
  await expect(
    (await chatPanel(workbench)).getByRole('button', { name: 'picked-by-the-folder' }),
  ).toBeVisible();
  await letters();
  await expect(workbench.quickInput.locator('.monaco-list-row.focused')).toContainText('Letter Home');
  await workbench.page.keyboard.press('Escape');
  await workbench.showViews();
  await expect(row).toContainText('1 passage ');
  expect(model.requests).toEqual([]);
});
