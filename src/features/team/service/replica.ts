import type { Statements } from '../../../index/store/database/statements.ts';
import { Store } from '../../../index/store/store.ts';
import type { PassageSettings } from '../../../core/domain/settings.ts';
import type { FeatureLimits } from '../../types.ts';
import type { FileHashes } from './local-files.ts';
import type { LocalContext } from './synced-entity.ts';

/** Note for upload. `base` is the revision that it is based on, 0 for a new note. */
export interface SentNote {
  readonly base: number;
  readonly title: string;
  readonly text: string;
  readonly value: Buffer;
}

const SQLITE_CONSTRAINT = 19;

/** Kinds of downloaded changes. The team's revision is saved for each, as `team.KIND_revision`. */
export type ChangeKind = 'documents' | 'notes' | 'sources' | 'things';

/** Authors of an entity. Times are milliseconds since 1970 by the database's clock. */
export interface Authorship {
  readonly addedBy: string;
  readonly addedAt: number;
  readonly changedBy: string;
  readonly changedAt: number;
}

/**
 * Local copy of a team notebook in its own database. Downloaded rows are written without being recorded as changes.
 * They are validated like an imported notebook, and invalid rows are skipped.
 */
export interface Replica extends LocalContext {
  readonly store: Store;
  readonly passages: PassageSettings;
  /** Name of the notebook in the team; undefined until the first request. */
  name: string | undefined;
  /** Notification channel of the database; undefined until the first request. */
  channel: string | undefined;
  /** Secret that is packed with the notebook's texts; undefined until the first request. */
  salt: string | undefined;
  /**
   * Last uploaded versions of notes whose upload isn't confirmed yet, by ID. If the team returns the same version, it is
   * the user's own change.
   */
  readonly sentNotes: Map<string, SentNote>;
  /** Last uploaded values of entities whose upload isn't confirmed yet, by kind and ID. */
  readonly sentEntities: Map<string, Buffer>;
  /** Documents whose files on this machine haven't been searched for yet. */
  readonly unplaced: Set<number>;
  readonly fileHashes: FileHashes;
}

/** Opens the local copy in a database. */
export function openReplica(
  sql: Statements,
  roots: readonly string[],
  passages: PassageSettings,
  limits: FeatureLimits,
): Replica {
  return {
    sql,
    roots,
    limits,
    passages,
    store: new Store(sql),
    name: undefined,
    channel: undefined,
    salt: undefined,
    sentNotes: new Map(),
    sentEntities: new Map(),
    unplaced: new Set(),
    fileHashes: new Map(),
  };
}

/**
 * Saves downloaded rows, each by `apply`, and their last revision. Returns the number of unreadable rows.
 * @throws Error of the disk or the database
 */
export function applyRows<Row extends { readonly revision: number }>(
  replica: Replica,
  kind: ChangeKind,
  rows: readonly Row[],
  apply: (row: Row) => void,
): number {
  let unread = 0;
  applyChanges(replica, () => {
    for (const row of rows) {
      replica.sql.run('SAVEPOINT one_row');
      try {
        apply(row);
      } catch (error) {
        replica.sql.run('ROLLBACK TO one_row');
        // Errors of the disk or the database aren't errors of the row.
        if (!isFaultOfRow(error)) throw error;
        unread++;
      }
      replica.sql.run('RELEASE one_row');
    }
    const last = rows.at(-1)?.revision ?? 0;
    replica.sql.run(`UPDATE team SET ${kind}_revision = max(${kind}_revision, ?)`, last);
  });
  return unread;
}

/** Runs an action in a transaction whose writes aren't recorded as local changes. */
export function applyChanges(replica: Replica, action: () => void): void {
  replica.sql.transaction(() => {
    replica.sql.run('UPDATE team SET applying = 1');
    action();
    replica.sql.run('UPDATE team SET applying = 0');
  });
}

/** Saves who added and changed a source or note, and when. */
export function saveAuthorship(
  replica: Replica,
  kind: 'note' | 'source',
  { id, addedBy, addedAt, changedBy, changedAt }: Authorship & { readonly id: string },
): void {
  replica.sql.put('team_deeds', 'kind, id', {
    ...{ kind, id, added_by: addedBy, added_at: addedAt },
    ...{ changed_by: changedBy, changed_at: changedAt },
  });
}

function isFaultOfRow(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return true;
  return typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_CONSTRAINT;
}
