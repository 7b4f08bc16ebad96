import { expect, test } from './fixtures.ts';
import { answered, markdownPreview, readySource } from './notebook.ts';

const garage = `# The garage

An automobile needs its oil changed every year, and its tyres looked at before the winter.

The lift is checked by the fitter in June.
`;
const kitchen = `# The kitchen

Lentils are stirred until they are soft. The stove is cleaned on Fridays.
`;

/** Words about cars, about cooking, and about neither. */
function meaning(text: string): Float32Array {
  return Float32Array.of(/vehicle|automobile/i.test(text) ? 1 : 0, /cook|lentil/i.test(text) ? 1 : 0, 0.1);
}

test.use({ files: { 'garage.md': garage, 'kitchen.md': kitchen } });

test.describe('semantic search by an endpoint', { tag: '@all' }, () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ window: 'embeddings' });
  test.beforeEach(({ vscode, model }) => {
    model.embed(meaning);
    vscode.set({
      'openNotebook.embeddings.baseUrl': model.baseUrl,
      'openNotebook.embeddings.model': 'scripted-embeddings',
      'openNotebook.embeddings.price': 1000,
    });
  });

  test('sends nothing before the user agrees to the cost, and can be started again after an error', async ({
    workbench,
    model,
  }) => {
    await workbench.explorerMenu(['garage.md', 'kitchen.md'], 'Add to Notebook');
    await readySource(workbench, 'garage.md');
    await readySource(workbench, 'kitchen.md');
    const consent = workbench.notification('Semantic search sends');
    await expect(consent).toContainText('$0.0');
    expect(model.requests.filter(({ path }) => path === '/v1/embeddings')).toEqual([]);
    await workbench.screenshot('embeddings-cost');
    model.embed({ status: 401 });
    await workbench.answerNotification('Semantic search sends', 'Start');
    const paused = workbench.page.getByRole('button', { name: /Embeddings paused/ });
    await expect(paused).toBeVisible();
    const before = await answered(workbench, 'vehicle maintenance');
    await expect(before).not.toContainText('oil changed');
    model.embed(meaning);
    // A busy window may miss a click.
    await expect(async () => {
      if (await paused.isVisible()) await paused.click({ timeout: 5_000 });
      await expect(paused).toBeHidden({ timeout: 5_000 });
    }).toPass();
  });

  test('finds a paraphrase, opens its citation, and reports the cost', async ({ workbench }) => {
    // Embedding may take a moment longer than its status bar item.
    let times = 0;
    await expect(async () => {
      const turn = await answered(workbench, `How is a vehicle maintained, asked ${String(++times)} times?`);
      await expect(turn.locator('.answer')).toContainText('oil changed every year', { timeout: 1_000 });
    }).toPass();
    const turn = await answered(workbench, 'How is a vehicle maintained?');
    await expect(turn.locator('.answer')).toContainText('An automobile needs its oil changed every year');
    await workbench.screenshot('embeddings-answer');
    await turn.locator('.chip').first().click();
    await expect(workbench.tab('garage.md').last()).toBeVisible();
    await workbench.run('Open Notebook: Show Usage');
    const row = markdownPreview(workbench).locator('tr', { hasText: 'scripted-embeddings' });
    await expect(row).toContainText(/about \$0\.\d/);
  });
});
