import { expect, test, themes } from './fixtures.ts';
import { clipboard, follow, scheme } from './links.ts';
import { answered, chatPanel, readySource } from './notebook.ts';

const prose = (subject: string): string =>
  `# ${subject}\n\n${`The ${subject} was painted green in 1931 and nobody has complained since then. `.repeat(4)}\n`;

test.use({
  editorModel: true,
  files: { 'harbour.md': prose('harbour') },
  settings: { 'workbench.colorTheme': themes.dark },
});

test(
  'a copied link to a citation opens the cited text',
  { tag: '@all' },
  async ({ workbench, workspace, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await chatPanel(workbench);
    await follow(
      workbench,
      `${scheme}/add?url=${encodeURIComponent(`file://${workspace.path('harbour.md')}`)}`,
    );
    await workbench.dialog('harbour.md').getByRole('button', { name: 'Add', exact: true }).click();
    await readySource(workbench, 'harbour.md');

    const turn = await answered(workbench, 'When was the harbour painted?');
    await turn.locator('figure.quote', { hasText: 'harbour' }).first().locator('.chip').first().hover();
    await turn.getByRole('button', { name: 'Copy link to citation' }).click();
    await workbench.screenshot('citation-card-link');
    await expect.poll(() => clipboard(workbench.page)).toContain(`${scheme}/open?notebook=`);
    const link = await clipboard(workbench.page);
    await follow(workbench, link);
    await workbench
      .dialog('Open this source in the notebook?')
      .getByRole('button', { name: 'Open', exact: true })
      .click();
    await expect(workbench.tab('harbour.md')).toBeVisible();
    await expect(workbench.page.locator('.view-overlays .cdr[class*="ced-"]').first()).toBeVisible();
  },
);
