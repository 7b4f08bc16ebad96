import { dragSideBar } from '../support/dragging.ts';
import { makeGate } from '../support/gate.ts';
import { button, cite, planStep, row } from '../support/research-page.ts';
import { requestPurpose } from '../support/research-requests.ts';
import { scriptedResearcher, type ScriptedResearch } from '../support/scripted-researcher.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { inEachTheme, openDatabase, openLink, readySource } from './notebook.ts';
import { researchPage } from './research-page.ts';

const garden = `# The garden

## Watering

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

## Neighbours

Basil is planted between the tomatoes because it keeps the white fly away from their leaves.

## Compost

The compost is turned in March and in October, and never in the frost that follows.

## Hens

The three hens eat the slugs of the garden from April until the first snow.

## Bees

The bees live in a hollow log under the pear tree and fly out when it is warm.
`;

/** The drafts of all steps that the notebook's database holds. */
function savedDrafts(globalStorage: string): string {
  const database = openDatabase(globalStorage);
  const rows = database.prepare('SELECT draft FROM research_steps').all();
  database.close();
  return rows.map(({ draft }) => String(draft)).join('\n');
}

test.use({ files: { 'garden.md': garden } });

/** The number of the passage that a model was shown, by words that it holds. */
function numberOfPassage(messages: readonly { readonly content: string }[], words: string): string {
  const shown = messages.map(({ content }) => content).join('\n');
  for (const [, number = '', text = ''] of shown.matchAll(/<passage-\d+ n="(\d+)"[^>]*>\n([^<]*)/g))
    if (text.includes(words)) return `[${number}]`;
  return '';
}

const researched: ScriptedResearch = {
  title: 'How the garden is kept',
  plan: [
    { target: 'Say how tomatoes are watered.', produces: 'watering' },
    { target: 'Say what basil is planted for.', produces: 'neighbours' },
    { target: 'Say when the compost is turned.', produces: 'compost' },
    { target: 'Say what the hens eat.', produces: 'hens' },
    {
      target: 'Join all that is known of the garden.',
      produces: 'whole',
      materials: ['watering', 'neighbours', 'compost', 'hens'],
    },
  ],
  products: {},
};

test.describe('a research by a person and two workers', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  const gates = { neighbours: makeGate(), compost: makeGate(), bees: makeGate(), whole: makeGate() };
  const [whole] = researched.plan.slice(-1);
  const script: ScriptedResearch = {
    ...researched,
    plan: [
      ...researched.plan.slice(0, -1),
      { target: 'Say where the bees live.', produces: 'bees' },
      ...(whole === undefined ? [] : [{ ...whole, materials: [...(whole.materials ?? []), 'bees'] }]),
    ],
    products: {
      'Revise the section': ({ messages }) =>
        `The three hens eat the slugs of the garden ${numberOfPassage(messages, 'three hens')}.`,
      'bees live': [gates.bees, 'The bees live in a hollow log under the pear tree [1].'],
      'basil is planted': [
        gates.neighbours,
        'Basil keeps the white fly away from the leaves of the tomatoes [1].',
      ],
      'compost is turned': [gates.compost, 'The compost is turned on Mars by elephants [1].'],
      'all that is known': [
        gates.whole,
        'Tomatoes are watered every second morning. Basil keeps the white fly away. The compost is turned in March and in October.',
      ],
    },
  };

  test('a goal becomes a plan', async ({ vscode, workbench, model }) => {
    model.reply(scriptedResearcher(script));
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
    await workbench.explorerMenu('garden.md', 'Add to Notebook');
    await readySource(workbench, 'garden.md');
    await workbench.run('Open Notebook: Research…');
    const page = researchPage(workbench);
    await expect(page.getByLabel('Goal')).toBeFocused();
    await page.getByLabel('Goal').fill('Tell how the garden is kept.');
    await button(page, 'Make a Plan').click();
    await expect(page.locator('.plan-step')).toHaveCount(6);
    await expect(page.locator('main')).toContainText('The plan waits for you');
    await workbench.screenshot('research-planned');
    expect(model.chats.map(({ messages }) => requestPurpose(messages))).toContain('plan');
  });

  test('the plan is edited, remarked on, and a change of it undone', async ({ workbench }) => {
    const page = researchPage(workbench);
    await planStep(page, 4)
      .getByRole('textbox', { name: /what is to be done/ })
      .fill('Say what the hens eat, and when.');
    await planStep(page, 4)
      .getByRole('textbox', { name: /what is to be done/ })
      .blur();
    await planStep(page, 4).hover();
    await planStep(page, 4).getByRole('button', { name: 'Remove step 4' }).click();
    await expect(page.locator('.plan-step')).toHaveCount(5);
    await page.getByRole('button', { name: 'Undo the last change of the plan' }).click();
    await expect(page.locator('.plan-step')).toHaveCount(6);
    await expect(planStep(page, 4).getByRole('textbox', { name: /what is to be done/ })).toHaveValue(
      'Say what the hens eat, and when.',
    );
    await planStep(page, 4)
      .getByRole('textbox', { name: /what is to be done/ })
      .press('Alt+ArrowUp');
    await expect(planStep(page, 3).getByRole('textbox', { name: /what is to be done/ })).toHaveValue(
      'Say what the hens eat, and when.',
    );
    await page.getByLabel('Remark on the whole plan').fill('Do not forget the hens.');
    await page.getByLabel('Remark on the whole plan').press('Enter');
    await expect(page.getByRole('list', { name: 'Remarks' })).toContainText('Do not forget the hens.');
    await workbench.screenshot('research-edited');
    expect.soft(await seriousProblems(page.locator('main'), 'editor')).toEqual([]);
  });

  test('two steps are taken by the user while two workers go on', async ({ workbench }) => {
    const page = researchPage(workbench);
    await page.getByRole('tab', { name: 'Board' }).click();
    await row(page, 'Ready', 'tomatoes are watered').click();
    await button(page, 'Take This Step').click();
    await expect(page.getByLabel('What you hand in')).toBeFocused();
    await row(page, 'Ready', 'what the hens eat').click();
    await button(page, 'Take This Step').click();
    await page.getByRole('tab', { name: 'Plan' }).click();
    await button(page, 'Approve and Start').click();
    await gates.neighbours.reached;
    await gates.compost.reached;
    await expect(row(page, 'In progress', 'basil')).toContainText('Model');
    await expect(row(page, 'In progress', 'compost')).toContainText('Model');
    await expect(row(page, 'In progress', 'hens')).toContainText('You');
    await expect(row(page, 'Blocked', 'Join all')).toContainText('waits for 1, 2, 3, 4, and 5');
    await workbench.screenshot('research-running');
  });

  test('a step is handed in that cites passages which a search finds', async ({ workbench }) => {
    const page = researchPage(workbench);
    await row(page, 'In progress', 'tomatoes are watered').click();
    const writing = page.getByLabel('What you hand in');
    await writing.fill('Tomatoes are watered every second morning.');
    await page.getByRole('searchbox').fill('tomatoes watered');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('button', { name: 'Cite' }).first().click();
    await expect(writing).toHaveValue('Tomatoes are watered every second morning. [1]');
    await button(page, 'Check It').click();
    await expect(page.locator('.checked .chip')).toBeVisible();
    await workbench.screenshot('research-draft');
    await button(page, 'Hand In').click();
    await expect(row(page, 'Done', 'tomatoes are watered')).toContainText('1 of 1 statements found');
    await page.locator('.product .chip').hover();
    await expect(page.locator('.card mark').first()).toContainText('every second morning');
    await workbench.screenshot('research-card');
  });

  test('a second window follows what is done in the first', async ({ vscode, workspace }) => {
    const second = await vscode.open(workspace.folder);
    await second.showViews();
    await second.rows('Research', 'Tell how the garden is kept.').first().click();
    const other = researchPage(second);
    await expect(row(other, 'In progress', 'hens')).toContainText('You, in another window');
    gates.neighbours.open();
    await expect(row(other, 'Done', 'basil')).toContainText('Model');
    await second.screenshot('research-second');
    await second.page.close();
  });

  test('a step fails, and is mended by hand', async ({ workbench }) => {
    const page = researchPage(workbench);
    gates.compost.open();
    await expect(row(page, 'Failed', 'compost')).toBeVisible();
    await row(page, 'Failed', 'compost').click();
    await workbench.screenshot('research-failed');
    await page.getByText('Look into it').click();
    await expect(page.getByRole('list', { name: 'Record' })).toContainText('Sent back');
    await button(page, 'Do It Yourself').click();
    await page.getByLabel('What you hand in').fill('The compost is turned in March and in October.');
    await cite(page, 'compost turned');
    await button(page, 'Hand In').click();
    await expect(row(page, 'Done', 'compost')).toContainText('You');
  });

  test('what a model did is replayed from its record', async ({ workbench }) => {
    const page = researchPage(workbench);
    await row(page, 'Done', 'basil').click();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await expect(page.locator('.replay')).toContainText('the same came of it');
    await workbench.screenshot('research-replayed');
  });

  test('a killed window gives its step back, with its draft, and what a model did goes on', async ({
    vscode,
    workbench,
  }) => {
    const page = researchPage(workbench);
    await gates.bees.reached;
    await expect(row(page, 'In progress', 'bees')).toContainText('Model');
    await row(page, 'In progress', 'hens').click();
    await page.getByLabel('What you hand in').fill('The hens eat slugs.');
    await expect(page.getByRole('region', { name: 'In progress' })).toContainText('hens');
    // What is typed is kept after a rest.
    await expect.poll(() => savedDrafts(vscode.globalStorage)).toContain('The hens eat slugs.');
    await vscode.restart();
    await workbench.reload();
    await expect(researchPage(workbench).locator('main.research')).toBeVisible();
    // The window that held it is gone, and with it, after a while, its hold.
    await expect(row(page, 'Ready', 'hens')).toContainText('with a draft of yours');
    await expect(page.locator('main')).toContainText('Goes on here');
    await expect(button(page, 'Pause')).toBeVisible();
    await workbench.screenshot('research-reopened');
    gates.bees.open();
    await expect(row(page, 'Done', 'bees')).toContainText('Model');
    await row(page, 'Ready', 'hens').click();
    await button(page, 'Take This Step').click();
    await expect(page.getByLabel('What you hand in')).toHaveValue('The hens eat slugs.');
    await page.getByLabel('What you hand in').fill('The three hens eat the slugs of the garden.');
    await cite(page, 'hens slugs');
    await button(page, 'Hand In').click();
    await expect(row(page, 'Done', 'hens')).toContainText('1 of 1 statements found');
  });

  test('the rest is done by a model, and the report’s citations open', async ({ workbench }) => {
    const page = researchPage(workbench);
    await gates.whole.reached;
    await expect(row(page, 'In progress', 'Join all')).toContainText('Model');
    gates.whole.open();
    await expect(page.locator('main .state').first()).toContainText('Done');
    await page.getByRole('button', { name: 'Open the report' }).click();
    await expect(workbench.tab('How the garden is kept.md')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'every second morning' }).first()).toBeVisible();
    await workbench.screenshot('research-report');
    await openLink(workbench, 'garden.md', '[1');
    await workbench.screenshot('research-followed');
    await workbench.tab('Tell how the garden').click();
    await row(page, 'Done', 'Join all').click();
    await page.locator('.product .chip').first().click();
    await expect(workbench.editorLines.filter({ hasText: 'Tomatoes are watered' }).first()).toBeVisible();
    await workbench.screenshot('research-citation');
  });

  test('a section is revised by a comment, looked at, kept, and taken back', async ({ workbench }) => {
    await workbench.tab('How the garden is kept.md').click();
    await workbench.run('Open Notebook: Revise a Section…');
    await expect(workbench.quickInput).not.toContainText('citation/');
    await workbench.screenshot('research-sections');
    await workbench.pick('How the garden is kept');
    await workbench.fill('Tell of the hens alone.');
    const keep = workbench.page.getByRole('button', { name: 'Keep the Change' });
    await expect(keep).toBeVisible();
    await workbench.screenshot('research-revised');
    await keep.click();
    await expect(workbench.tab('How the garden is kept.md')).toHaveClass(/active/);
    await expect(workbench.editorLines.filter({ hasText: 'The three hens eat' }).first()).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'every second morning' })).toHaveCount(0);
    await openLink(workbench, 'garden.md', '[4');
    await workbench.tab('How the garden is kept.md').click();
    await workbench.editorLines.filter({ hasText: 'The three hens eat' }).first().click();
    await workbench.page.keyboard.press('ControlOrMeta+z');
    await expect(workbench.editorLines.filter({ hasText: 'every second morning' }).first()).toBeVisible();
    await workbench.screenshot('research-revision-undone');
  });
});

test('researches look right in every theme, and in a narrow bar', async ({
  vscode,
  model,
  workbench,
  workspace,
}) => {
  const gate = makeGate();
  model.reply(
    scriptedResearcher({
      ...researched,
      products: { 'basil is planted': [gate, 'Basil.'], 'compost is turned': [gate, 'Compost.'] },
    }),
  );
  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');
  await workbench.run('Open Notebook: Research…');
  const page = researchPage(workbench);
  const inThemes = (what: string): Promise<void> =>
    inEachTheme(workbench, workspace, [page], async (name) => {
      await workbench.screenshot(`research-${what}-${name}`);
      expect.soft(await seriousProblems(page.locator('main'), 'editor')).toEqual([]);
    });
  await page.getByText('Bounds and how it is done').click();
  await button(page, 'Show What Nobody Looked At').click();
  await expect(page.locator('.tile').first()).toBeVisible();
  await inThemes('start');
  await page.getByLabel('Goal').fill('Tell how the garden is kept.');
  await button(page, 'Make a Plan').click();
  await expect(page.locator('.plan-step')).toHaveCount(5);
  await planStep(page, 2).hover();
  await inThemes('plan');
  await button(page, 'Approve and Start').click();
  await gate.reached;
  await row(page, 'Blocked', 'Join all').focus();
  await inThemes('board');
  await row(page, 'Ready', '').first().click();
  await inThemes('step');
  await workbench.resize(700, 800);
  await workbench.screenshot('research-narrow');
  await dragSideBar(workbench, 300);
  await workbench.screenshot('research-bar');
});

test.describe('where nothing may be begun', () => {
  test.use({
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  });

  test('it is said why, with the button that helps', async ({ workbench, vscode, model, workspace }) => {
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl });
    await expect(workbench.statusBarItem('Restricted Mode')).toBeVisible();
    await workbench.explorerMenu('garden.md', 'Add to Notebook');
    await readySource(workbench, 'garden.md');
    await workbench.run('Open Notebook: Research…');
    const page = researchPage(workbench);
    await expect(page.locator('main')).toContainText('Nothing is researched in Restricted Mode.');
    await page.getByLabel('Goal').fill('Tell how the garden is kept.');
    await expect(button(page, 'Make a Plan').first()).toHaveAttribute('disabled', '');
    await button(page, 'Manage Workspace Trust').click();
    await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    // The editor of trust lies over the others.
    await workbench.page.keyboard.press('Escape');
    await expect(workbench.statusBarItem('Restricted Mode')).toBeHidden();
    await expect(page.locator('main')).toContainText('Research needs a language model');
    await expect(button(page, 'Pick a Model')).toBeVisible();
    await workbench.screenshot('research-no-model');
    // A model that is named while the page is open is there at once.
    workspace.write('.vscode/settings.json', JSON.stringify({ 'openNotebook.model.name': 'scripted-1' }));
    await expect(page.locator('main')).not.toContainText('Research needs a language model');
    expect(model.chats).toHaveLength(0);
  });
});
