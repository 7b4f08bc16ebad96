import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { maybe } from '../../../core/domain/json-schemas.ts';
import { replaceFile } from '../../../core/domain/write-file.ts';

const FILE = 'team.json';

const teamLink = v.object({ teamId: v.string(), notebookId: v.string(), name: maybe(v.string()) });

/** Team notebook that a notebook on this machine syncs with, and the team's last known name for it. */
export type TeamLink = Readonly<v.InferOutput<typeof teamLink>>;

/** Returns the ID of the local notebook that syncs with a team notebook, the same in all windows. */
export function replicaId(notebookId: string): string {
  return `team-${notebookId}`;
}

/** Reports whether a notebook syncs with a team notebook, by its key. */
export function isReplica(key: string): boolean {
  return key.startsWith('team-');
}

/** Writes the link atomically, because without it the notebook would no longer be a team notebook. */
export async function writeTeamLink(directory: string, link: TeamLink): Promise<void> {
  await replaceFile(join(directory, FILE), JSON.stringify(link));
}

/** Returns undefined for a notebook that isn't a team notebook. */
export async function readTeamLink(directory: string): Promise<TeamLink | undefined> {
  try {
    return v.parse(teamLink, JSON.parse(await readFile(join(directory, FILE), 'utf8')));
  } catch {
    // Other notebooks have no link. A damaged link can't be followed.
    return undefined;
  }
}
