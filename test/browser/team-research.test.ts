import { button, cite, row } from '../support/research-page.ts';
import { scriptedResearcher } from '../support/scripted-researcher.ts';
import { expect, test } from './fixtures.ts';
import { addFile } from './notebook.ts';
import { researchPage } from './research-page.ts';
import { modelSettings } from './shared-windows.ts';
import { openGarden, shareGarden, shareTeam } from './team-steps.ts';

const garden = `# Vegetable garden

## Watering

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

## Hens

The three hens eat slugs in the garden from April until the first snow.
`;

test.use({ files: { 'garden.md': garden } });

test.describe('research project of a team', { tag: '@all' }, () => {
  const team = shareTeam();

  test('divides its steps between two members', async ({ vscode, model, workbench }) => {
    const { ada, ben } = team();
    const plan = [
      { target: 'Describe how to water the tomatoes.', produces: 'watering' },
      { target: 'Describe what the hens eat.', produces: 'hens' },
      {
        target: 'Combine the results into a care guide.',
        produces: 'guide',
        materials: ['watering', 'hens'],
      },
    ];
    model.reply(scriptedResearcher({ plan, products: {} }));
    vscode.set(modelSettings(model));
    await addFile(workbench, 'garden.md');
    await shareGarden(workbench, ada);
    await workbench.run('Open Notebook: New Research Project…');
    const first = researchPage(workbench);
    await first.getByLabel('Goal').fill('Write a care guide for the vegetable garden.');
    await button(first, 'Create Plan').click();
    await expect(first.locator('.plan-step')).toHaveCount(3);
    await first.getByRole('tab', { name: 'Board' }).click();
    await row(first, 'Ready', 'water the tomatoes').click();
    await button(first, 'Assign Step to Me').click();
    await expect(first.getByLabel('Your result')).toBeFocused();

    const other = await team().other();
    await openGarden(other, ben);
    await other.unfold('Research');
    await other.rows('Research', 'Write a care guide for the vegetable garden.').first().click();
    const second = researchPage(other);
    await second.getByRole('tab', { name: 'Board' }).click();
    await expect(row(second, 'In progress', 'water the tomatoes')).toContainText('ada');
    await expect(
      other.rows('Research', 'Write a care guide for the vegetable garden.').first(),
    ).toContainText('ada is working on it');
    await row(second, 'In progress', 'water the tomatoes').click();
    await expect(button(second, 'Assign Step to Me')).toHaveCount(0);
    await row(second, 'Ready', 'hens eat').click();
    await button(second, 'Assign Step to Me').click();
    await expect(second.getByLabel('Your result')).toBeFocused();
    await workbench.page.bringToFront();
    await expect(row(first, 'In progress', 'hens eat')).toContainText('ben');
    await row(first, 'In progress', 'hens eat').click();
    await workbench.screenshot('team-research-two');

    await row(first, 'In progress', 'water the tomatoes').click();
    await first.getByLabel('Your result').fill('Tomatoes are watered every second morning.');
    await cite(first, 'tomatoes watered');
    await button(first, 'Submit').click();
    await expect(row(first, 'Done', 'water the tomatoes')).toContainText('You');
    await other.page.bringToFront();
    await expect(row(second, 'Done', 'water the tomatoes')).toContainText('ada');
    await row(second, 'Done', 'water the tomatoes').click();
    await expect(second.locator('.product')).toContainText('every second morning');
    await second.locator('.product .chip').hover();
    await expect(second.locator('.card mark').first()).toContainText('every second morning');
  });
});
