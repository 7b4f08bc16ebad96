import { makePage } from '../support/site-crawl.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { addFile, agreeToHost, answered, chatPanel, readySource } from './notebook.ts';

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

test.describe('an untrusted folder', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ window: 'trust' });
  let workbench: Workbench;

  const lookForTemplate = async (): Promise<void> => {
    await workbench.run('Open Notebook: Generate from Sources…');
    await expect(workbench.quickInput).toContainText('Mind Map');
    await workbench.quickInput.locator('.quick-input-box input').fill('Letter Home');
  };

  test('is read, but its settings set no model, templates, or crawl rate', async ({
    vscode,
    workspace,
    model,
    site,
  }) => {
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
    workbench = await vscode.open(workspace.folder);
    await expect(workbench.statusBarItem('Restricted Mode')).toBeVisible();
    await chatPanel(workbench);
    await expect(await addFile(workbench, 'garden.md')).toContainText('2 passages');
    const turn = await answered(workbench, 'How often are tomatoes watered?');
    await expect(turn.locator('figure').first()).toContainText('every second morning');
    await turn.locator('.chip').first().click();
    await expect(workbench.tab('garden.md')).toBeVisible();

    // Its settings name a model, an endpoint, and a pause of a minute between pages.
    const panel = await chatPanel(workbench);
    await expect(panel.getByRole('button', { name: 'Excerpts only' })).toBeVisible();
    expect(model.requests).toEqual([]);
    site.set({ '/docs/': makePage('The handbook', ['anchor']), '/docs/anchor': makePage('The anchor') });
    await workbench.run('Open Notebook: Add Site');
    await workbench.fill(`${site.url}/docs/`);
    await agreeToHost(workbench);
    await expect(workbench.quickInput).toContainText('2 pages found');
    await workbench.page.keyboard.press('Enter');
    await expect(await readySource(workbench, '/docs')).toContainText('2 pages');
    await workbench.screenshot('trust-restricted');
    await lookForTemplate();
    await expect(workbench.quickInput).toContainText('0 Results');
    await workbench.page.keyboard.press('Escape');
  });

  test('sets a model, templates, and the passage size once trusted, but no URL', async ({ model }) => {
    await workbench.run('Workspaces: Manage Workspace Trust');
    await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await expect(workbench.statusBarItem('Restricted Mode')).toHaveCount(0);
    const panel = await chatPanel(workbench);
    await expect(panel.getByRole('button', { name: 'picked-by-the-folder' })).toBeVisible();
    await lookForTemplate();
    await expect(workbench.quickInput.locator('.monaco-list-row.focused')).toContainText('Letter Home');
    await workbench.page.keyboard.press('Escape');
    await workbench.showViews();
    await expect(workbench.rows('Sources', 'garden.md')).toContainText('1 passage ');
    expect(model.requests).toEqual([]);
  });
});
