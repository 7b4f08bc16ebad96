import { plainTitle } from '../../../core/domain/plain-title.ts';
import type { MemberRight, NotebookRights, OwnRight, RemovedNotebook } from './api.ts';
import type { TeamRole } from '../model/roles.ts';
import { isNotebookId, notATeams } from './checked-rows.ts';
import type { Client } from './connect.ts';
import { notReadable } from './notebook-connection.ts';

const ROLES: readonly TeamRole[] = ['reader', 'author', 'manager'];

/** Returns the rights of all members in a notebook. @throws NotebookError `forbidden` without access */
export async function readRights(client: Client, notebookId: string): Promise<NotebookRights> {
  const { rows: heads } = await client.query<{ name: string; everybody: string | null }>(
    'SELECT name, everybody FROM open_notebook.read_notebook($1)',
    [notebookId],
  );
  const [head] = heads;
  if (head === undefined) throw notReadable();
  const everybody = readRole(head.everybody);
  if (everybody === 'manager') throw notATeams();
  const { rows } = await client.query<{
    name: string;
    role: string;
    own_role: string | null;
    is_self: boolean;
  }>('SELECT name, role, own_role, is_self FROM open_notebook.read_rights($1)', [notebookId]);
  const members = rows.map(({ name, role, own_role: ownRole, is_self: isSelf }): MemberRight => {
    const inTeam = readRole(role);
    if (inTeam === undefined) throw notATeams();
    const own = ownRole === 'none' ? 'none' : readRole(ownRole);
    return { name, inTeam, own, may: effectiveRole(inTeam, own ?? everybody), isSelf };
  });
  return { name: plainTitle(head.name), everybody, members };
}

/**
 * Returns the notebooks that the user manages and that were deleted in the last thirty days.
 * @throws NotebookError if the database returns invalid data
 */
export async function readRemovedNotebooks(client: Client): Promise<RemovedNotebook[]> {
  const { rows } = await client.query<{ id: string; name: string; removed_at: Date }>(
    'SELECT id, name, removed_at FROM open_notebook.read_removed_notebooks()',
  );
  if (!rows.every(({ id }) => isNotebookId(id))) throw notATeams();
  return rows.map(({ id, name, removed_at: removedAt }) => ({
    id,
    name: plainTitle(name),
    removedAt: removedAt.getTime(),
  }));
}

/** Matches `levels` of the schema. */
function effectiveRole(inTeam: TeamRole, right: OwnRight | undefined): TeamRole | undefined {
  if (inTeam === 'manager') return inTeam;
  if (right === undefined || right === 'none') return undefined;
  return inTeam === 'reader' ? inTeam : right;
}

function readRole(roleName: string | null): TeamRole | undefined {
  if (roleName === null) return undefined;
  const role = ROLES.find((candidate) => candidate === roleName);
  if (role === undefined) throw notATeams();
  return role;
}
