import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'team.json';

/** Which notebook of which team a notebook on this machine follows. */
export interface TeamLink {
  readonly teamId: string;
  readonly notebookId: string;
  /** What the team called it last; undefined where that was not kept. */
  readonly name?: string;
}

/** The id of the notebook on this machine that follows a team's, the same in all windows. */
export function replicaId(notebookId: string): string {
  return `team-${notebookId}`;
}

/** Whether a notebook follows a team's, by its key. */
export function isReplica(key: string): boolean {
  return key.startsWith('team-');
}

/** Written as a whole or not at all: without it the notebook would follow none. */
export async function writeTeamLink(directory: string, link: TeamLink): Promise<void> {
  const path = join(directory, FILE);
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, JSON.stringify(link));
  await rename(unfinished, path);
}

/** Undefined of a notebook that follows none. */
export async function readTeamLink(directory: string): Promise<TeamLink | undefined> {
  try {
    const link: unknown = JSON.parse(await readFile(join(directory, FILE), 'utf8'));
    if (typeof link !== 'object' || link === null || !('teamId' in link) || !('notebookId' in link))
      return undefined;
    return {
      teamId: String(link.teamId),
      notebookId: String(link.notebookId),
      ...('name' in link && { name: String(link.name) }),
    };
  } catch {
    return undefined;
  }
}
