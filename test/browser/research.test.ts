import { makeGate } from '../support/gate.ts';
import { button, cite, planStep, row } from '../support/research-page.ts';
import { requestPurpose } from '../support/research-requests.ts';
import { scriptedResearcher, type ScriptedResearch } from '../support/scripted-researcher.ts';
import { expect, test, themes } from './fixtures.ts';
import { addFile, openDatabase, openLink } from './notebook.ts';
import { modelSettings } from './shared-windows.ts';
import { researchPage } from './research-page.ts';

const garden = `# Vegetable garden

## Watering

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

## Companion plants

Basil is planted between the tomatoes because it keeps whiteflies away from their leaves.

## Compost

The compost is turned in March and in October, but never when the ground is frozen.
`;

const plan: ScriptedResearch['plan'] = [
  { target: 'Describe how to water the tomatoes.', produces: 'watering' },
  { target: 'Explain why basil is planted.', produces: 'basil' },
  { target: 'Find out when to turn the compost.', produces: 'compost' },
  {
    target: 'Combine the results into a care guide.',
    produces: 'guide',
    materials: ['watering', 'basil', 'compost'],
  },
];

/** Returns the drafts of all steps in the database of the notebook. */
function savedDrafts(globalStorage: string): string {
  const database = openDatabase(globalStorage);
  const rows = database.prepare('SELECT draft FROM research_steps').all();
  database.close();
  return rows.map(({ draft }) => String(draft)).join('\n');
}

test.use({ files: { 'garden.md': garden } });

test.describe('research project', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({
    window: 'research',
    settings: ({ model }, use) => use({ 'workbench.colorTheme': themes.light, ...modelSettings(model) }),
  });
  const gate = makeGate();

  test('becomes a board that a second window follows', async ({ vscode, workbench, model, workspace }) => {
    const basil = 'Basil keeps whiteflies away from the leaves of the tomatoes [1].';
    const products = {
      'basil is planted': [gate, basil],
      'turn the compost': [gate, 'The compost is turned in March and in October [1].'],
      'Combine the results':
        'Tomatoes are watered every second morning. Basil keeps whiteflies away. The compost is turned in March and in October.',
    };
    model.reply(scriptedResearcher({ title: 'Caring for the vegetable garden', plan, products }));
    await addFile(workbench, 'garden.md');
    await expect(workbench.view('Research')).toHaveCount(0);
    await workbench.run('Open Notebook: New Research Project…');
    const page = researchPage(workbench);
    await expect(page.getByLabel('Goal')).toBeFocused();
    await page.getByLabel('Goal').fill('Write a care guide for the vegetable garden.');
    await button(page, 'Create Plan').click();
    await expect(page.locator('.plan-step')).toHaveCount(4);
    await expect(workbench.view('Research').locator('.pane-header')).toHaveAttribute(
      'aria-expanded',
      'false',
    );
    expect(model.chats.map(({ messages }) => requestPurpose(messages))).toContain('plan');
    await page.getByRole('tab', { name: 'Board' }).click();
    await row(page, 'Ready', 'water the tomatoes').click();
    await button(page, 'Assign Step to Me').click();
    await expect(page.getByLabel('Your result')).toBeFocused();
    await page.getByRole('tab', { name: 'Plan' }).click();
    await button(page, 'Approve and Start').click();
    await gate.reached;
    await expect(row(page, 'In progress', 'basil')).toContainText('Model');
    await expect(row(page, 'In progress', 'compost')).toContainText('Model');
    await row(page, 'Blocked', 'Combine the results').focus();
    await workbench.screenshot('research-board-light');

    const second = await vscode.open(workspace.folder);
    await second.showViews();
    // The editor may have restored the page of the first window.
    await second.run('View: Close All Editors');
    await second.unfold('Research');
    await second.rows('Research', 'Write a care guide for the vegetable garden.').first().click();
    const other = researchPage(second);
    await expect(row(other, 'In progress', 'water the tomatoes')).toContainText('You, in another window');
    gate.open();
    await expect(row(other, 'Done', 'basil')).toContainText('Model');
    await second.page.close();
  });

  test('has a step that the user submits with a citation', async ({ workbench }) => {
    const page = researchPage(workbench);
    await row(page, 'In progress', 'water the tomatoes').click();
    await page.getByLabel('Your result').fill('Tomatoes are watered every second morning.');
    await cite(page, 'tomatoes watered');
    await button(page, 'Submit').click();
    // The step is the last one, and the page opens the report after it.
    await expect(page.getByRole('tab', { name: 'Report' })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('tab', { name: 'Board' }).click();
    await expect(row(page, 'Done', 'water the tomatoes')).toContainText('You');
    await row(page, 'Done', 'water the tomatoes').click();
    await page.locator('.product .chip').hover();
    await expect(page.locator('.card mark').first()).toContainText('every second morning');
  });

  test('shows the report with citations, and edits it as a note whose citations open', async ({
    workbench,
  }) => {
    const page = researchPage(workbench);
    await expect(page.locator('main .state').first()).toContainText('Done');
    await page.getByRole('tab', { name: 'Report' }).click();
    const report = page.getByRole('article').filter({ hasText: 'every second morning' });
    await expect(report.locator('.chip').first()).toBeVisible();
    await workbench.screenshot('research-report');
    await page.getByRole('tab', { name: 'Board' }).click();
    await row(page, 'Done', 'Combine the results').click();
    await page.locator('.product .chip').first().click();
    await expect(workbench.editorLines.filter({ hasText: 'Tomatoes are watered' }).first()).toBeVisible();
    await workbench.tab('Write a care guide').click();

    await page.getByRole('button', { name: 'Edit report as note' }).click();
    await expect(workbench.tab('Caring for the vegetable garden.md')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'every second morning' }).first()).toBeVisible();
    await openLink(workbench, 'garden.md', '[1');
  });
});

test(
  'a research project resumes after its window was killed',
  { tag: '@all' },
  async ({ vscode, workbench, model }) => {
    const gate = makeGate();
    const products = { 'basil is planted': [gate, 'Basil keeps whiteflies away from the leaves [1].'] };
    model.reply(scriptedResearcher({ plan, products }));
    vscode.set(modelSettings(model));
    await addFile(workbench, 'garden.md');
    await workbench.run('Open Notebook: New Research Project…');
    const page = researchPage(workbench);
    await page.getByLabel('Goal').fill('Write a care guide for the vegetable garden.');
    await button(page, 'Create Plan').click();
    await expect(planStep(page, 4)).toBeVisible();
    await page.getByRole('tab', { name: 'Board' }).click();
    await row(page, 'Ready', 'water the tomatoes').click();
    await button(page, 'Assign Step to Me').click();
    await page.getByRole('tab', { name: 'Plan' }).click();
    await button(page, 'Approve and Start').click();
    await gate.reached;
    await row(page, 'In progress', 'water the tomatoes').click();
    await page.getByLabel('Your result').fill('Every second morning.');
    await expect.poll(() => savedDrafts(vscode.globalStorage)).toContain('Every second morning.');
    await vscode.restart();
    await workbench.reload();
    await expect(page.locator('main.research')).toBeVisible();
    // The user's step is released when the killed window no longer renews its claim.
    await expect(row(page, 'Ready', 'water the tomatoes')).toContainText('with your draft', {
      timeout: 60_000,
    });
    await expect(page.locator('main')).toContainText('This window took over');
    gate.open();
    await expect(row(page, 'Done', 'basil')).toContainText('Model');
    await row(page, 'Ready', 'water the tomatoes').click();
    await button(page, 'Assign Step to Me').click();
    await expect(page.getByLabel('Your result')).toHaveValue('Every second morning.');
  },
);

test.describe('research in an untrusted workspace', { tag: '@all' }, () => {
  test.use({
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  });

  test('starts once the workspace is trusted and a model is set', async ({
    workbench,
    vscode,
    model,
    workspace,
  }) => {
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl });
    await expect(workbench.statusBarItem('Restricted Mode')).toBeVisible();
    await addFile(workbench, 'garden.md');
    await workbench.run('Open Notebook: New Research Project…');
    const page = researchPage(workbench);
    await expect(page.locator('main')).toContainText('Research projects don’t run in Restricted Mode.');
    await button(page, 'Manage Workspace Trust').click();
    await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    // The trust editor covers the other editors.
    await workbench.page.keyboard.press('Escape');
    await expect(workbench.statusBarItem('Restricted Mode')).toBeHidden();
    await expect(page.locator('main')).toContainText('A research project needs a language model');
    workspace.write('.vscode/settings.json', JSON.stringify({ 'openNotebook.model.name': 'scripted-1' }));
    await expect(page.locator('main')).not.toContainText('A research project needs a language model');
    expect(model.chats).toHaveLength(0);
  });
});
