// Members of a team notebook that is larger than their machines store. They act one after the other.
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import type { NotebookConnection } from '../../src/features/team/service/notebook-connection.ts';
import { close, input, passageSettings, openNew } from './opened-notebooks.ts';
import { Machine } from './team.ts';
import { NO_LIMITS } from '../../src/features/sync.ts';
import { openReplica, type Replica } from '../../src/features/team/service/replica.ts';
import { downloadChanges } from '../../src/features/team/service/download-changes.ts';
import { uploadChanges } from '../../src/features/team/service/upload-changes.ts';

export interface Member {
  readonly machine: Machine;
  readonly sql: Statements;
  readonly replica: Replica;
  readonly line: NotebookConnection;
}

/** Joins as a member whose machine stores a limited number of passages. */
export async function joinAs(
  machine: Machine,
  notebookId: string,
  bounds: Pick<NotebookConnection, 'maxPrefetchedPassages' | 'maxLocalPassages'>,
): Promise<Member> {
  const connection = readConnectionString(machine.connection);
  const client = await openConnection(connection);
  const { database } = await openDatabase(machine.directory);
  const sql = new Statements(database);
  const replica = openReplica(sql, [], passageSettings, NO_LIMITS);
  return { machine, sql, replica, line: { client, connection, notebookId, ...bounds } };
}

/** Syncs all pending changes in both directions. */
export async function exchange({ machine, replica, line }: Member): Promise<void> {
  do await downloadChanges(line, replica, () => undefined);
  while (await uploadChanges(line, replica));
  await machine.index.followOthers();
}

export async function leave({ line, sql }: Member): Promise<void> {
  await closeConnection(line.client);
  sql.close();
}

/** Shares a notebook of texts by their keys, in one source. */
export async function shareTexts(
  connection: string,
  texts: ReadonlyMap<string, string>,
  bounds: Pick<NotebookConnection, 'maxPrefetchedPassages' | 'maxLocalPassages'>,
): Promise<{ readonly member: Member; readonly notebookId: string; readonly sourceId: string }> {
  const { folder, index } = await openNew();
  const { id: sourceId } = await index.addSource(
    'Garden',
    { kind: 'folder', uri: 'file:///notes' },
    undefined,
  );
  for (const [key, text] of texts) await index.putDocument(sourceId, input(text, key));
  await close(index);
  const notebookId = randomUUID();
  const member = await joinAs(await Machine.share(connection, folder, notebookId), notebookId, bounds);
  await exchange(member);
  return { member, notebookId, sourceId };
}
