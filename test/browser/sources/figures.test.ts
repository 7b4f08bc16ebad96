import { figurePdf } from '../../support/figure-pdf.ts';
import type { ChatRequest } from '../../support/openai-server.ts';
import { expect, test } from '../fixtures.ts';
import { answered, readySource, startOver } from '../notebook.ts';
import { modelSettings, sourcesWindow } from '../shared-windows.ts';

/** Returns the parts of the last question to a model: its text, and the URLs of its images. */
function listParts({ body }: ChatRequest): { text: string; pictures: string[] } {
  const { messages } = JSON.parse(body) as {
    messages: { content: string | { text?: string; image_url?: { url: string } }[] }[];
  };
  const content = messages.at(-1)?.content ?? '';
  if (typeof content === 'string') return { text: content, pictures: [] };
  return {
    text: content.map(({ text = '' }) => text).join(''),
    pictures: content.flatMap(({ image_url }) => image_url?.url ?? []),
  };
}

test.describe('Figure of a PDF', () => {
  test.use(sourcesWindow);

  test('appears with its citation, and opens at its caption', async ({ workbench, workspace }) => {
    await startOver(workbench, 'Figures');
    workspace.write('waterworks.pdf', figurePdf());
    await workbench.explorerMenu('waterworks.pdf', 'Add to Notebook');
    await readySource(workbench, 'waterworks.pdf');

    const turn = await answered(workbench, 'how does leakage rise with frost?');
    const figure = turn.locator('.figure').first();
    const picture = figure.locator('img');
    await figure.scrollIntoViewIfNeeded();
    await expect(picture).toBeVisible();
    await expect(picture).toHaveAttribute('alt', 'Figure 3: Results of the northern station by year.');
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(400);
    await expect(turn.locator('.figure')).toHaveCount(1);
    await workbench.screenshot('figure-quote');

    await figure.getByRole('button').press('Enter');
    const pdf = await workbench.webview('[aria-label="PDF"]');
    await expect(pdf.locator('.page[data-page-number="3"] .mark.current').first()).toBeVisible();
    await workbench.screenshot('figure-opened');
  });
});

test(
  'a figure is sent to a metered model only with consent',
  { tag: '@all' },
  async ({ vscode, workspace, model }) => {
    vscode.set({
      'openNotebook.endpoints': { Dear: { address: model.baseUrl, inputPrice: 3, outputPrice: 15 } },
      'openNotebook.model.baseUrl': model.baseUrl,
      'openNotebook.model.name': 'scripted-1',
      'openNotebook.answer.searches': false,
    });
    model.reply('As Figure 3 shows, leakage rises steeply once the frost sets in [1].');
    workspace.write('waterworks.pdf', figurePdf());
    const workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('waterworks.pdf', 'Add to Notebook');
    await readySource(workbench, 'waterworks.pdf');

    const turn = await answered(workbench, 'What does Figure 3 show?');
    await expect(turn.locator('.figure-status')).toContainText('Not sent to the model: Figure 3.');
    expect(model.chats.map(listParts).flatMap(({ pictures }) => pictures)).toEqual([]);
    await workbench.screenshot('figure-offered');

    const before = model.chats.length;
    await turn
      .getByRole('button', { name: /^Send images to 127\.0\.0\.1:\d+ and ask again$/ })
      .press('Enter');
    await expect(turn.locator('.figure-status')).toContainText('Sent to the model: Figure 3');
    const [asked] = model.chats.slice(before).map(listParts);
    expect(asked?.text).toContain('Attached, in this order: Figure 3, waterworks.pdf');
    expect(asked?.pictures).toHaveLength(1);
    expect(asked?.pictures[0]).toMatch(/^data:image\/png;base64,iVBOR/);

    await turn.locator('.chip').first().hover();
    const card = turn.locator('.card');
    await expect(card.locator('.figure img')).toBeVisible();
    await workbench.screenshot('figure-card');

    await workbench.run('Open Notebook: Show Retrieved Passages');
    await expect(workbench.editorLines.filter({ hasText: 'sent these images to the model' })).toBeVisible();
    await workbench.screenshot('figure-read');
  },
);

test.describe('Restricted Mode', { tag: '@all' }, () => {
  test.use({
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  });

  test('shows a figure, but doesn’t send it to a model', async ({ vscode, workspace, model }) => {
    vscode.set(modelSettings(model));
    model.reply('As Figure 3 shows, leakage rises steeply once the frost sets in [1].');
    workspace.write('waterworks.pdf', figurePdf());
    const workbench = await vscode.open(workspace.folder);
    await expect(workbench.statusBarItem('Restricted Mode')).toBeVisible();
    await workbench.explorerMenu('waterworks.pdf', 'Add to Notebook');
    await readySource(workbench, 'waterworks.pdf');
    const turn = await answered(workbench, 'What does Figure 3 show?');
    await turn.locator('.chip').first().hover();
    await expect(turn.locator('.card .figure img')).toBeVisible();
    await expect(turn.locator('.figure-status')).toHaveCount(0);
    expect(model.chats.map(listParts).flatMap(({ pictures }) => pictures)).toEqual([]);
  });
});
