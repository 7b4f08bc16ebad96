import { join } from 'node:path';
import { expect, test, themes } from './fixtures.ts';
import { clipboard, follow, scheme } from './links.ts';
import { agreeToHost, answered, chatPanel, readySource } from './notebook.ts';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

test.use({
  editorModel: true,
  files: { 'harbour.md': prose('harbour') },
  settings: { 'workbench.colorTheme': themes.dark },
});

test('links from outside add and open what the user agrees to, and hostile ones are refused', async ({
  workbench,
  workspace,
  context,
  site,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  site.set({ '/kite': `<title>The kite</title><main>${prose('kite')}</main>` });
  await chatPanel(workbench);

  await follow(workbench, `${scheme}/add?url=${encodeURIComponent(`${site.url}/kite`)}`);
  const asked = workbench.dialog('Add this web page to the notebook?');
  await expect(asked).toContainText(`${site.url}/kite`);
  await workbench.screenshot('link-add');
  await asked.getByRole('button', { name: 'Add', exact: true }).click();
  // The link is no leave to read what is on this machine.
  await agreeToHost(workbench);
  await readySource(workbench, 'The kite');

  const file = join(workspace.folder, 'harbour.md');
  await follow(workbench, `${scheme}/add?url=${encodeURIComponent(`file://${file}`)}`);
  await workbench.dialog('harbour.md').getByRole('button', { name: 'Add', exact: true }).click();
  await readySource(workbench, 'harbour.md');

  for (const [query, refusal] of [
    ['url=file:///etc/passwd', 'neither a web page nor a file of this workspace'],
    [`url=file://${workspace.folder}/../../../etc/passwd`, 'neither a web page nor a file'],
    ['url=javascript:alert(1)', 'neither a web page nor a file of this workspace'],
    ['url=https://a:b@example.com/', 'carries a name or password'],
  ] as const) {
    await follow(workbench, `${scheme}/add?${encodeURIComponent(query)}`);
    await expect(workbench.notification(refusal).first()).toBeVisible();
    await workbench.run('Notifications: Clear All Notifications');
  }
  await expect(workbench.rows('Sources')).toHaveCount(2);

  const turn = await answered(workbench, 'When was the harbour painted?');
  await turn.locator('figure.quote', { hasText: 'harbour' }).first().locator('.chip').first().hover();
  await turn.getByRole('button', { name: 'Copy link to citation' }).click();
  await workbench.screenshot('citation-card-link');
  await expect.poll(() => clipboard(workbench.page)).toContain(`${scheme}/open?notebook=`);
  const link = await clipboard(workbench.page);
  await follow(workbench, link);
  await workbench
    .dialog('Open this source of the notebook?')
    .getByRole('button', { name: 'Open', exact: true })
    .click();
  await expect(workbench.tab('harbour.md')).toBeVisible();
  await expect(workbench.page.locator('.view-overlays .cdr[class*="ced-"]').first()).toBeVisible();
});
