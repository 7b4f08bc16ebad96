import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dragSideBar } from '../support/dragging.ts';
import { figurePdf } from '../support/figure-pdf.ts';
import type { ChatRequest } from '../support/openai-server.ts';
import { root } from '../support/paths.mjs';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, inEachTheme, readySource, startOver } from './notebook.ts';

const caption = 'Figure 3: Results of the northern station by year.';

/** The parts of what was asked last of a model: its text, and its pictures' addresses. */
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

test.describe('in one window', () => {
  test.describe.configure({ mode: 'default' });
  test.use({ shared: true });
  test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));

  test('an image that Markdown names is seen', async ({ workbench, workspace }) => {
    workspace.copy(join(root, 'media', 'readme', 'window.png'), 'pump/images/pump.png');
    workspace.write(
      'pump/pump.md',
      [
        '# The pump',
        'How the pump lifts water is drawn in Figure 1, from the well to the barrel.',
        '![A drawing](images/pump.png)\n*Figure 1: The pump and its pipes*',
      ].join('\n\n'),
    );
    await workbench.explorerMenu('pump', 'Add to Notebook');
    await readySource(workbench, 'pump');

    const pump = await answered(workbench, 'how does the pump lift water?');
    await pump.locator('.figure').first().scrollIntoViewIfNeeded();
    await expect(pump.locator('.figure img').first()).toBeVisible();
    await expect(pump.locator('.figure img').first()).toHaveAttribute('alt', /Figure 1: The pump/);
    await workbench.screenshot('figure-markdown');
  });

  test('what a cell of a Jupyter notebook drew is seen', async ({ workbench, workspace }) => {
    workspace.write(
      'losses.ipynb',
      JSON.stringify({
        nbformat: 4,
        nbformat_minor: 5,
        metadata: {},
        cells: [
          {
            cell_type: 'code',
            execution_count: 1,
            metadata: {},
            source: 'plot_losses(of_winters)',
            outputs: [
              {
                output_type: 'display_data',
                metadata: {},
                data: {
                  'image/png': readFileSync(join(root, 'media', 'icon.png')).toString('base64'),
                  'text/plain': '<Figure size 128x128 with 1 Axes>',
                },
              },
            ],
          },
        ],
      }),
    );
    await workbench.explorerMenu('losses.ipynb', 'Add to Notebook');
    await readySource(workbench, 'losses.ipynb');

    const losses = await answered(workbench, 'plot_losses(of_winters)');
    const drawn = losses.locator('.figure').first();
    await drawn.scrollIntoViewIfNeeded();
    await expect(drawn.locator('img')).toBeVisible();
    await expect(drawn.locator('img')).toHaveAttribute('alt', 'cell 1, output');
  });

  test('an image that is missing or too large is told of, and none is fetched', async ({
    workbench,
    workspace,
  }) => {
    const huge = Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      Buffer.from('000075300000753008060000000000000000', 'hex'),
      Buffer.alloc(64),
    ]);
    workspace.write('town/huge.png', huge);
    workspace.write(
      'town/town.md',
      [
        '# The mill',
        '![The mill beside the river in winter](../../secret.png)',
        '# The tower',
        '![The tower above the town at night](huge.png)',
        '# The bridge',
        '![The bridge over the river in spring](https://bridges.example/bridge.png)',
      ].join('\n\n'),
    );
    await workbench.explorerMenu('town', 'Add to Notebook');
    await readySource(workbench, 'town');

    const mill = await answered(workbench, 'mill beside the river in winter');
    const missing = mill.locator('.quote', { hasText: 'The mill' }).locator('.figure');
    await missing.scrollIntoViewIfNeeded();
    await expect(missing).toContainText('is not among its files');

    const tower = await answered(workbench, 'tower above the town at night');
    const tooLarge = tower.locator('.quote', { hasText: 'The tower' }).locator('.figure');
    await tooLarge.scrollIntoViewIfNeeded();
    await expect(tooLarge).toContainText('too many pixels');

    const bridge = await answered(workbench, 'bridge over the river in spring');
    await expect(bridge.locator('.quote', { hasText: 'The bridge over' })).toBeVisible();
    await expect(bridge.locator('.quote', { hasText: 'The bridge over' }).locator('.figure')).toHaveCount(0);
  });

  test('a figure of a PDF is seen with the words that name it, in every theme and a narrow bar, and opens at its caption', async ({
    workbench,
    workspace,
  }) => {
    workspace.write('waterworks.pdf', figurePdf());
    await workbench.explorerMenu('waterworks.pdf', 'Add to Notebook');
    await readySource(workbench, 'waterworks.pdf');

    const turn = await answered(workbench, 'how does leakage rise with frost?');
    const figure = turn.locator('.figure').first();
    const picture = figure.locator('img');
    await figure.scrollIntoViewIfNeeded();
    await expect(picture).toBeVisible();
    await expect(picture).toHaveAttribute('alt', caption);
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(400);
    await expect(turn.locator('.figure')).toHaveCount(1);

    const panel = await chatPanel(workbench);
    await inEachTheme(workbench, workspace, [panel], async (name) => {
      await picture.scrollIntoViewIfNeeded();
      await workbench.screenshot(`figure-quote-${name}`);
      expect.soft(await seriousProblems(panel.locator('body'), 'sideBar')).toEqual([]);
    });
    await dragSideBar(workbench, 170);
    await picture.scrollIntoViewIfNeeded();
    const { width } = (await picture.boundingBox()) ?? { width: Infinity };
    expect(width).toBeLessThan(170);
    await workbench.screenshot('figure-narrow');

    await figure.getByRole('button').press('Enter');
    const pdf = await workbench.webview('[aria-label="PDF"]');
    await expect(pdf.locator('.page[data-page-number="3"] .mark.current').first()).toBeVisible();
    await workbench.screenshot('figure-opened');
  });
});

test('a figure that a question names goes to a model that costs something once that is agreed to, and not before', async ({
  vscode,
  workspace,
  model,
}) => {
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
  await expect(turn.locator('.figures-told')).toContainText('Not shown to the model: Figure 3.');
  expect(model.chats.map(listParts).flatMap(({ pictures }) => pictures)).toEqual([]);
  await workbench.screenshot('figure-offered');

  const before = model.chats.length;
  await turn
    .getByRole('button', { name: /^Send pictures to 127\.0\.0\.1:\d+ and ask again$/ })
    .press('Enter');
  await expect(turn.locator('.figures-told')).toContainText('Shown to the model: Figure 3');
  const [asked] = model.chats.slice(before).map(listParts);
  expect(asked?.text).toContain('Attached, in this order: Figure 3, waterworks.pdf');
  expect(asked?.pictures).toHaveLength(1);
  expect(asked?.pictures[0]).toMatch(/^data:image\/png;base64,iVBOR/);

  await turn.locator('.chip').first().hover();
  const card = turn.locator('.card');
  await expect(card.locator('.figure img')).toBeVisible();
  await workbench.screenshot('figure-card');

  await workbench.run('Open Notebook: Show What Was Read');
  await expect(workbench.editorLines.filter({ hasText: 'These pictures went to the model' })).toBeVisible();
  await workbench.screenshot('figure-read');

  model.reply((request) =>
    listParts(request).pictures.length > 0
      ? { status: 400, message: 'Invalid content type. image_url is only supported by certain models.' }
      : 'It shows that leakage rises steeply once the frost sets in [1].',
  );
  const again = await answered(workbench, 'And what is seen in Figure 3 of frost?');
  await expect(again.locator('.figures-told')).toContainText('scripted-1 took no pictures');
  await expect(again).toContainText('leakage rises steeply');
});

test.describe('In Restricted Mode', () => {
  test.use({
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  });

  test('a figure is seen, and goes to no model', async ({ vscode, workspace, model }) => {
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
    model.reply('As Figure 3 shows, leakage rises steeply once the frost sets in [1].');
    workspace.write('waterworks.pdf', figurePdf());
    const workbench = await vscode.open(workspace.folder);
    await expect(workbench.statusBarItem('Restricted Mode')).toBeVisible();
    await workbench.explorerMenu('waterworks.pdf', 'Add to Notebook');
    await readySource(workbench, 'waterworks.pdf');
    const turn = await answered(workbench, 'What does Figure 3 show?');
    await turn.locator('.chip').first().hover();
    await expect(turn.locator('.card .figure img')).toBeVisible();
    await expect(turn.locator('.figures-told')).toHaveCount(0);
    expect(model.chats.map(listParts).flatMap(({ pictures }) => pictures)).toEqual([]);
  });
});
