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

test(
  'citations open the cell of an output and the printed page number of a PDF',
  { tag: '@all' },
  async ({ vscode, workspace }) => {
    workspace.copy(fixture('office/tour.srt'), 'archive/tour.srt');
    workspace.copy(fixture('office/lamps.epub'), 'archive/lamps.epub');
    workspace.write('archive/survey.ipynb', survey);
    workspace.write('archive/manual.pdf', manual);
    const workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('archive', 'Add to Notebook');
    await expect(await readySource(workbench, 'archive')).toContainText('4 files');

    await test.step('a book opens as text', async () => {
      await follow(workbench, 'How many litres did a harbour lamp use in a winter night?', 'nine litres');
      await expect(workbench.tab('A short history of lamps')).toBeVisible();
      await workbench.webview('main.page mark:has-text("nine litres")');
      await workbench.screenshot('citation-A sho');
    });

    await test.step('subtitles open at their lines', async () => {
      await follow(workbench, 'Where was the tar boiled?', 'tar was boiled');
      await expect(workbench.tab('tour.srt')).toBeVisible();
      await expect(workbench.editorLines.filter({ hasText: 'The tar was boiled' })).toBeVisible();
      const marked = workbench.page.locator('.editor-instance .view-overlays .cdr[class*="ced-"]').first();
      await expect(marked).toBeVisible();
    });

    await test.step('a citation shows the printed page number', async () => {
      const turn = await follow(workbench, 'How much does the anchor weigh?', '340 kilograms');
      await expect(turn).toContainText('p. A-2');
      await expect((await workbench.webview('[aria-label="PDF"]')).locator('.mark').first()).toBeVisible();
    });

    await test.step('a cell shows which words of its output are cited, until another is cited', async () => {
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
  },
);
