import type { Handlers } from '../../../core/rpc/rpc.ts';
import { withNotebook } from '../../../index/library/with-notebook-db.ts';
import { throwIfCanceled } from '../../../core/domain/errors.ts';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import type { NotebookSize, RemovedSource, TeamApi, TeamEntry } from './api.ts';
import type { TeamRole } from '../model/roles.ts';
import { isNotebookId, notATeams } from './checked-rows.ts';
import { closeConnection, openConnection, teamError, type Client } from './connect.ts';
import { connectionStringFor, describeConnection, readConnectionString } from './connection-string.ts';
import { MAX_LOCAL_PASSAGES } from './searchable.ts';
import { syncNotebook } from './sync-notebook.ts';
import { unpack } from './packed.ts';
import { completeCopy, countElsewhere, duplicateAsReplica, makeReplica } from './replicas.ts';
import { readRemovedNotebooks, readRights } from './rights.ts';
import { addMember, readTeam, removeMember, setUpTeam } from './set-up.ts';
import { NO_LIMITS } from '../../sync.ts';
import { openReplica } from './replica.ts';
import { findTeamNotebook } from './sync-state.ts';
import { countPassages } from './local-limit.ts';
import { prefetchMatches } from './download-documents.ts';

/** Handlers of the process that connects to team databases. */
export const teamHandlers: Handlers<TeamApi> = {
  team: ({ connection }, { signal }) =>
    withTeam(connection, signal, (client) => readEntry(client, connection)),
  setUp: ({ connection }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      await setUpTeam(client);
      return readEntry(client, connection);
    }),
  addMember: ({ connection, name, role }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      await readTeam(client);
      const password = await addMember(client, name, role);
      return password === undefined ? undefined : connectionStringFor(connection, name, password);
    }),
  members: ({ connection }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      const { rows } = await client.query<{ name: string; role: TeamRole; seen_at: Date | null }>(
        'SELECT name, role, seen_at FROM open_notebook.read_members()',
      );
      return rows.map(({ name, role, seen_at: seenAt }) => ({
        name,
        role,
        seenAt: seenAt?.getTime(),
      }));
    }),
  removeMember: ({ connection, name }, { signal }) =>
    withTeam(connection, signal, (client) => removeMember(client, name)),
  share: ({ connection, from, to, name, notebookId, everybody }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      const teamId = await readTeam(client);
      await duplicateAsReplica(from, to, teamId, notebookId);
      throwIfCanceled(signal);
      await client.query('SELECT open_notebook.create_notebook($1, $2, $3)', [
        notebookId,
        name,
        everybody ?? null,
      ]);
    }),
  join: ({ teamId, notebookId, to }) => makeReplica(to, teamId, notebookId),
  rights: ({ connection, notebookId }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      await readTeam(client);
      return readRights(client, notebookId);
    }),
  setRight: ({ connection, notebookId, member, right }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      await client.query('SELECT open_notebook.set_right($1, $2, $3)', [notebookId, member, right ?? null]);
    }),
  setEverybody: ({ connection, notebookId, right }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      await client.query('SELECT open_notebook.set_everybody($1, $2)', [notebookId, right ?? null]);
    }),
  renameNotebook: ({ connection, notebookId, name }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      await client.query('SELECT open_notebook.rename_notebook($1, $2)', [notebookId, name]);
    }),
  removeNotebook: ({ connection, notebookId }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      await client.query('SELECT open_notebook.remove_notebook($1)', [notebookId]);
    }),
  removedNotebooks: ({ connection }, { signal }) => withTeam(connection, signal, readRemovedNotebooks),
  restoreNotebook: ({ connection, notebookId }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      const { rows } = await client.query<{ restored: boolean }>(
        'SELECT open_notebook.restore_notebook($1) AS restored',
        [notebookId],
      );
      return rows[0]?.restored === true;
    }),
  countElsewhere: ({ directory }) => countElsewhere(directory),
  completeCopy: ({ connection, notebookId, ...places }, { report, signal }) =>
    withTeam(connection, signal, (client) =>
      completeCopy(
        { client, connection: readConnectionString(connection), notebookId },
        places,
        (done, total) => report({ done, total }),
        signal,
      ),
    ),
  removedSources: ({ connection, notebookId }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      const { rows } = await client.query<{
        id: string;
        value: Buffer;
        removed_by: string;
        removed_at: Date;
      }>('SELECT id, value, removed_by, removed_at FROM open_notebook.read_removed_sources($1)', [
        notebookId,
      ]);
      return rows.map(({ id, value, removed_by: removedBy, removed_at: removedAt }): RemovedSource => ({
        id,
        title: titleIn(value),
        removedBy,
        removedAt: removedAt.getTime(),
      }));
    }),
  restoreSource: ({ connection, notebookId, sourceId }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      const { rows } = await client.query<{ restored: boolean }>(
        'SELECT open_notebook.restore_source($1, $2) AS restored',
        [notebookId, sourceId],
      );
      return rows[0]?.restored === true;
    }),
  prefetch: ({ connection, directory, searches, roots, passages }, { signal }) =>
    withNotebook(directory, (sql) => {
      const replica = openReplica(sql, roots, passages, NO_LIMITS);
      const followed = findTeamNotebook(replica);
      // If the whole notebook is on this machine, the database isn't needed.
      if (followed === undefined || countPassages(replica) < MAX_LOCAL_PASSAGES) return 0;
      const { notebookId } = followed;
      return withTeam(connection, signal, (client) =>
        prefetchMatches(
          { client, connection: readConnectionString(connection), notebookId },
          replica,
          searches,
          sql,
        ),
      );
    }),
  claimStep: ({ connection, notebookId, researchId, stepId, token, seconds }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      const { rows } = await client.query<{ holder: string | null }>(
        'SELECT open_notebook.claim_step($1, $2, $3, $4, $5) AS holder',
        [notebookId, researchId, stepId, token, seconds],
      );
      return rows[0]?.holder ?? undefined;
    }),
  releaseStep: ({ connection, notebookId, token }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      await client.query('SELECT open_notebook.release_step($1, $2)', [notebookId, token]);
    }),
  sizes: ({ connection }, { signal }) =>
    withTeam(connection, signal, async (client) => {
      const { rows } = await client.query<Record<string, Date | string | null>>(
        'SELECT * FROM open_notebook.sizes()',
      );
      const time = (value: unknown): number | undefined =>
        value instanceof Date ? value.getTime() : undefined;
      return rows.map((row): NotebookSize => ({
        name: plainTitle(String(row['name'])),
        createdBy: String(row['created_by']),
        createdAt: time(row['created_at']) ?? 0,
        removedAt: time(row['removed_at']),
        sources: Number(row['sources']),
        documents: Number(row['documents']),
        notes: Number(row['notes']),
        conversations: Number(row['conversations']),
        bytes: Number(row['bytes']),
        changedAt: time(row['changed_at']),
      }));
    }),
  follow: (following, { report, signal }) => syncNotebook(following, report, signal),
};

async function withTeam<T>(
  text: string,
  signal: AbortSignal,
  action: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = readConnectionString(text);
  const client = await openConnection(connection, signal);
  try {
    return await action(client);
  } catch (error) {
    throwIfCanceled(signal);
    throw teamError(error, connection);
  } finally {
    await closeConnection(client);
  }
}

async function readEntry(client: Client, connection: string): Promise<TeamEntry> {
  const id = await readTeam(client);
  const { rows: own } = await client.query<{ role: TeamRole }>(
    'SELECT role FROM open_notebook.read_members() WHERE name = session_user',
  );
  const { rows } = await client.query<{ id: string; name: string; level: number }>(
    'SELECT id, name, level FROM open_notebook.read_notebooks()',
  );
  // The IDs become names of folders.
  if (!rows.every((row) => isNotebookId(row.id))) throw notATeams();
  const roles = ['reader', 'author', 'manager'] as const;
  return {
    id,
    place: describeConnection(readConnectionString(connection)),
    role: own[0]?.role ?? 'reader',
    notebooks: rows.map(({ id: notebookId, name, level }) => ({
      id: notebookId,
      name: plainTitle(name),
      role: roles[level - 1] ?? 'reader',
    })),
  };
}

function titleIn(value: Buffer): string {
  try {
    return plainTitle(String(unpack(value)['title']));
  } catch {
    // A member can store invalid data.
    return '';
  }
}
