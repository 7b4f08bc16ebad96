// Two members of a team, each with a window on a machine of their own.
import type { BrowserContext } from '@playwright/test';
import { startPostgres, type Postgres } from '../support/postgres.ts';
import { makeTeam } from '../support/team-members.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect } from './fixtures.ts';
import { chatPanel, readySource } from './notebook.ts';
import { startOtherMachine, type OtherMachine } from './other-window.ts';

interface Team {
  readonly postgres: Postgres;
  /** The connection strings of two who may write. */
  readonly ada: string;
  readonly ben: string;
  /** The machine of the second; the first has the window of the test. */
  readonly machine: OtherMachine;
}

/** Runs what is done with a team, and ends it afterwards. */
export async function withTeam(
  context: BrowserContext,
  options: Parameters<typeof startOtherMachine>[1],
  run: (team: Team) => Promise<void>,
): Promise<void> {
  const postgres = await startPostgres();
  try {
    const administrator = await postgres.createDatabase();
    const { ada = '', ben = '' } = await makeTeam(administrator, { ada: 'author', ben: 'author' });
    const machine = await startOtherMachine(context, options);
    try {
      await run({ postgres, ada, ben, machine });
    } finally {
      await machine.dispose();
    }
  } finally {
    await postgres.stop();
  }
}

/** Connects to a team that has no notebooks, and shares this one, of `garden.md`, as "Our garden" with everybody or others. */
export async function shareGarden(
  workbench: Workbench,
  connection: string,
  access = 'Everybody may read, add and change',
): Promise<void> {
  await workbench.run('Open Notebook: Connect to a Team…');
  await workbench.fill(connection);
  await expect(
    workbench.page.getByRole('alert').filter({ hasText: 'which has no notebooks yet' }),
  ).toBeAttached();
  await workbench.run('Open Notebook: Share with the Team…');
  await workbench.pick(access);
  await expect(workbench.quickInput).toContainText('Every window can open a notebook by its name');
  await workbench.fill('Our garden');
  await readySource(workbench, 'garden.md');
  await expect(workbench.statusBarItem('Our garden')).toBeVisible();
}

/** Connects another window to the team, and opens what is shared there. */
export async function openGarden(other: Workbench, connection: string): Promise<void> {
  await chatPanel(other);
  await other.run('Open Notebook: Connect to a Team…');
  await other.fill(connection);
  await other.pick('Our garden');
  await readySource(other, 'garden.md');
}
