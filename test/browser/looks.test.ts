import { expect, test, themes } from './fixtures.ts';
import { answered, chatPanel, fixture, readySource } from './notebook.ts';

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

const written = [
  '## Watering\n\n',
  'Tomatoes are watered every second morning [1]. ',
  'Basil keeps the **white fly** away from their leaves [1]. ',
  'Roses are pruned in winter. ',
  '\n\n- A dry week doubles what the tomatoes drink [2].\n\n',
  '```ts\nconst need = litres(6, true);\n```\n',
];

for (const [name, theme] of Object.entries(themes))
  test.describe(name, () => {
    test.use({
      files: { 'garden.md': garden, 'water.ts': code },
      settings: { 'workbench.colorTheme': theme },
    });

    test('answers, quotes and citations look right', async ({ vscode, model, workspace }) => {
      vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
      workspace.copy(fixture('report.pdf'), 'report.pdf');
      model.reply(() => written);
      const workbench = await vscode.open(workspace.folder);
      await workbench.explorerMenu(['garden.md', 'water.ts', 'report.pdf'], 'Add to Notebook');
      for (const source of ['garden.md', 'water.ts', 'report.pdf']) await readySource(workbench, source);
      let turn = await answered(
        workbench,
        'How often are tomatoes watered, and how many litres in a dry week?',
      );
      await expect(turn.locator('.summary')).toContainText('found');
      await workbench.screenshot(`looks-${name}-written`);

      workspace.write('.vscode/settings.json', JSON.stringify({ 'openNotebook.model.name': '' }));
      await expect((await chatPanel(workbench)).getByRole('button', { name: 'Quotes only' })).toBeVisible();
      turn = await answered(workbench, 'How many litres do plants need in a dry week?');
      await turn.locator('.chip').first().hover();
      await expect(turn.locator('.card mark').first()).toBeVisible();
      await workbench.screenshot(`looks-${name}-quotes`);
      await workbench.resize(600, 700);
      await workbench.page.mouse.move(550, 300);
      await expect(turn.locator('.card')).toHaveCount(0);
      await workbench.screenshot(`looks-${name}-narrow`);
    });
  });
