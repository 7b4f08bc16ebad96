import type { Locator } from '@playwright/test';
import type { Workbench } from '../support/workbench.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import { expect, test } from './fixtures.ts';
import { answered, fixture, readySource } from './notebook.ts';

/** A Jupyter notebook with a cell that is longer than the window is high, and what it put out. */
const survey = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    {
      cell_type: 'code',
      id: 'survey',
      execution_count: 1,
      metadata: {},
      source: [
        ...Array.from({ length: 60 }, () => 'drain()'),
        '# The valve at the mill has the number 41.',
        ...Array.from({ length: 30 }, () => 'drain()'),
        'finish()',
      ].join('\n'),
      outputs: [
        { output_type: 'stream', name: 'stdout', text: 'The survey found 23 leaks in the northern pipe.\n' },
      ],
    },
    { cell_type: 'markdown', id: 'end', metadata: {}, source: 'Nothing more was measured.' },
  ],
});

/** Its pages are called iv, A-1 and A-2. */
const manual = tinyPdf({
  labels: '0 << /S /r /St 4 >> 1 << /S /D /P (A-) >>',
  pages: [
    'The preface thanks the crew and all who lent a hand when the ship was launched.',
    'The winch is oiled on Fridays.',
    'The anchor weighs 340 kilograms.',
  ].map((text) => ({ lines: column(72, 700, [text]) })),
});

/** Asks, and clicks the number of the quote that holds some words. */
async function follow(workbench: Workbench, question: string, words: string): Promise<Locator> {
  const turn = await answered(workbench, question);
  await turn.locator('figure.quote', { hasText: words }).first().locator('.chip').first().click();
  return turn;
}

test.describe('an archive of many formats is asked, cited and opened at the words', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  let workbench: Workbench;
  let archive: Locator;

  test('a folder of them is read', async ({ vscode, workspace }) => {
    for (const name of ['lamps.epub', 'ferry.rtf', 'letter.eml', 'tour.srt', 'talk.vtt', 'quay.svg'])
      workspace.copy(fixture(`office/${name}`), `archive/${name}`);
    workspace.copy(fixture('picture.txt'), 'archive/plain.png');
    workspace.copy(fixture('picture.txt'), 'alone.png');
    workspace.write('archive/survey.ipynb', survey);
    workspace.write('archive/manual.pdf', manual);
    workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('archive', 'Add to Notebook');
    archive = await readySource(workbench, 'archive');
    await expect(archive).toContainText('8 files');
  });

  test('a picture without words is refused, and the rest of its folder is read', async () => {
    await workbench.menu(archive, 'Show Passed Over Files');
    await expect(workbench.quickInput).toContainText(
      'is a PNG image without a title or description to find it by; give it one',
    );
    await workbench.screenshot('picture-passed-over');
    await workbench.page.keyboard.press('Escape');
    await workbench.explorerMenu('alone.png', 'Add to Notebook');
    await workbench.showViews();
    await expect(workbench.rows('Sources', 'alone.png')).toContainText(
      'is a PNG image without a title or description',
    );
  });

  test('books, rich text and mail open as they read', async () => {
    for (const [question, words, tab] of [
      [
        'How many litres did a harbour lamp use in a winter night?',
        'nine litres',
        'A short history of lamps',
      ],
      ['What is strewn on the ramp from December on?', 'strewn with salt', 'The ferry at Lund Sound'],
      ['Where does the spare key of the pump house hang?', 'hangs in the café', 'Die Tür of the pump house'],
    ] as const) {
      await follow(workbench, question, words);
      await expect(workbench.tab(tab)).toBeVisible();
      await workbench.webview(`main.page mark:has-text("${words}")`);
      await workbench.screenshot(`citation-${tab.slice(0, 5).trim()}`);
    }
  });

  test('subtitles and drawings open at their lines', async () => {
    const film = await follow(workbench, 'Where was the tar boiled?', 'tar was boiled');
    await expect(film).toContainText('tour.srt');
    await expect(workbench.tab('tour.srt')).toBeVisible();
    const marked = workbench.page.locator('.editor-instance .view-overlays .cdr[class*="ced-"]').first();
    await expect(workbench.editorLines.filter({ hasText: 'The tar was boiled' })).toBeVisible();
    await expect(marked).toBeVisible();
    await follow(workbench, 'How many cranes does the quay have?', 'three cranes');
    await expect(workbench.tab('quay.svg')).toBeVisible();
    await expect(workbench.editorLines.filter({ hasText: 'three cranes' })).toBeVisible();
    await expect(marked).toBeVisible();
  });

  test('a page is named as it is printed', async () => {
    const turn = await follow(workbench, 'How much does the anchor weigh?', '340 kilograms');
    await expect(turn).toContainText('p. A-2');
    await expect((await workbench.webview('[aria-label="PDF"]')).locator('.mark').first()).toBeVisible();
  });

  test('what a cell put out is brought into view, and what was cited of it is told', async () => {
    const turn = await follow(workbench, 'How many leaks were found in the northern pipe?', '23 leaks');
    await expect(turn).toContainText('cell 1, output');
    await expect(workbench.tab('survey.ipynb')).toBeVisible();
    const cited = workbench.page.locator('.cell-statusbar-container', { hasText: 'Cited from the output' });
    await expect(cited).toContainText('“The survey found 23 leaks in the northern pipe.”');
    const lines = workbench.page.locator('.notebookOverlay .view-line');
    await expect(lines.filter({ hasText: 'finish' })).toBeInViewport();
    await workbench.screenshot('citation-in-output');
    await follow(workbench, 'Which number has the valve at the mill?', 'valve at the mill');
    await expect(workbench.page.locator('.notebookOverlay .cdr[class*="ced-"]').first()).toBeVisible();
    await expect(cited).toHaveCount(0);
  });
});
