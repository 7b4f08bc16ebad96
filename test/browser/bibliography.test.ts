import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import type { Workbench } from '../support/workbench.ts';
import { status } from '../support/site.ts';
import { expect, test } from './fixtures.ts';
import {
  agreeToHost,
  answered,
  exportNote,
  inEachTheme,
  markdownPreview,
  openLink,
  readySource,
} from './notebook.ts';

const library = `@article{wang2023,
  author = {Wang, Guanzhi and Xie, Yuqi},
  title = {Voyager: an open-ended agent},
  journal = {Transactions on Agents},
  year = {2023},
  doi = {10.1000/voyager}
}
@book{broken, title = {Never closed}
@book{knuth, author = {Knuth, Donald E.}, title = {The TeXbook}, publisher = {Addison-Wesley}, year = 1984}
`;

const paper = `<!doctype html><html lang="en"><head><title>Voyager</title>
<meta name="citation_title" content="Voyager: an open-ended agent"><meta name="citation_author" content="Wang, Guanzhi">
<meta name="citation_doi" content="10.1000/voyager"></head>
<body><article><h1>Voyager</h1><p>${'An agent explores the world and keeps what it learns. '.repeat(6)}</p></article></body></html>`;

test.use({
  files: { 'works.bib': library, 'paper.html': paper },
  settings: { 'files.autoSave': 'off', 'editor.autoClosingBrackets': 'never' },
});

test.describe('works of a library and of sources', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  test('what is broken in the library is named, and what a source is as a work is told', async ({
    workbench,
  }) => {
    const { page } = workbench;
    await workbench.explorerMenu(['works.bib', 'paper.html'], 'Add to Notebook');
    const bib = await readySource(workbench, 'works.bib');
    const source = await readySource(workbench, 'paper.html');
    await expect(await workbench.hover(bib, 'broken')).toContainText('in line 8 does not end');
    await expect(await workbench.hover(source, 'Guanzhi Wang')).toContainText('doi:10.1000/voyager');
    await workbench.screenshot('bibliography-tooltip');
    await page.mouse.move(0, 0);
  });

  test('what a source is as a work is edited', async ({ workbench, workspace }) => {
    const { page } = workbench;
    await workbench.menu(workbench.rows('Sources', 'paper.html'), 'Edit Bibliography…');
    await inEachTheme(workbench, workspace, [], (name) => workbench.screenshot(`bibliography-${name}`));
    await workbench.pick('Year');
    await workbench.fill('2024');
    await expect(workbench.quickInput).toContainText('2024');
    await page.keyboard.press('Escape');
  });

  test('the citation key of a source is copied', async ({ workbench, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = workbench;
    await workbench.menu(workbench.rows('Sources', 'paper.html'), 'Copy Citation Key');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('[@wang2024voyager]');
  });

  test('all works are exported, those of the library as they stand in it', async ({
    workbench,
    workspace,
  }) => {
    await workbench.run('Open Notebook: Export Bibliography…');
    const box = workbench.quickInput.locator('input').first();
    await expect(box).toHaveValue(/bibliography\.bib$/);
    await box.press('Enter');
    await expect(workbench.notification('“Bibliography” was exported to bibliography.bib.')).toBeVisible();
    const written = readFileSync(join(workspace.folder, 'bibliography.bib'), 'utf8');
    const [voyager, , knuth] = library.split(/\n(?=@)/);
    expect(written).toContain(voyager?.trim());
    expect(written).toContain(knuth?.trim());
    // The paper is the work that the library lists.
    expect(written.match(/^@/gm)).toHaveLength(2);
    await workbench.run('Notifications: Clear All Notifications');
  });

  test('a key is completed in a note, told of and opened', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.run('Open Notebook: New Note');
    await workbench.fill('Agents');
    await expect(workbench.statusBarItem('Ln 3, Col 1')).toBeVisible();
    await page.keyboard.type('They explore [see @knu');
    await expect(
      page.locator('.suggest-widget .monaco-list-row', { hasText: 'knuth' }).first(),
    ).toBeVisible();
    await workbench.screenshot('citation-key-completed');
    await page.keyboard.press('Enter');
    await page.keyboard.type('; @wang2023, p. 3].');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+s');
    await expect(workbench.tab('Agents.md')).not.toHaveClass(/dirty/);
    await workbench.goTo(3, 20);
    await workbench.run('Show or Focus Hover');
    await expect(page.locator('.monaco-hover', { hasText: 'The TeXbook' })).toContainText('Knuth (1984)');
    await page.keyboard.press('Escape');
    await openLink(workbench, 'works.bib');
    await expect(workbench.statusBarItem('Ln 9, Col 1')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+w');
  });

  test('keys of a note are links in the Markdown preview, too', async ({ workbench }) => {
    await workbench.tab('Agents.md').click();
    await workbench.run('Markdown: Open Preview to the Side');
    await markdownPreview(workbench).getByRole('link', { name: '@knuth' }).click();
    await expect(workbench.statusBarItem('Ln 9, Col 1')).toBeVisible();
    await workbench.screenshot('citation-key-in-preview');
    await workbench.run('View: Close All Editors in Group');
    await expect(workbench.tab('Agents.md')).toHaveCount(1);
  });

  test('a note is exported with its references', async ({ workbench, workspace }) => {
    const { editorLines } = workbench;
    await workbench.tab('Agents.md').click();
    await workbench.run('Open Notebook: Export Note…');
    await workbench.pick('Markdown');
    await expect(
      editorLines
        .filter({ hasText: '(Knuth, 1984; Wang & Xie, 2023, p. 3)' })
        .or(editorLines.filter({ hasText: 'see Knuth, 1984' })),
    ).toBeVisible();
    await expect(editorLines.filter({ hasText: 'Addison-Wesley' })).toBeVisible();
    await workbench.screenshot('references-exported');
    await workbench.tab('Agents.md').click();
    await exportNote(workbench, 'HTML', 'html');
    const name = readdirSync(workspace.folder).find((one) => one.startsWith('Agents')) ?? '';
    expect(readFileSync(join(workspace.folder, name), 'utf8')).toContain('<em>The TeXbook</em>');
  });

  test('a library that changes is read again', async ({ workbench, workspace }) => {
    const { page } = workbench;
    workspace.write(
      'works.bib',
      library.replace('1984', '1986').replace('{The TeXbook}', '{The METAFONTbook}'),
    );
    await workbench.tab('Agents.md').click();
    await workbench.goTo(3, 20);
    await expect(async () => {
      await workbench.run('Show or Focus Hover');
      await expect(page.locator('.monaco-hover', { hasText: 'METAFONTbook' })).toContainText('Knuth (1986)', {
        timeout: 2_000,
      });
    }).toPass();
    await workbench.resize(620, 800);
    await workbench.screenshot('bibliography-narrow');
  });
});

test.describe('a work that is added by its number', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });
  let workbench: Workbench;
  const csl = (item: object): object => ({
    headers: { 'content-type': 'application/vnd.citationstyles.csl+json' },
    body: JSON.stringify({ type: 'article', ...item }),
  });
  /** @param answer to whether it may be asked for; without one that was agreed to for good */
  const add = async (number: string, answer?: string): Promise<void> => {
    await workbench.run('Open Notebook: Add Work by DOI or arXiv Number');
    await workbench.fill(number);
    if (answer !== undefined)
      await workbench.dialog(`about ${number}`).getByRole('button', { name: answer, exact: true }).click();
    await agreeToHost(workbench);
  };

  test('tells what its registry knows where its text is not open', async ({ vscode, site, workspace }) => {
    site.set({
      '/10.1000/closed': csl({
        title: 'A closed work on tides',
        author: [{ family: 'Berg', given: 'Anna' }],
        issued: { 'date-parts': [[2021]] },
        abstract: '<jats:p>It finds 14 tides a week.</jats:p>',
      }),
      '/10.48550/arxiv.2305.16291': csl({ title: 'An open work', URL: `${site.url}/abs/2305.16291` }),
      '/pdf/2305.16291': {
        headers: { 'content-type': 'application/pdf' },
        body: tinyPdf({
          pages: [
            {
              lines: column(72, 700, [
                'The open work counts 77 lighthouses on the coast.',
                'It lists their lamps and their keepers, and the years in which they were lit.',
              ]),
            },
          ],
        }),
      },
    });
    vscode.set({ 'openNotebook.bibliography.lookUpAddress': site.url });
    workbench = await vscode.open(workspace.folder);
    await add('10.1000/closed', 'Ask');
    const row = await readySource(workbench, 'A closed work on tides');
    await expect(await workbench.hover(row, 'Anna Berg')).toContainText('is not open to everybody');
    await workbench.screenshot('work-by-doi');
    await workbench.page.mouse.move(0, 0);
    const turn = await answered(workbench, 'How many tides a week?');
    await expect(turn.locator('figure.quote').first()).toContainText('14 tides');
  });

  test('has its text where it is one of arXiv', async () => {
    await add('2305.16291', 'Ask about Every Work');
    await agreeToHost(workbench);
    await readySource(workbench, 'An open work');
    const turn = await answered(workbench, 'How many lighthouses are on the coast?');
    await expect(turn.locator('figure.quote').first()).toContainText('77 lighthouses');
  });

  test('is not added where nobody knows it, which is said', async () => {
    await add('10.1000/unknown');
    await expect(workbench.notification('does not tell of this work')).toBeVisible();
    await workbench.run('Notifications: Clear All Notifications');
  });

  test('tells what a source is as a work, too, once it is looked up', async ({ site }) => {
    await workbench.explorerMenu('paper.html', 'Add to Notebook');
    const source = await readySource(workbench, 'paper.html');
    site.set({ '/10.1000/voyager': status(404) });
    await workbench.menu(source, 'Look Up Bibliography…');
    await agreeToHost(workbench);
    await expect(workbench.notification('does not tell of this work')).toBeVisible();
    await workbench.run('Notifications: Clear All Notifications');
    site.set({
      '/10.1000/voyager': csl({
        title: 'Voyager, as it was printed',
        author: [{ family: 'Wang', given: 'Guanzhi' }],
        issued: { 'date-parts': [[2025]] },
      }),
    });
    await workbench.menu(source, 'Look Up Bibliography…');
    await agreeToHost(workbench);
    await expect(workbench.notification('is known as “Voyager, as it was printed” now.')).toBeVisible();
    await workbench.screenshot('bibliography-looked-up');
    await expect(await workbench.hover(source, 'Guanzhi Wang')).toContainText('2025 · doi:10.1000/voyager');
  });
});
