import { startProxy } from '../support/proxy-server.ts';
import { redirect, startSite } from '../support/site.ts';
import { expect, test, themes } from './fixtures.ts';
import { addPage, chatPanel, readySource } from './notebook.ts';

const page = (subject: string): string =>
  `<title>The ${subject}</title><main><h1>The ${subject}</h1><p>${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}</p></main>`;

test.use({ settings: { 'workbench.colorTheme': themes.dark } });

test('a page of this machine is asked about once, and leads to no other port of it', async ({
  workbench,
  site,
}) => {
  const inner = await startSite({ '/latest/meta-data': page('secret') });
  site.set({ '/kite': page('kite'), '/away': redirect(`${inner.url}/latest/meta-data`) });
  await chatPanel(workbench);
  await workbench.run('Open Notebook: Add Web Page');
  await workbench.fill(`${site.url}/kite`);
  const asked = workbench.dialog('private network');
  await expect(asked).toContainText(new URL(site.url).host);
  await workbench.screenshot('private-page-asked');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(asked).toBeHidden();
  await workbench.showViews();
  expect(site.requests).toHaveLength(0);

  await addPage(workbench, `${site.url}/kite`);
  const kite = await readySource(workbench, 'The kite');
  await expect(workbench.rows('Sources')).toHaveCount(1);
  // What was agreed to is remembered.
  site.set({ '/kite': page('anvil') });
  await workbench.rowAction(kite, 'Refresh');
  await expect.poll(() => site.paths.filter((path) => path === '/kite').length).toBe(2);
  await expect(asked).toBeHidden();

  await addPage(workbench, `${site.url}/away`);
  const away = workbench.rows('Sources', '/away').first();
  await expect(away).toContainText('leads to');
  await workbench.screenshot('private-redirect-refused');
  await expect(async () => {
    await workbench.page.mouse.move(700, 500);
    await away.locator('.label-name').first().hover();
    const told = workbench.page.locator('.monaco-hover', { hasText: `${inner.url}/latest/meta-data` });
    await expect(told).toContainText('was not followed', { timeout: 3_000 });
  }).toPass();
  await workbench.screenshot('private-redirect-told');
  expect(inner.requests).toHaveLength(0);
  await inner.close();
});

test('pages are asked for through the proxy of the editor', async ({ vscode, workspace, site }) => {
  site.set({ '/kite': page('kite') });
  const proxy = await startProxy(site.url);
  vscode.set({ 'http.proxy': proxy.url });
  const workbench = await vscode.open(workspace.folder);
  await addPage(workbench, 'http://kites.example/kite');
  await readySource(workbench, 'The kite');
  expect(new Set(proxy.hosts.map((host) => host.replace(/:80$/, '')))).toEqual(new Set(['kites.example']));
  await proxy.close();
});
