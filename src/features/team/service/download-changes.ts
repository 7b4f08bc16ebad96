import type { QueryConfig } from 'pg';
import * as v from 'valibot';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import { MAX_ROWS } from './batches.ts';
import { checkOrder, notATeams } from './checked-rows.ts';
import { downloadCounts, downloadDocuments, type Progress } from './download-documents.ts';
import { CHANGE_QUERY_TIMEOUT_MS, notReadable, type NotebookConnection } from './notebook-connection.ts';
import type { EntityKind } from './synced-entity.ts';
import type { ChangeKind, Authorship, Replica } from './replica.ts';
import { downloadedRevision, recordRevision, saveRight } from './sync-state.ts';
import { applySources } from './local-sources.ts';
import { applyNotes, type RemoteClaim } from '../../sync.ts';
import { isEntityKind, applyEntities, applyClaims } from './local-entities.ts';

const KINDS: readonly ChangeKind[] = ['sources', 'documents', 'notes', 'things'];

/**
 * Downloads the team's changes up to the revision that the notebook had at the start. Notes come after the documents
 * that they cite. Returns the number of unreadable rows.
 */
export async function downloadChanges(
  connection: NotebookConnection,
  replica: Replica,
  progress: Progress,
): Promise<number> {
  const upTo = await readRevision(connection, replica);
  if (!isBefore(replica, upTo)) return 0;
  const news = await checkForChanges(connection, replica);
  const total = news.documents;
  let unread = news.sources ? await downloadSources(connection, replica) : 0;
  let done = 0;
  if (total > 0)
    unread += await downloadDocuments(connection, replica, upTo, (count) => {
      done += count;
      progress(done, Math.max(done, total));
    });
  await downloadCounts(connection, replica, total > 0);
  if (news.notes) unread += await downloadNotes(connection, replica, upTo);
  if (news.entities) unread += await downloadEntities(connection, replica, upTo);
  for (const kind of KINDS) recordRevision(replica, kind, upTo);
  return unread;
}

/**
 * Reports whether the team has changes that this machine doesn't have. Reads only the revision.
 * @throws NotebookError without access
 */
export async function isBehind(connection: NotebookConnection, replica: Replica): Promise<boolean> {
  return isBefore(replica, await readRevision(connection, replica));
}

function isBefore(replica: Replica, revision: number): boolean {
  return KINDS.some((kind) => downloadedRevision(replica, kind) < revision);
}

async function readRevision(
  { client, connection, notebookId }: NotebookConnection,
  replica: Replica,
): Promise<number> {
  const { rows } = await client.query<{
    revision: string;
    name: string;
    level: number;
    channel: string;
    salt: string;
  }>({
    text: 'SELECT revision, name, channel, salt, level FROM open_notebook.read_notebook($1)',
    values: [notebookId],
    query_timeout: connection.queryTimeout ?? CHANGE_QUERY_TIMEOUT_MS,
  } as QueryConfig);
  const [head] = rows;
  if (head === undefined) throw notReadable();
  saveRight(replica, head.level);
  replica.name = plainTitle(head.name);
  replica.channel = head.channel;
  replica.salt = head.salt;
  return Number(head.revision);
}

/** Returns which kinds of changes there are, as most syncs have changes of one kind. `documents` counts them. */
async function checkForChanges(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
): Promise<Record<'entities' | 'notes' | 'sources', boolean> & { readonly documents: number }> {
  const { rows } = await client.query<Record<'notes' | 'sources' | 'things', boolean> & { count: string }>(
    'SELECT sources, notes, things, count FROM open_notebook.read_news($1, $2, $3, $4, $5)',
    [
      notebookId,
      ...(['sources', 'notes', 'things', 'documents'] as const).map((kind) =>
        downloadedRevision(replica, kind),
      ),
    ],
  );
  const [row] = rows;
  if (row === undefined) throw notReadable();
  const { sources, notes, things: entities, count } = row;
  return { sources, notes, entities, documents: Number(count) };
}

async function downloadSources(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
): Promise<number> {
  let unread = 0;
  for (;;) {
    const after = downloadedRevision(replica, 'sources');
    const { rows } = await client.query<
      { id: string; revision: string; value: Buffer | null } & AuthorshipColumns
    >(`SELECT id, revision, ${AUTHORSHIP_COLUMNS}, value FROM open_notebook.read_sources($1, $2, $3)`, [
      notebookId,
      after,
      MAX_ROWS,
    ]);
    checkOrder(rows, after);
    unread += applySources(
      replica,
      rows.map(({ id, revision, value, ...authorship }) => ({
        id,
        revision: Number(revision),
        value: value ?? undefined,
        ...readAuthorship(authorship),
      })),
    );
    if (rows.length < MAX_ROWS) return unread;
  }
}

async function downloadNotes(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  upTo: number,
): Promise<number> {
  let unread = 0;
  for (;;) {
    const after = downloadedRevision(replica, 'notes');
    const { rows } = await client.query<
      { id: string; revision: string; title: string; value: Buffer | null } & AuthorshipColumns
    >(
      `SELECT id, revision, title, ${AUTHORSHIP_COLUMNS}, value FROM open_notebook.read_notes($1, $2, $3, $4)`,
      [notebookId, after, upTo, MAX_ROWS],
    );
    checkOrder(rows, after);
    unread += applyNotes(
      replica,
      rows.map(({ id, revision, title, value, ...authorship }) => ({
        id,
        revision: Number(revision),
        ...readAuthorship(authorship),
        content: value === null ? undefined : { title, value },
      })),
    );
    if (rows.length < MAX_ROWS) return unread;
  }
}

interface EntityColumns {
  readonly kind: EntityKind;
  readonly id: string;
  readonly within: string;
  readonly revision: string;
  readonly added_by: string;
  readonly changed_by: string;
  readonly is_own: boolean;
  readonly value: Buffer | null;
}

async function downloadEntities(
  { client, notebookId }: NotebookConnection,
  replica: Replica,
  upTo: number,
): Promise<number> {
  const read = async (after: number, last: number, limit: number | null): Promise<EntityColumns[]> => {
    const { rows } = await client.query<EntityColumns>(
      `SELECT kind, id, within, revision, added_by, changed_by, is_own, value
       FROM open_notebook.read_things($1, $2, $3, $4)`,
      [notebookId, after, last, limit],
    );
    return rows;
  };
  let unread = 0;
  for (;;) {
    const after = downloadedRevision(replica, 'things');
    const rows = await read(after, upTo, MAX_ROWS);
    checkOrder(rows, after);
    const last = Number(rows.at(-1)?.revision ?? 0);
    // Rows that were deleted together have one revision and must not be split.
    const whole = rows.length < MAX_ROWS ? [] : await read(last - 1, last, null);
    const saved =
      whole.length === 0 ? rows : [...rows.filter(({ revision }) => Number(revision) !== last), ...whole];
    unread += applyEntities(
      replica,
      saved
        .filter(({ kind }) => isEntityKind(kind))
        .map(({ revision, added_by: addedBy, changed_by: changedBy, is_own: isOwn, value, ...row }) => ({
          ...row,
          revision: Number(revision),
          addedBy,
          changedBy,
          isOwn,
          value: value ?? undefined,
        })),
    );
    recordRevision(replica, 'things', last);
    if (rows.length < MAX_ROWS) return unread;
  }
}

/** Downloads which steps of research projects are assigned on other machines. */
export async function downloadClaims(
  { client, connection, notebookId }: NotebookConnection,
  replica: Replica,
): Promise<void> {
  const { rows } = await client.query<RemoteClaim>({
    text: 'SELECT research, step, member FROM open_notebook.read_claims($1)',
    values: [notebookId],
    query_timeout: connection.queryTimeout ?? CHANGE_QUERY_TIMEOUT_MS,
  } as QueryConfig);
  applyClaims(replica, rows);
}

/** Columns with the authors and times of an entity's changes. */
const authorshipColumns = v.object({
  added_by: v.string(),
  added_at: v.date(),
  changed_by: v.string(),
  changed_at: v.date(),
});

type AuthorshipColumns = Readonly<v.InferOutput<typeof authorshipColumns>>;

const AUTHORSHIP_COLUMNS = 'added_by, added_at, changed_by, changed_at';

function readAuthorship(row: Readonly<Record<keyof AuthorshipColumns, unknown>>): Authorship {
  const read = v.safeParse(authorshipColumns, row);
  if (!read.success) throw notATeams();
  const { added_by: addedBy, added_at: addedAt, changed_by: changedBy, changed_at: changedAt } = read.output;
  return { addedBy, addedAt: addedAt.getTime(), changedBy, changedAt: changedAt.getTime() };
}
