import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { startPostgres, type Postgres } from '../support/postgres.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { clipboard } from './links.ts';
import { readySource } from './notebook.ts';

test.use({
  files: {
    'garden.md': '# The garden\n\nTomatoes are watered every second morning with rainwater.\n',
    'kitchen.md': '# The kitchen\n\nBread is baked on Saturdays in the stone oven.\n',
  },
});

async function rawly(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function connect(workbench: Workbench, connection: string): Promise<void> {
  await workbench.run('Open Notebook: Connect to a Team…');
  await workbench.fill(connection);
}

test.describe('a team of one database', () => {
  test.describe.configure({ mode: 'serial' });
  test.use({ shared: true });

  let postgres: Postgres;
  /** The connection strings of who set the team up, and of its first member. */
  let administrator: string;
  let ada: string;
  test.beforeAll(async () => {
    postgres = await startPostgres();
    administrator = await postgres.createDatabase();
  });
  test.afterAll(() => postgres.stop());

  test('a database that is none of a team’s says what to do', async ({ workbench }) => {
    await connect(workbench, administrator);
    await expect(workbench.notification('is not set up for a team yet')).toBeVisible();
  });

  test('it is set up, and a member is added', async ({ context, workbench }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.run('Open Notebook: Set Up a Team’s Database…');
    await workbench.fill(administrator);
    await expect(workbench.notification('is set up.')).toBeVisible();
    await workbench.screenshot('team-set-up');
    await workbench.answerNotification('is set up.', 'Add a Member…');
    await expect(workbench.quickInput).toContainText('The name that the member logs in by');
    await workbench.fill('ada');
    await workbench.pick('may read, add and change');
    const told = workbench.dialog('ada is a member now');
    await expect(told).toContainText('Hand on the connection string in a safe way');
    await workbench.screenshot('team-member-added');
    await told.getByRole('button', { name: 'Copy Connection String' }).click();
    await expect.poll(() => clipboard(workbench.page)).toContain('postgres');
    ada = await clipboard(workbench.page);
    expect(new URL(ada).username).toBe('ada');
  });

  test('the member connects, shares the notebook, and deletes their own once the team has all of it', async ({
    workbench,
  }) => {
    await workbench.explorerMenu(['garden.md', 'kitchen.md'], 'Add to Notebook');
    await readySource(workbench, 'garden.md');
    await readySource(workbench, 'kitchen.md');
    await connect(workbench, ada);
    await expect(
      workbench.page.getByRole('alert').filter({ hasText: 'which has no notebooks yet' }),
    ).toBeAttached();
    await workbench.run('Open Notebook: Share with the Team…');
    await expect(workbench.quickInput.getByPlaceholder('Conversations stay with you')).toBeVisible();
    await workbench.pick('Everybody may read, add and change');
    await expect(workbench.quickInput).toContainText('Every window can open a notebook by its name');
    // What is refused is not there: nothing is offered before it is.
    await rawly(administrator, 'ALTER FUNCTION open_notebook.put_document RENAME TO put_document_later');
    await workbench.fill('Our garden');
    await expect(workbench.statusBarItem('Team: look here')).toBeVisible();
    await expect(workbench.notification('The team has all')).toHaveCount(0);
    await rawly(administrator, 'ALTER FUNCTION open_notebook.put_document_later RENAME TO put_document');
    await rawly(
      administrator,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ada'",
    );
    await expect(workbench.notification('The team has all of “Our garden” now')).toBeVisible();
    await workbench.screenshot('team-has-all');
    await workbench.answerNotification('The team has all of “Our garden” now', 'Delete My Own…');
    const asked = workbench.dialog('Delete your own notebook');
    await expect(asked).toContainText('The conversations in your own go with it');
    await workbench.screenshot('team-delete-own');
    await asked.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(workbench.notification('was deleted.')).toBeVisible();
    await workbench.run('Open Notebook: Restore Deleted Notebook…');
    await expect(workbench.quickInput.locator('.monaco-list-row')).toHaveCount(1);
    await workbench.page.keyboard.press('Escape');
    await readySource(workbench, 'garden.md');
  });

  test('a source that was removed comes back', async ({ workbench }) => {
    await workbench.rowAction(workbench.rows('Sources', 'kitchen.md'), 'Remove Source');
    await workbench.dialog('Remove').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(workbench.rows('Sources', 'kitchen.md')).toHaveCount(0);
    // It is the team's that has to know.
    await expect(async () => {
      await workbench.run('Open Notebook: Restore a Source of the Team…');
      await expect(workbench.quickInput).toContainText('removed by ada', { timeout: 3_000 });
    }).toPass();
    await workbench.screenshot('team-restore-source');
    await workbench.pick('kitchen.md');
    await readySource(workbench, 'kitchen.md');
  });

  test('a copy gets what is not on this machine', async ({ vscode, workbench }) => {
    const [path = ''] = globSync(join(vscode.globalStorage, '**', 'team-*', 'notebook.sqlite'));
    const replica = new DatabaseSync(path, { timeout: 5_000 });
    // As on a machine that has no room for one of them.
    replica.exec(`BEGIN IMMEDIATE;
      UPDATE team SET applying = 1;
      DELETE FROM documents WHERE source_id = (SELECT id FROM sources WHERE title = 'kitchen.md');
      UPDATE team_deeds SET documents = 1 WHERE kind = 'source';
      UPDATE team SET applying = 0;
      COMMIT`);
    replica.close();
    await expect(workbench.rows('Sources', 'kitchen.md')).toContainText('not on this machine');
    await workbench.run('Open Notebook: Keep a Copy of the Team’s Notebook…');
    await workbench.fill('My garden');
    const asked = workbench.dialog('Documents of “Our garden” that are not on this machine: 1.');
    await expect(asked).toBeVisible();
    await workbench.screenshot('team-copy');
    await asked.getByRole('button', { name: 'Fetch Them' }).click();
    await expect(workbench.statusBarItem('My garden')).toBeVisible();
    await readySource(workbench, 'garden.md');
    await expect(workbench.rows('Sources', 'kitchen.md')).toContainText('1 passage');
    await workbench.screenshot('team-copied');
    await workbench.run('Open Notebook: Switch Notebook…');
    await workbench.pick('Our garden');
    await expect(workbench.statusBarItem('Our garden')).toBeVisible();
  });

  test('who is removed from the team is told so, and keeps what is here', async ({ workbench }) => {
    await connect(workbench, administrator);
    await workbench.pick('Our garden');
    await workbench.run('Open Notebook: Remove a Member from the Team…');
    await expect(workbench.quickInput).toContainText('ada');
    await workbench.quickInput.locator('.monaco-list-row', { hasText: 'ada' }).first().click();
    const asked = workbench.dialog('Remove ada from the team?');
    await expect(asked).toContainText('What they added stays');
    await workbench.screenshot('team-remove-member');
    await asked.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(workbench.notification('ada is no member any more')).toBeVisible();
    await connect(workbench, ada);
    await expect(workbench.notification('You may not do this')).toBeVisible();
    await readySource(workbench, 'garden.md');
  });

  test('disconnected, the notebook stays here', async ({ workbench }) => {
    await workbench.run('Open Notebook: Disconnect from a Team…');
    await expect(workbench.quickInput).toContainText('administrator@127.0.0.1');
    await workbench.screenshot('team-disconnect');
    await workbench.pick('administrator@127.0.0.1');
    await expect(workbench.statusBarItem('Team: look here')).toBeVisible();
    await readySource(workbench, 'garden.md');
    await workbench.run('Open Notebook: Restore a Source of the Team…');
    await expect(workbench.notification('This window is not connected to the team')).toBeVisible();
    await workbench.screenshot('team-disconnected');
  });
});
