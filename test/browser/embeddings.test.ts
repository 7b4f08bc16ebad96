import { expect, test } from './fixtures.ts';
import { answered, markdownPreview, readySource } from './notebook.ts';

const garage = `# The garage

An automobile needs its oil changed every year, and its tyres looked at before the winter.

The lift is checked by the fitter in June.
`;
const kitchen = `# The kitchen

Lentils are stirred until they are soft. The stove is cleaned on Fridays.
`;

/** What has to do with cars, with cooking, with neither. */
function meaning(text: string): Float32Array {
  return Float32Array.of(/vehicle|automobile/i.test(text) ? 1 : 0, /cook|lentil/i.test(text) ? 1 : 0, 0.1);
}

test.use({ files: { 'garage.md': garage, 'kitchen.md': kitchen } });

test.describe('passages are embedded and found by their meaning', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  test.beforeEach(({ vscode, model }) => {
    model.embed(meaning);
    vscode.set({
      'openNotebook.embeddings.baseUrl': model.baseUrl,
      'openNotebook.embeddings.model': 'scripted-embeddings',
      'openNotebook.embeddings.price': 1000,
    });
  });

  test('nothing is sent before the cost was agreed to', async ({ workbench, model }) => {
    await workbench.explorerMenu(['garage.md', 'kitchen.md'], 'Add to Notebook');
    await readySource(workbench, 'garage.md');
    await readySource(workbench, 'kitchen.md');
    const asked = workbench.notification('find passages by their meaning');
    await expect(asked).toContainText('$0.0');
    expect(model.requests.filter(({ path }) => path === '/v1/embeddings')).toEqual([]);
    await workbench.screenshot('embeddings-cost');
  });

  test('an endpoint that fails is told, and is asked again by a click', async ({ workbench, model }) => {
    model.embed({ status: 401 });
    await workbench.answerNotification('find passages by their meaning', 'Start');
    const paused = workbench.page.getByRole('button', { name: /Embedding paused/ });
    await expect(paused).toBeVisible();
    const before = await answered(workbench, 'vehicle maintenance');
    await expect(before).not.toContainText('oil changed');
    model.embed(meaning);
    await paused.click();
    await expect(paused).toBeHidden();
  });

  test('a question in other words finds them, and its citation opens', async ({ workbench }) => {
    // What is no longer paused goes on for a moment.
    let times = 0;
    await expect(async () => {
      const early = await answered(workbench, `Is a vehicle kept well, asked ${String(++times)} times?`);
      await expect(early.locator('.answer')).toContainText('oil changed every year', { timeout: 1_000 });
    }).toPass();
    const turn = await answered(workbench, 'How is a vehicle maintained?');
    await expect(turn.locator('.answer')).toContainText('An automobile needs its oil changed every year');
    await workbench.screenshot('embeddings-answer');
    await turn.locator('.chip').first().click();
    await expect(workbench.tab('garage.md').last()).toBeVisible();
  });

  test('what they cost is told', async ({ workbench }) => {
    await workbench.run('Open Notebook: Show Usage');
    const row = markdownPreview(workbench).locator('tr', { hasText: 'scripted-embeddings' });
    await expect(row).toContainText(/about \$0\.\d/);
    await workbench.screenshot('embeddings-usage');
  });

  test('exported and imported they are found without being paid for again', async ({ workbench, model }) => {
    const sent = (): number => model.requests.filter(({ body }) => body.includes('fitter')).length;
    const paid = sent();
    const box = workbench.quickInput.locator('input').first();
    await workbench.run('Open Notebook: Export Notebook…');
    await expect(box).toHaveValue(/workspace\.opennotebook$/);
    await box.press('Enter');
    await expect(workbench.notification('was exported to')).toBeVisible();
    await workbench.explorerMenu('workspace.opennotebook', 'Import Notebook…');
    await workbench.pick('New Notebook…');
    await expect(workbench.quickInput).toContainText('Every window can open a notebook by its name');
    await workbench.fill('Elsewhere');
    await expect(workbench.quickInput.getByPlaceholder('Tick what to read')).toBeVisible();
    await workbench.pickSeveral(['garage.md']);
    await readySource(workbench, 'garage.md');
    let times = 0;
    await expect(async () => {
      const again = await answered(workbench, `How is a vehicle maintained, asked ${String(++times)} times?`);
      await expect(again.locator('.answer')).toContainText('oil changed every year', { timeout: 1_000 });
    }).toPass();
    expect(sent()).toBe(paid);
  });
});
