import { dragSideBar } from '../support/dragging.ts';
import { judgeStatements } from '../support/judge.ts';
import { requestPurpose } from '../support/research-requests.ts';
import { expect, test, themes } from './fixtures.ts';
import { answered, chatPanel, fixture, readySource } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

## Watering

| plant | liters | when |
|---|---|---|
| tomato | 2 | every second morning |
| basil | 1 | every evening |

Basil is planted between the tomatoes because it keeps whiteflies away from their leaves.
`;

const code = `/** Liters that a bed of plants needs. */
export function liters(plants: number, dry: boolean): number {
  // Tomatoes need twice the water in a dry week.
  return plants * (dry ? 4 : 2);
}
`;

const written = [
  '## Watering\n\n',
  'Tomatoes are watered every second morning [2]. ',
  // The citation is of the wrong passage.
  'Basil keeps **whiteflies** away from their leaves [1]. ',
  'Roses are pruned in winter. ',
  '\n\n- Tomatoes need twice the water in a dry week [1].\n\n',
  '```ts\nconst need = liters(6, true);\n```\n',
];

test.use({ files: { 'garden.md': garden, 'water.ts': code } });

test('a written answer fits a chat of 500 pixels', { tag: '@all' }, async ({ vscode, model, workspace }) => {
  vscode.set({
    'openNotebook.model.baseUrl': model.baseUrl,
    'openNotebook.model.name': 'scripted-1',
    'openNotebook.answer.check': true,
    'workbench.colorTheme': themes.light,
  });
  workspace.copy(fixture('report.pdf'), 'report.pdf');
  model.reply(({ messages, question }) =>
    requestPurpose(messages) === 'fact-check' ? judgeStatements(question) : written,
  );
  const workbench = await vscode.open(workspace.folder);
  await chatPanel(workbench);
  const names = ['garden.md', 'water.ts', 'report.pdf'];
  await workbench.explorerMenu(names, 'Add to Notebook');
  for (const source of names) await readySource(workbench, source);
  const answer = await answered(
    workbench,
    'How often are tomatoes watered, and how many liters in a dry week?',
  );
  await expect(answer.locator('.chip.moved')).toHaveAccessibleName(/garden\.md.*supported by this passage/);
  await dragSideBar(workbench, 500);
  await expect(answer.getByRole('button', { name: 'Copy as Markdown' })).toBeInViewport();
  // The README shows a part of this picture.
  await workbench.screenshot('looks-light-written-500');
});
