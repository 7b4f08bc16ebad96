import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { maybe } from '../../notebook/json-schemas.ts';
import { replaceFile } from '../../notebook/write-file.ts';

const FILE = 'team.json';

const teamLink = v.object({ teamId: v.string(), notebookId: v.string(), name: maybe(v.string()) });

/** Which notebook of which team a notebook on this machine follows, and what the team called it last, where that was kept. */
export type TeamLink = Readonly<v.InferOutput<typeof teamLink>>;

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
  await replaceFile(join(directory, FILE), JSON.stringify(link));
}

/** Undefined of a notebook that follows none. */
export async function readTeamLink(directory: string): Promise<TeamLink | undefined> {
  try {
    return v.parse(teamLink, JSON.parse(await readFile(join(directory, FILE), 'utf8')));
  } catch {
    return undefined;
  }
}
