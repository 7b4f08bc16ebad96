// Two members of a team, each with a window on a machine of their own.
import type { BrowserContext } from '@playwright/test';
import { startPostgres, type Postgres } from '../support/postgres.ts';
import { makeTeam } from '../support/team-members.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './fixtures.ts';
import { chatPanel, readySource } from './notebook.ts';
import { startOtherMachine } from './other-window.ts';

interface Team {
  readonly postgres: Postgres;
  /** Connection strings of two members who can edit. */
  readonly ada: string;
  readonly ben: string;
  /** Window of the second member, opened on first use. */
  other(): Promise<Workbench>;
  stop(): Promise<void>;
}

/**
 * Team of the tests of a `describe` that share a window, from before the first test until after the last.
 * @param builtIn VS Code's own extensions on the second machine
 */
export function shareTeam(builtIn: 'builtIn' | 'withModel' = 'builtIn'): () => Team {
  let team: Team | undefined;
  test.beforeEach(async ({ context, extensions }) => {
    team ??= await startTeam(context, {
      builtIn: extensions[builtIn],
      extensions: await extensions.installed(),
    });
  });
  test.afterAll(() => team?.stop());
  return () => {
    if (team === undefined) throw new Error('a team is there within tests alone');
    return team;
  };
}

/** Starts a team's database, and the machine of its second member. */
async function startTeam(
  context: BrowserContext,
  options: Parameters<typeof startOtherMachine>[1],
): Promise<Team> {
  const postgres = await startPostgres();
  try {
    const administrator = await postgres.createDatabase();
    const { ada = '', ben = '' } = await makeTeam(administrator, { ada: 'author', ben: 'author' });
    const machine = await startOtherMachine(context, options);
    let window: Promise<Workbench> | undefined;
    const other = (): Promise<Workbench> => (window ??= machine.open());
    const stop = async (): Promise<void> => {
      await machine.dispose();
      await postgres.stop();
    };
    return { postgres, ada, ben, other, stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Connects to a team that has no notebooks, and shares this one, of `garden.md`, as "Our garden" with everybody. */
export async function shareGarden(workbench: Workbench, connection: string): Promise<void> {
  await workbench.run('Open Notebook: Connect to Team…');
  await workbench.fill(connection);
  await expect(
    workbench.page.getByRole('alert').filter({ hasText: 'This team has no notebooks yet' }),
  ).toBeAttached();
  await workbench.run('Open Notebook: Share Notebook with Team…');
  await workbench.pick('Everyone can edit');
  await expect(workbench.quickInput).toContainText(
    'Enter a name. You can open the notebook by this name in any window.',
  );
  await workbench.fill('Our garden');
  await readySource(workbench, 'garden.md');
  await expect(workbench.statusBarItem('Our garden')).toBeVisible();
}

/** Connects another window to the team, and opens what is shared there. */
export async function openGarden(other: Workbench, connection: string): Promise<void> {
  await chatPanel(other);
  await other.run('Open Notebook: Connect to Team…');
  await other.fill(connection);
  await other.pick('Our garden');
  await readySource(other, 'garden.md');
}
