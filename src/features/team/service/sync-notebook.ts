import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import pg from 'pg';
import { withNotebook } from '../../../index/library/with-notebook-db.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { EmbeddingModel } from '../../../core/domain/settings.ts';
import type { Following, TeamState } from './api.ts';
import { closeConnection, isTransient, openConnection, teamError, type Client } from './connect.ts';
import { readConnectionString } from './connection-string.ts';
import { makeSearchable, MAX_LOCAL_PASSAGES } from './searchable.ts';
import type { NotebookConnection } from './notebook-connection.ts';
import { readTeam } from './set-up.ts';
import { exchangeVectors, nothingKnown } from './vectors.ts';
import { placePoints } from './points.ts';
import { openReplica, type Replica } from './replica.ts';
import { findTeamNotebook, claimSync, releaseSync, downloadedRevision } from './sync-state.ts';
import { listPendingChanges, countPendingChanges, retryRejected } from './outbox.ts';
import { countPassages } from './local-limit.ts';
import { queueMissingFiles, findFiles } from './document-files.ts';
import { listConflicts } from '../../sync.ts';
import { downloadChanges, isBehind, downloadClaims } from './download-changes.ts';
import { uploadChanges } from './upload-changes.ts';

/**
 * Intervals in milliseconds: for local changes, for a full comparison, and for the team's revision without
 * notifications.
 */
const LOCAL_POLL_INTERVAL_MS = 250;
const REMOTE_POLL_INTERVAL_MS = 3_000;
const POLL_INTERVAL_WITHOUT_NOTIFICATIONS_MS = 500;

/** Number of rounds without progress before the delay between rounds grows. */
const TRIED_AT_ONCE = 3;

/** Minimum and maximum delay before a new connection, in milliseconds. The delay doubles each time. */
const FIRST_WAIT = 500;
const MAX_WAIT_MS = 30_000;

/**
 * Syncs a notebook with a team notebook until the signal aborts, and reconnects after a failure. If several windows
 * show the notebook, one of them syncs it. `queryTimeout` limits each query, in milliseconds.
 * @throws NotebookError if the local notebook can't be opened
 */
export async function syncNotebook(
  { connection: text, directory, roots, passages, embeddings, limits }: Following,
  reportState: (state: TeamState) => void,
  signal: AbortSignal,
  queryTimeout?: number,
): Promise<void> {
  const connection = { ...readConnectionString(text), queryTimeout };
  const owner = randomUUID();
  await withNotebook(directory, async (sql) => {
    const replica = openReplica(sql, roots, passages, limits);
    const followed = findTeamNotebook(replica);
    if (followed === undefined) return;
    let wait = FIRST_WAIT;
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      if (!claimSync(replica, owner)) {
        // Another window syncs this notebook.
        const { waiting } = countPendingChanges(replica);
        reportState(upToDate(replica, waiting));
        await pause(REMOTE_POLL_INTERVAL_MS, signal);
        continue;
      }
      reportState({ kind: 'connecting' });
      let client: Client | undefined;
      try {
        client = await openConnection(connection, signal);
        const teamId = await readTeam(client);
        if (teamId !== followed.teamId) throw otherTeam();
        await client.query('SELECT open_notebook.note_seen()');
        retryRejected(replica);
        queueMissingFiles(replica);
        wait = FIRST_WAIT;
        const line = { client, connection, notebookId: followed.notebookId };
        await keepSyncing(line, { sql, replica, embeddings, owner }, reportState, signal);
      } catch (error) {
        if (isOver()) break;
        const reported = teamError(error, connection);
        const { waiting } = countPendingChanges(replica);
        const reason = reported instanceof Error ? reported.message : String(reported);
        const isTemporary = isTransient(reported);
        reportState({ kind: isTemporary ? 'offline' : 'refused', reason, waiting });
        // Also retry after a rejection, but seldom: a manager may restore the permission or the password.
        const until = Date.now() + (isTemporary ? wait : MAX_WAIT_MS);
        while (Date.now() < until && !isOver()) {
          claimSync(replica, owner);
          await pause(Math.min(REMOTE_POLL_INTERVAL_MS, until - Date.now()), signal);
        }
        wait = Math.min(2 * wait, MAX_WAIT_MS);
      } finally {
        if (client !== undefined) await closeConnection(client);
      }
    }
    releaseSync(replica, owner);
  });
}

/** Local notebook that is synced with a team notebook. */
interface Followed {
  readonly sql: Statements;
  readonly replica: Replica;
  readonly embeddings: EmbeddingModel | undefined;
  /** Identifies the window that syncs. */
  readonly owner: string;
}

async function keepSyncing(
  connection: NotebookConnection,
  { sql, replica, embeddings, owner }: Followed,
  reportState: (state: TeamState) => void,
  signal: AbortSignal,
): Promise<void> {
  const { client } = connection;
  const news = { isThere: true, isTold: false };
  const greeting = randomUUID();
  let channel: string | undefined;
  client.on('notification', ({ channel: of, payload }) => {
    if (of !== channel) return;
    if (payload !== greeting) news.isThere = true;
    news.isTold = true;
  });
  // Poolers sometimes deliver notifications for other clients.
  let isMissed = false;
  /** Listens to the notebook's channel if it changed. Returns whether it did. */
  const listen = async (): Promise<boolean> => {
    const { channel: next } = replica;
    if (next === undefined || next === channel) return false;
    channel = next;
    [news.isTold, isMissed] = [false, false];
    await client
      .query('UNLISTEN *')
      .then(() => client.query(`LISTEN ${pg.escapeIdentifier(next)}`))
      .then(() => client.query('SELECT pg_catalog.pg_notify($1, $2)', [next, greeting]))
      // A pooler delivers no notifications, not even our own. In that case, poll.
      .catch(() => undefined);
    // There was no notification for changes before LISTEN.
    news.isThere = true;
    return true;
  };
  let lookedAt = 0;
  let askedAt = 0;
  let idleRounds = 0;
  let dataVersion: number | undefined;
  let searchable = { upTo: 0, documentsRevision: 0 };
  let placed = 0;
  const known = nothingKnown();
  while (!signal.aborted && claimSync(replica, owner)) {
    const isChangedHere = dataVersion !== replica.store.dataVersion();
    if (!news.isThere && !isChangedHere) {
      const isDue = Date.now() - lookedAt >= REMOTE_POLL_INTERVAL_MS;
      const isNotified = news.isTold && !isMissed;
      if (!isDue && (isNotified || Date.now() - askedAt < POLL_INTERVAL_WITHOUT_NOTIFICATIONS_MS)) {
        await pause(LOCAL_POLL_INTERVAL_MS, signal);
        continue;
      }
      askedAt = Date.now();
      const isNew = await isBehind(connection, replica);
      const isMoved = await listen();
      if (isNew && !isMoved) isMissed = true;
      if (!isNew && !isDue) continue;
    }
    news.isThere = false;
    dataVersion = replica.store.dataVersion();
    await downloadChanges(connection, replica, (done, total) => {
      reportState({ kind: 'taking-in', done, total });
      claimSync(replica, owner);
    });
    await listen();
    // Do this first, so that vectors that the team already has aren't generated again.
    if (embeddings !== undefined) {
      const localVersions = { dataVersion, revision: downloadedRevision(replica, 'documents') };
      await exchangeVectors(
        connection,
        sql,
        embeddings,
        known,
        localVersions,
        () => void claimSync(replica, owner),
        signal,
      );
    }
    if (await findFiles(replica)) news.isThere = true;
    await downloadClaims(connection, replica);
    const before = listPendingChanges(replica).length;
    const isMore = await uploadChanges(connection, replica);
    if (isMore) news.isThere = true;
    // The first client of each day deletes what can no longer be restored.
    if (lookedAt === 0) await client.query('SELECT open_notebook.tidy()');
    const documentsRevision = downloadedRevision(replica, 'documents');
    if (documentsRevision !== searchable.documentsRevision)
      searchable = {
        upTo: await makeSearchable(connection, sql, searchable.upTo, signal),
        documentsRevision,
      };
    // Upload one part at a time, so that changes can sync in between.
    if (embeddings !== undefined && placed < known.upTo) {
      const indexedTo = await placePoints(connection, sql, embeddings, placed);
      if (indexedTo !== undefined && indexedTo > placed) [placed, news.isThere] = [indexedTo, true];
    }
    lookedAt = Date.now();
    const { waiting, refused } = countPendingChanges(replica);
    if (refused === undefined) reportState(upToDate(replica, waiting));
    else reportState({ kind: 'refused', reason: refused, waiting });
    // A row that can't be read blocks the merge of local changes to it, so increase the delay between attempts.
    idleRounds = isMore && listPendingChanges(replica).length >= before ? idleRounds + 1 : 0;
    if (idleRounds > TRIED_AT_ONCE)
      await pause(
        Math.min(LOCAL_POLL_INTERVAL_MS * 2 ** (idleRounds - TRIED_AT_ONCE), REMOTE_POLL_INTERVAL_MS),
        signal,
      );
  }
}

function upToDate(replica: Replica, waiting: number): TeamState {
  const holdsAll = countPassages(replica) < MAX_LOCAL_PASSAGES;
  const { name } = replica;
  return { kind: 'up-to-date', waiting, conflicts: listConflicts(replica), holdsAll, name };
}

function otherTeam(): NotebookError {
  return new NotebookError(
    'not-found',
    t('This notebook belongs to a different team than this database. Connect to the notebook’s team.'),
  );
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // Only a cancellation ends the pause early. The caller checks the signal.
  await sleep(Math.max(1, milliseconds), undefined, { signal }).catch(() => undefined);
}
