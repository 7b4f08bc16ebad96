import { cut } from '../support/openai-server.ts';
import { makeGate } from '../support/gate.ts';
import { expect, test } from './fixtures.ts';
import { addFile, ask, answered, chatPanel, findTurn, startOver } from './notebook.ts';

const garden = `# The garden

Tomatoes are watered every second morning with rainwater from the barrel behind the shed.

Basil is planted between the tomatoes because it keeps the white fly away from their leaves.

The compost is turned in March and in October, and never in the frost.
`;

test.use({ files: { 'garden.md': garden } });

test.beforeEach(({ vscode, model }) => {
  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
});

test.describe('in one window', () => {
  test.describe.configure({ mode: 'default' });
  test.use({ shared: true });
  test.beforeEach(async ({ workbench }, { title }) => {
    await startOver(workbench, title);
    await addFile(workbench, 'garden.md');
  });

  test('a written answer streams, cites sentence by sentence, and opens the cited lines', async ({
    workbench,
    model,
  }) => {
    const gate = makeGate();
    model.reply(() => [
      'Tomatoes are watered ',
      'every second morning [1].',
      gate,
      ' They are ',
      'painted blue [1].',
      ' See also [9].',
    ]);
    const turn = findTurn(await ask(workbench, 'How often are tomatoes watered?'), 'How often');
    await gate.reached;
    await expect(turn.locator('.answer')).toContainText('Tomatoes are watered every second morning');
    await expect(turn.locator('.answer')).not.toContainText('painted');
    await expect(turn.locator('p.progress')).toBeVisible();
    gate.open();
    await expect(turn.locator('footer')).toBeVisible();
    await expect(turn.locator('.answer')).toContainText('painted blue');
    await expect(turn.locator('.answer')).not.toContainText('[9]');
    await expect(turn.getByText('(not found in the sources)').first()).toBeAttached();
    await turn.locator('.chip').first().hover();
    await expect(turn.locator('.card mark').first()).toContainText('every second morning');
    await workbench.screenshot('answer-written');
    await turn.locator('.chip').first().click();
    await expect(workbench.tab('garden.md')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'Tomatoes are watered' }).first()).toBeVisible();
  });

  test('an answer can be stopped; what had arrived stays', async ({ workbench, model }) => {
    const gate = makeGate();
    model.reply(() => ['The compost is turned ', 'in March [1].', gate, ' Never.']);
    const panel = await ask(workbench, 'When is the compost turned?');
    const turn = findTurn(panel, 'When is the compost');
    await gate.reached;
    await expect(turn.locator('.answer')).toContainText('in March');
    await panel.getByRole('button', { name: 'Stop (Escape)' }).click();
    await expect(turn).toContainText('This answer was stopped.');
    await expect(turn.locator('.answer')).toContainText('in March');
    await expect(turn.locator('button.summary-line')).toHaveAttribute(
      'title',
      /tokens in, \d+ out, estimated$/,
    );
    await workbench.screenshot('answer-stopped');
    gate.open();
  });

  test('a source that is removed while an answer is written is cited as it was read', async ({
    workbench,
    model,
  }) => {
    const gate = makeGate();
    model.reply(() => ['The compost is turned ', gate, 'in March and in October [1].']);
    const turn = findTurn(await ask(workbench, 'When is the compost turned?'), 'When is the compost');
    await gate.reached;
    await workbench.rowAction(workbench.rows('Sources', 'garden.md'), 'Remove Source…');
    await workbench.dialog('Remove garden.md').getByRole('button', { name: 'Remove' }).click();
    await expect(workbench.rows('Sources')).toHaveCount(0);
    gate.open();
    await expect(turn.locator('.summary')).toContainText('1 of 1 statement found · 1 source');
    await turn.locator('.chip').hover();
    await expect(turn.locator('.card')).toContainText('was removed since');
    await expect(turn.locator('.card mark')).toContainText('turned in March and in October');
    await workbench.screenshot('cited-of-removed');
  });

  test('the key is asked for when the endpoint refuses it, and the question is asked again', async ({
    workbench,
    model,
  }) => {
    model.reply((request) =>
      request.headers.authorization === 'Bearer right-key'
        ? 'Basil keeps the white fly away [1].'
        : { status: 401, message: 'Incorrect API key provided.' },
    );
    const turn = await answered(workbench, 'Why is basil planted?');
    await expect(turn.locator('.failure')).toContainText('key');
    await workbench.screenshot('answer-wrong-key');
    await turn.getByRole('button', { name: 'Set API Key' }).click();
    await workbench.fill('right-key');
    // The key may be kept a moment after the box that asks for it has gone.
    await expect(async () => {
      await turn.getByRole('button', { name: 'Try again' }).click({ timeout: 5_000 });
      await expect(turn.locator('.answer')).toContainText('white fly', { timeout: 5_000 });
    }).toPass();
    await expect(turn.locator('.failure')).toHaveCount(0);
  });
});

test.describe('of more than is read', () => {
  // Less than the garden has: what is read whole is not searched for.
  test.use({ settings: { 'openNotebook.answer.tokens': 20 } });

  test('a follow-up is searched for as the model understands it, and doubtful statements are checked with the model', async ({
    workbench,
    model,
  }) => {
    await addFile(workbench, 'garden.md');
    const gate = makeGate();
    model.reply(({ messages, question }) => {
      const told = messages[0]?.content ?? '';
      if (told.includes('You check whether')) return [gate, '1 SUPPORTED 1\n2 NOT ', 'FOUND'];
      if (question.includes('compost'))
        return 'The heap stays untouched as soon as ice covers the ground [1]. Its lid is painted blue [1].';
      return 'Tomatoes are watered every second morning [1].';
    });
    await answered(workbench, 'How often are tomatoes watered?');
    model.search('1. "How often is the compost watered every morning?"');
    const panel = await ask(workbench, 'And the compost?');
    const turn = findTurn(panel, 'And the compost');
    await expect(turn.locator('footer')).toBeVisible();
    await turn.getByText('Searched for').click();
    await expect(turn.locator('.searched')).toContainText('How often is the compost watered every morning?');

    await expect(turn.locator('.summary')).toContainText('0 of 2 statements found');
    const chats = model.chats.length;
    await turn.getByRole('button', { name: 'Check with the model (2 statements)' }).click();
    await gate.reached;
    await expect(turn.locator('p.progress')).toContainText('Checking 2 statements with scripted-1…');
    await workbench.screenshot('answer-being-checked');
    gate.open();
    await expect(turn.locator('.summary')).toContainText('1 of 2 statements found · 2 checked by scripted-1');
    await expect(turn.locator('p.progress')).toHaveCount(0);
    await expect(turn.locator('.statement.supported')).toHaveAttribute('title', 'Supported, says scripted-1');
    await expect(turn.locator('.statement.not-found')).toContainText('painted blue');
    await expect(turn.getByRole('button', { name: /^Check with the model/ })).toHaveCount(0);
    expect(model.chats).toHaveLength(chats + 1);
    await turn.locator('.chip').first().hover();
    await expect(turn.locator('.card')).toContainText('never in the frost');
    await workbench.screenshot('answer-checked');

    await workbench.reload();
    const kept = findTurn(await chatPanel(workbench), 'And the compost');
    await expect(kept.locator('.summary')).toContainText('2 checked by scripted-1');
  });
});

test('an endpoint that is busy is asked again; one that fails, breaks off or is not there is told, and nothing is lost', async ({
  workbench,
  model,
  workspace,
}) => {
  await addFile(workbench, 'garden.md');

  await test.step('a busy endpoint is asked again', async () => {
    model.reply(({ index }) =>
      index === 0 ? { status: 429, retryAfter: '0' } : 'Basil is planted between the tomatoes [1].',
    );
    const turn = await answered(workbench, 'Where is basil planted?');
    await expect(turn.locator('.answer')).toContainText('between the tomatoes');
    expect(model.chats).toHaveLength(2);
  });

  await test.step('an endpoint that fails ends in one sentence, and the question is not lost', async () => {
    model.reply({ status: 500, message: 'boom' });
    const turn = await answered(workbench, 'What is planted between the tomatoes?');
    await expect(turn.locator('.failure p')).toHaveText(/[.]$/);
    model.reply('Basil is planted between the tomatoes [1].');
    await turn.getByRole('button', { name: 'Try again' }).click();
    await expect(turn.locator('.answer')).toContainText('between the tomatoes');
  });

  await test.step('a stream that is cut keeps what had arrived and says so', async () => {
    model.reply(() => ['The compost is turned in March ', 'and in October [1]. ', 'And ', cut]);
    const turn = await answered(workbench, 'In which months is the compost turned?');
    await expect(turn.locator('.answer')).toContainText('in March and in October');
    await expect(turn.locator('.failure')).toBeVisible();
    await turn.locator('button.summary-line').click();
    await expect(turn.locator('button.summary-line')).toContainText(/tokens in, \d+ out, estimated$/);
  });

  await test.step('a server that is not there is named, with the way to another', async () => {
    await model.close();
    const turn = await answered(workbench, 'When is the compost turned?');
    await expect(turn.locator('.failure')).toContainText('127.0.0.1');
    await expect(turn.getByRole('button', { name: 'Pick Model' })).toBeVisible();

    // Without a model the same question is answered in quotes, and nothing has to be reloaded.
    workspace.write('.vscode/settings.json', JSON.stringify({ 'openNotebook.model.name': '' }));
    const panel = await chatPanel(workbench);
    await expect(panel.getByRole('button', { name: 'Quotes only' })).toBeVisible();
    await turn.getByRole('button', { name: 'Try again' }).click();
    await expect(turn.locator('figure.quote').first()).toContainText('turned in March');
  });
});
