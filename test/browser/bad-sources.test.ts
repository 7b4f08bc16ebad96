import { file, never, type SitePage } from '../support/site.ts';
import { expect, test } from './fixtures.ts';
import { addPage, answered, ask, fixture, readySource, findTurn, startOver } from './notebook.ts';

const note =
  '# A note\n\nThe lighthouse keeper counts the ships that pass at night and writes their names down.\n';

test.describe.configure({ mode: 'default' });
test.use({ shared: true });
test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));

test('each bad file says why in words, and a good one beside them is read', async ({
  workbench,
  workspace,
}) => {
  const names = ['empty.txt', 'picture.txt', 'encrypted.pdf', 'truncated.pdf', 'utf-16.txt'];
  for (const name of names) workspace.copy(fixture(name), name);
  workspace.write('huge.html', Buffer.alloc(50 * 1024 * 1024, '<p>a page that never ends\n'));
  workspace.write('note.md', note);
  await workbench.explorerMenu([...names, 'huge.html', 'note.md'], 'Add to Notebook');
  await expect(workbench.quickInput).toContainText('encrypted.pdf is protected');
  await workbench.page.keyboard.press('Escape');
  await workbench.showViews();
  const says = (name: string, words: RegExp): Promise<void> =>
    expect(workbench.rows('Sources', name).first()).toContainText(words);
  await says('empty.txt', /empty/i);
  await says('picture.txt', /PNG|picture|image|binary|not text/i);
  await says('encrypted.pdf', /password|encrypted/i);
  await says('huge.html', /MB/);
  await readySource(workbench, 'utf-16.txt');
  await readySource(workbench, 'note.md');
  // What can be read of a truncated PDF is read, or it says that it is damaged.
  await says('truncated.pdf', /passage|damaged|incomplete/i);
  await workbench.screenshot('bad-sources');
  const turn = await answered(workbench, 'What does the lighthouse keeper count?');
  await expect(turn.locator('figure.quote').first()).toContainText('counts the ships');
});

test('a page that is not there and one that never answers say so; reading can be stopped', async ({
  workbench,
  site,
}) => {
  site.set({ '/silent': never });
  await addPage(workbench, `${site.url}/missing`);
  await workbench.showViews();
  await expect(workbench.rows('Sources', '/missing')).toContainText(/404|not there|no page|not found/i);
  await addPage(workbench, `${site.url}/silent`);
  const row = workbench.rows('Sources', '/silent');
  await expect(row).toContainText('Reading');
  await workbench.rowAction(row, 'Stop Reading');
  await expect(row).toContainText('Stopped');
  await addPage(workbench, 'ftp://example.invalid/file');
  await expect(workbench.quickInput).toContainText('https://');
});

test('a folder that is removed while it is read keeps what was read, and says so', async ({
  workbench,
  workspace,
}) => {
  for (let i = 0; i < 600; i++)
    workspace.write(
      `gone/note-${String(i)}.md`,
      `# Note ${String(i)}\n\n${'Wind and weather are written down here each morning. '.repeat(60)}`,
    );
  await workbench.explorerMenu('gone', 'Add to Notebook');
  await workbench.showViews();
  const row = workbench.rows('Sources', 'gone');
  await expect(row).toContainText(/Reading [1-9]\d* of 600 files/);
  workspace.remove('gone');
  // Said when the reading comes to its end, and once more when the folder's removal makes it be read again.
  await expect(row).toContainText(/(removed while it was read|no longer there); what was read of it is kept/);
  const turn = await answered(workbench, 'What is written down each morning?');
  await expect(turn.locator('figure.quote').first()).toContainText('Wind and weather');
});

test('a page is fetched once more when it is refreshed, and what was taken of it is told, and why', async ({
  workbench,
  site,
}) => {
  const html = (depth: number): string =>
    `<!doctype html><title>The well</title><nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Contact us</a></li></ul></nav><main><h1>The well</h1><p>The well is ${String(depth)} metres deep, and the water in it has never been known to freeze in any winter that people remember.</p></main>`;
  site.set({ '/well': (_request, before) => html(before === 0 ? 30 : 31) });
  await addPage(workbench, `${site.url}/well`);
  const row = await readySource(workbench, 'The well');
  await workbench.rowAction(row, 'Refresh Source');
  // It may be asked about before it was fetched, so that there are several such turns.
  const question = 'How deep is the well?';
  await expect(async () => {
    const turn = findTurn(await ask(workbench, question), question).last();
    await expect(turn.locator('figure.quote')).toContainText('31 metres', { timeout: 2000 });
  }).toPass();

  await workbench.menu(row, 'Show What Was Taken of the Page');
  await expect(workbench.tab('What was taken.md')).toBeVisible();
  const lines = workbench.editorLines;
  await expect(lines.filter({ hasText: '**Taken**' }).first()).toBeVisible();
  await expect(lines.filter({ hasText: 'The well is 31 metres deep' }).first()).toBeVisible();
  await workbench.screenshot('page-report');
});

test('a folder of a repository is read by its link, and opened, and refreshed', async ({
  workbench,
  site,
}) => {
  const json = (body: object): SitePage => file('application/json', JSON.stringify(body));
  const api = '/api/v4/projects/mill%2Fgrain';
  const raw = (path: string): string => `${api}/repository/files/${encodeURIComponent(path)}/raw`;
  const listed = (paths: readonly string[]): SitePage =>
    json(paths.map((path) => ({ path, type: 'blob', id: `1 ${path}` })));
  site.set({
    [api]: json({ path_with_namespace: 'mill/grain', default_branch: 'main' }),
    [`${api}/repository/tree`]: listed(['docs/wheel.md', 'docs/stones/dressing.md', 'docs/picture.png']),
    [raw('docs/wheel.md')]: '# The wheel\n\nThe wheel of the mill turns eleven times a minute.\n',
    [raw('docs/stones/dressing.md')]: '# Stones\n\nThe stones are dressed every five weeks.\n',
  });
  await addPage(workbench, `${site.url}/mill/grain/-/tree/main/docs`);
  const repository = workbench.rows('Sources', 'mill/grain/docs').first();
  await expect(repository).toContainText('2 files');
  const turn = await answered(workbench, 'How often are the stones dressed?');
  await expect(turn.locator('figure.quote').first()).toContainText('every five weeks');
  await expect(turn).toContainText('docs/stones/dressing.md');
  await repository.click();
  await workbench.page.keyboard.press('ArrowRight');
  await workbench.rows('Sources', 'wheel.md').first().click();
  await expect(
    (await workbench.webview('text=eleven times')).getByText('turns eleven times a minute'),
  ).toBeVisible();
  await workbench.screenshot('repository');
  site.set({ [`${api}/repository/tree`]: listed(['docs/wheel.md']) });
  await workbench.rowAction(repository, 'Refresh Source');
  await expect(repository).toContainText('1 file');
  expect(site.paths.filter((path) => path.startsWith(raw('docs/wheel.md')))).toHaveLength(1);
});
