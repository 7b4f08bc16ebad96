import { dragSideBar } from '../support/dragging.ts';
import { button, cite, row } from '../support/research-page.ts';
import { scriptedResearcher } from '../support/scripted-researcher.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { addFile } from './notebook.ts';
import { researchPage } from './research-page.ts';
import { openGarden, shareGarden, shareTeam } from './team-steps.ts';

const garden = `# The garden

## Watering

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

## Hens

The three hens eat the slugs of the garden from April until the first snow.
`;

test.use({ files: { 'garden.md': garden } });

test.describe('a research of a team', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  const team = shareTeam();

  test('one member shares a notebook and has a research planned', async ({ vscode, model, workbench }) => {
    model.reply(
      scriptedResearcher({
        plan: [
          { target: 'Say how tomatoes are watered.', produces: 'watering' },
          { target: 'Say what the hens eat.', produces: 'hens' },
          {
            target: 'Join all that is known of the garden.',
            produces: 'whole',
            materials: ['watering', 'hens'],
          },
        ],
        products: {},
      }),
    );
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
    const { ada } = team();
    await addFile(workbench, 'garden.md');
    await shareGarden(workbench, ada);
    await workbench.run('Open Notebook: Research…');
    await researchPage(workbench).getByLabel('Goal').fill('Tell how the garden is kept.');
    await button(researchPage(workbench), 'Make a Plan').click();
    await expect(researchPage(workbench).locator('.plan-step')).toHaveCount(3);
  });

  test('they take a step, and are asked what they hand in', async ({ workbench }) => {
    const page = researchPage(workbench);
    await page.getByRole('tab', { name: 'Board' }).click();
    await row(page, 'Ready', 'tomatoes are watered').click();
    await button(page, 'Take This Step').click();
    await expect(page.getByLabel('What you hand in')).toBeFocused();
  });

  test('another sees whose it is, and can’t take it', async () => {
    const { ben } = team();
    const other = await team().other();
    await openGarden(other, ben);
    await other.unfold('Research');
    await other.rows('Research', 'Tell how the garden is kept.').first().click();
    const page = researchPage(other);
    await page.getByRole('tab', { name: 'Board' }).click();
    await expect(row(page, 'In progress', 'tomatoes are watered')).toContainText('ada');
    // It waits for its plan to be approved where it was begun, and for nobody here.
    await expect(page.locator('.head .state')).toContainText('ada is working on it');
    await expect(other.rows('Research', 'Tell how the garden is kept.').first()).toContainText(
      'ada is working on it',
    );
    await row(page, 'In progress', 'tomatoes are watered').click();
    await expect(page.getByRole('heading', { name: 'Say how tomatoes are watered.' })).toBeVisible();
    await expect(button(page, 'Take This Step')).toHaveCount(0);
    await expect(button(page, 'Do It Yourself')).toHaveCount(0);
    await other.screenshot('team-research-other');
  });

  test('the other takes another step, which the first sees by their name', async ({ workbench }) => {
    const other = await team().other();
    const page = researchPage(other);
    await row(page, 'Ready', 'hens eat').click();
    await button(page, 'Take This Step').click();
    await expect(page.getByLabel('What you hand in')).toBeFocused();
    await workbench.page.bringToFront();
    const first = researchPage(workbench);
    await expect(row(first, 'In progress', 'hens eat')).toContainText('ben');
    await expect(row(first, 'In progress', 'tomatoes are watered')).toContainText('You');
    await row(first, 'In progress', 'hens eat').click();
    await expect(button(first, 'Take This Step')).toHaveCount(0);
    await workbench.screenshot('team-research-two');
  });

  test('what each hands in is there for both', async ({ workbench }) => {
    const other = await team().other();
    const first = researchPage(workbench);
    await row(first, 'In progress', 'tomatoes are watered').click();
    await first.getByLabel('What you hand in').fill('Tomatoes are watered every second morning.');
    await cite(first, 'tomatoes watered');
    await button(first, 'Hand In').click();
    await expect(row(first, 'Done', 'tomatoes are watered')).toContainText('You');
    await other.page.bringToFront();
    const second = researchPage(other);
    await second.getByLabel('What you hand in').fill('The three hens eat the slugs of the garden.');
    await cite(second, 'hens slugs');
    await button(second, 'Hand In').click();
    await expect(row(second, 'Done', 'hens eat')).toContainText('You');
    for (const [window, step, member, words] of [
      [other, 'tomatoes are watered', 'ada', 'every second morning'],
      [workbench, 'hens eat', 'ben', 'three hens'],
    ] as const) {
      await window.page.bringToFront();
      const page = researchPage(window);
      await expect(row(page, 'Done', step)).toContainText(member);
      await expect(row(page, 'Done', step)).toContainText(/· in [\d.]+\s(?:s|min)/);
      await row(page, 'Done', step).click();
      await expect(page.locator('.product')).toContainText(words);
      await page.locator('.product .chip').hover();
      await expect(page.locator('.card mark').first()).toContainText(words);
      await expect(row(page, 'Ready', 'Join all')).toBeVisible();
      await window.screenshot(`team-research-product-${member}`);
    }
    await expect(row(researchPage(workbench), 'Done', 'tomatoes are watered')).toContainText('You');
  });

  test('it is to be read in a narrow window', async ({ workbench }) => {
    const page = researchPage(workbench);
    await row(page, 'Done', 'hens eat').focus();
    expect.soft(await seriousProblems(page.locator('main'), 'editor')).toEqual([]);
    await workbench.resize(700, 800);
    await workbench.screenshot('team-research-narrow');
    await dragSideBar(workbench, 300);
    await workbench.screenshot('team-research-bar');
  });
});
