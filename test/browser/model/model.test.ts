import { makeGate } from '../../support/gate.ts';
import { judgeStatements } from '../../support/judge.ts';
import { requestPurpose } from '../../support/research-requests.ts';
import { expect, test } from '../fixtures.ts';
import { addFile, answered, ask, findTurn, garden, startOver } from '../notebook.ts';
import { modelSettings, modelWindow } from '../shared-windows.ts';

/** False statement whose words are all in `garden.md`. */
const SWAPPED = 'Tomatoes are planted between the basil';

test.use({ ...modelWindow, files: { 'garden.md': garden } });

test.describe('Answer of a model', () => {
  test.describe.configure({ mode: 'default' });
  test.beforeEach(async ({ workbench }, { title }) => {
    await startOver(workbench, title);
    await addFile(workbench, 'garden.md');
  });

  test('streams, cites sentence by sentence, opens the cited lines, and is checked and corrected', async ({
    workbench,
    model,
  }) => {
    const gate = makeGate();
    model.reply(() => [
      'Tomatoes are watered ',
      'every second morning [1].',
      gate,
      ' Tomatoes are ',
      'planted between the basil [1].',
      ' See also [9].',
    ]);
    const turn = findTurn(await ask(workbench, 'How often are tomatoes watered?'), 'How often');
    await gate.reached;
    await expect(turn.locator('.answer')).toContainText('Tomatoes are watered every second morning');
    await expect(turn.locator('.answer')).not.toContainText('planted');
    await expect(turn.locator('p.progress')).toBeVisible();
    gate.open();
    await expect(turn.locator('footer')).toBeVisible();
    await expect(turn.locator('.answer')).toContainText(SWAPPED);
    await expect(turn.locator('.answer')).not.toContainText('[9]');
    await turn.locator('.chip').first().hover();
    await expect(turn.locator('.card mark').first()).toContainText('every second morning');
    await workbench.screenshot('answer-written');
    await turn.locator('.chip').first().click();
    await expect(workbench.tab('garden.md')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'Tomatoes are watered' }).first()).toBeVisible();
    await expect(turn.getByText('(Not fact-checked)').first()).toBeAttached();

    // One request checks both statements. The second one swaps its subject and object.
    const right = 'Basil is planted between the tomatoes.';
    const checks: string[] = [];
    model.reply(({ messages, question }) => {
      if (requestPurpose(messages) !== 'fact-check') return JSON.stringify({ statement: right });
      checks.push(question);
      return judgeStatements(question, (statement) => !statement.includes(SWAPPED));
    });
    await turn.getByRole('button', { name: 'Fact-check with model' }).click();
    await expect(turn.locator('.statement.not-found')).toContainText(SWAPPED);
    await expect(turn.locator('.statement.supported')).toContainText('Tomatoes are watered');
    expect(checks.map((request) => request.match(/<statement-/g)?.length)).toEqual([2]);
    const summary = turn.locator('.summary');
    await expect(summary).toContainText(
      '1 of 2 statements supported · 1 unsupported · fact-checked by scripted-1',
    );
    await turn.locator('.summary-line').click();
    await expect(summary).toContainText(/[\d,]+ tokens in/);
    await workbench.screenshot('answer-checked');

    await turn.getByRole('button', { name: 'Correct from sources' }).click();
    const correction = turn.getByRole('region', { name: 'Correction' });
    await expect(correction.locator('ins')).toContainText('Basil');
    await expect(correction).toContainText('Supported');
    await workbench.screenshot('answer-corrected');
    await correction.getByRole('button', { name: 'Apply' }).click();
    await expect(turn.locator('.answer')).toContainText(right);
    await expect(turn.locator('.statement.not-found')).toHaveCount(0);
    await correction.getByRole('button', { name: 'Undo' }).click();
    await expect(turn.locator('.statement.not-found')).toContainText(SWAPPED);
  });

  test('keeps the partial answer when it is stopped', async ({ workbench, model }) => {
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

  test(
    'cites the stored text of a source that is removed meanwhile',
    { tag: '@all' },
    async ({ workbench, model }) => {
      const gate = makeGate();
      model.reply(() => ['The compost is turned ', gate, 'in March and in October [1].']);
      const turn = findTurn(await ask(workbench, 'When is the compost turned?'), 'When is the compost');
      await gate.reached;
      await workbench.rowAction(workbench.rows('Sources', 'garden.md'), 'Remove Source…');
      await workbench.dialog('Remove “garden.md”').getByRole('button', { name: 'Remove' }).click();
      await expect(workbench.rows('Sources')).toHaveCount(0);
      gate.open();
      // A check needs the source's current text.
      await expect(turn.locator('.summary')).toContainText('1 statement not fact-checked · 1 source');
      await turn.locator('.chip').hover();
      await expect(turn.locator('.card')).toContainText('was removed. The text is shown as it was cited.');
      await expect(turn.locator('.card mark')).toContainText('turned in March and in October');
      await workbench.screenshot('cited-of-removed');
    },
  );

  test(
    'asks for the key when the endpoint rejects it, and tries again',
    { tag: '@all' },
    async ({ workbench, model }) => {
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
      // The key may be stored a moment after the input box closes.
      await expect(async () => {
        await turn.getByRole('button', { name: 'Try Again' }).click({ timeout: 5_000 });
        await expect(turn.locator('.answer')).toContainText('white fly', { timeout: 5_000 });
      }).toPass();
      await expect(turn.locator('.failure')).toHaveCount(0);
    },
  );
});

test.describe('Fact check that may cost money', { tag: '@all' }, () => {
  test.use({
    window: 'priced model',
    settings: async ({ model }, use) => {
      const priced = { address: model.baseUrl, inputPrice: 1, outputPrice: 2 };
      await use({
        ...modelSettings(model),
        'openNotebook.endpoints': { Priced: priced },
        'openNotebook.answer.check': true,
      });
    },
  });

  test('begins after the user agrees to its cost', async ({ workbench, model }) => {
    await addFile(workbench, 'garden.md');
    const requests: string[] = [];
    model.reply(({ messages, question }) => {
      if (requestPurpose(messages) !== 'fact-check')
        return 'Each second morning, tomatoes are watered with rainwater [1].';
      requests.push(question);
      return judgeStatements(question);
    });
    const turn = await answered(workbench, 'How often are tomatoes watered?');
    const offer = turn.getByRole('button', {
      name: /^Fact-check every answer with scripted-1 \(about \$0\.\d+ for this answer\)$/,
    });
    await expect(offer).toBeVisible();
    await expect(turn.locator('.summary')).toContainText('1 statement not fact-checked');
    expect(requests).toEqual([]);
    await workbench.screenshot('answer-check-cost');
    await offer.click();
    await expect(turn.locator('.statement.supported')).toContainText('tomatoes are watered');
    await expect(turn.locator('.summary')).toContainText('1 of 1 statement supported');
    await expect(offer).toHaveCount(0);
  });
});
