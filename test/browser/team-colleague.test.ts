import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from './fixtures.ts';
import { clipboard, follow } from './links.ts';
import { addFile, answered } from './notebook.ts';
import { openGarden, shareGarden, shareTeam } from './team-steps.ts';

const garden = '# The garden\n\nTomatoes are watered every second morning with rainwater from the barrel.\n';
const kitchen = '# The kitchen\n\nBread is baked on Saturdays in the stone oven behind the house.\n';

test.use({ editorModel: true, files: { 'garden.md': garden, 'kitchen.md': kitchen } });

/** The notebook of a team's on a machine. */
function replica(globalStorage: string): DatabaseSync {
  const [path = ''] = globSync(join(globalStorage, '**', 'team-*', 'notebook.sqlite'));
  return new DatabaseSync(path, { timeout: 5_000 });
}

test.describe('a colleague', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  const team = shareTeam('withModel');
  let link: string;

  test('gets the link that one copies to a citation of a shared notebook', async ({ context, workbench }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await addFile(workbench, 'garden.md');
    await shareGarden(workbench, team().ada);
    const turn = await answered(workbench, 'How often are tomatoes watered?');
    await turn.locator('figure.quote', { hasText: 'rainwater' }).first().locator('.chip').first().hover();
    await turn.getByRole('button', { name: 'Copy link to citation' }).click();
    await expect.poll(() => clipboard(workbench.page)).toContain('/open?');
    link = await clipboard(workbench.page);
  });

  test('follows it, and sees the words in the reading', async () => {
    const other = await team().other();
    await openGarden(other, team().ben);
    await follow(other, link);
    await other
      .dialog('Open this source of the notebook?')
      .getByRole('button', { name: 'Open', exact: true })
      .click();
    const reading = await other.webview('main.page');
    await expect(reading.locator('mark').first()).toContainText('rainwater');
    await other.screenshot('team-colleague-link');
  });

  test('asks for what no machine has room for, which is brought in', async ({ vscode, workbench }) => {
    const { machine } = team();
    const other = await team().other();
    // Both machines are full: their passages are counted so.
    for (const storage of [vscode.globalStorage, machine.globalStorage]) {
      const database = replica(storage);
      database.exec('UPDATE documents SET passages = 200000');
      database.close();
    }
    await workbench.page.bringToFront();
    await addFile(workbench, 'kitchen.md');
    await other.page.bringToFront();
    await expect(other.rows('Sources', 'kitchen.md')).toContainText(
      'in the team’s database, not on this machine',
    );
    await other.screenshot('team-not-here');
    const held = (): unknown => {
      const database = replica(machine.globalStorage);
      const rows = database
        .prepare('SELECT 1 FROM documents WHERE text IS NOT NULL AND passages < 200000')
        .all();
      database.close();
      return rows.length;
    };
    expect(held()).toBe(0);
    let asked = 0;
    await expect(async () => {
      const question = `When is bread baked in the stone oven, asked ${String(++asked)} times?`;
      await expect(await answered(other, question)).toContainText('Saturdays', { timeout: 2_000 });
    }).toPass();
    expect(held()).toBe(1);
    await expect(other.rows('Sources', 'kitchen.md')).toContainText('1 passage');
    await other.screenshot('team-brought-in');
  });

  test('is told no sizes, and that who manages is told them', async ({ workbench }) => {
    const other = await team().other();
    await other.run('Open Notebook: Show Sizes and Members of the Team');
    await expect(other.notification('Sizes are told to who manages a notebook')).toBeVisible();
    await workbench.page.bringToFront();
    await workbench.run('Open Notebook: Show Sizes and Members of the Team');
    await expect(workbench.editorLines.filter({ hasText: 'Our garden' })).toContainText('ada');
    await expect(workbench.editorLines.filter({ hasText: 'ben' })).toBeVisible();
    await workbench.screenshot('team-sizes');
  });
});
