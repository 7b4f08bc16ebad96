import { makeGate } from '../support/gate.ts';
import { silence } from '../support/openai-server.ts';
import { expect, test } from './fixtures.ts';
import { answered, ask, readySource, findTurn } from './notebook.ts';

const chapters = ['gardens', 'harbours', 'bridges', 'orchards', 'quarries', 'mills'].map(
  (name, i) => `## ${name}\n\n${`The ${name} of the valley are described in part ${String(i)}. `.repeat(30)}`,
);
const handbook = `# Handbook\n\n${chapters.join('\n\n')}\n\n## Apiary\n\nHives are opened in April.\n`;

test.use({ files: { 'handbook.md': handbook } });

test.beforeEach(({ vscode, model }) => {
  vscode.set({
    'openNotebook.model.baseUrl': model.baseUrl,
    'openNotebook.model.name': 'scripted-1',
    // Less than the handbook has, so that what is read has to be found.
    'openNotebook.answer.tokens': 700,
  });
});

test.beforeEach(async ({ workbench }) => {
  await workbench.explorerMenu('handbook.md', 'Add to Notebook');
  await readySource(workbench, 'handbook.md');
});

test('a model writes searches, which are shown and can be stopped, and looks again', async ({
  workbench,
  model,
}) => {
  const gate = makeGate();
  model.search([gate, '1. apiary hives opened\n', '2. April\n']);
  model.reply('Hives are opened in April [1].');
  const question = 'When do the bees of the valley get a visit?';
  const panel = await ask(workbench, question);
  const turn = findTurn(panel, 'When do the bees');
  await gate.reached;
  await expect(turn.locator('p.progress')).toContainText('Asking scripted-1 what to search for…');
  await workbench.screenshot('searches-asked-for');
  await panel.getByRole('button', { name: 'Stop (Escape)' }).click();
  await expect(turn).toContainText('This answer was stopped.');
  gate.open();
  expect(model.chats).toHaveLength(0);

  model.search('1. apiary hives opened\n2. April\n');
  await turn.getByRole('button', { name: 'Try again' }).first().click();
  await expect(turn.locator('.answer')).toContainText('Hives are opened in April');
  await expect(turn.locator('.summary')).toContainText('1 of 1 statement');
  await turn.getByText('Searched for').click();
  await expect(turn.locator('.searched li')).toHaveText(['apiary hives opened', 'April']);
  await workbench.screenshot('searches-shown');
  expect(model.searches.at(-1)?.question).toContain('handbook.md');

  // What was read does not answer: the model says what to look for.
  model.search('');
  model.reply(({ messages }) =>
    messages.at(-1)?.content.includes('Hives') === true
      ? 'Hives are opened in April [1].'
      : ['SEARCH: apiary ', 'hives\n'],
  );
  const again = await answered(workbench, 'Which month suits the bridges of the valley’s bees?');
  await expect(again.locator('.answer')).toContainText('Hives are opened in April');
  await expect(again.locator('.searched')).toContainText('apiary hives');
  expect(model.chats.length).toBe(3);
});

test('what a model makes of the request for searches keeps no answer', async ({ workbench, model }) => {
  model.reply('Hives are opened in April [1].');
  for (const searches of ['Certainly! Here are some searches:\n\n', { status: 500 }, silence] as const) {
    model.search(searches);
    const turn = await answered(workbench, 'When are hives opened?');
    await expect(turn.locator('.answer')).toContainText('Hives are opened in April');
    await expect(turn.locator('.searched')).toHaveCount(0);
  }
});
