import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { FeatureEntityKind, FeatureLimits } from '../../types.ts';
import type { ImportedPlaces } from '../../../index/library/read-citations.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { fitting } from '../../../core/domain/json-schemas.ts';
import { pack, unpack } from './packed.ts';

/** Kinds of synced entities besides sources, documents, and notes, as in `things.kind` of the database. */
export type EntityKind = FeatureEntityKind;

/** Kinds of pending changes, as in `team_outbox.kind`. */
export type PendingKind = EntityKind | 'document' | 'note' | 'source';

/** Downloaded entity. `value` is undefined if it was deleted; `isOwn` says whether this member added it. */
export interface EntityRow {
  readonly kind: EntityKind;
  readonly id: string;
  readonly within: string;
  readonly revision: number;
  readonly addedBy: string;
  readonly changedBy: string;
  readonly isOwn: boolean;
  readonly value: Uint8Array | undefined;
}

/** Entity for upload. Without a base, the last upload wins. */
export interface SentEntity {
  readonly id: string;
  readonly within: string;
  readonly base: number | undefined;
  readonly value: Buffer;
}

/** Entity that is deleted from the team. */
export interface RemovedEntity {
  readonly id: string;
  readonly value: undefined;
}

/** Local notebook that entities are read from and written to. */
export interface LocalContext {
  readonly sql: Statements;
  readonly roots: readonly string[];
  readonly limits: FeatureLimits;
}

/** Upload and download of one kind of entity. */
export interface EntitySync {
  /** Set for a part of another entity, which is sent first, such as a card of a deck. */
  readonly isPart?: true;
  /** Returns the entity for upload; undefined if there is nothing to send. `id` is the outbox ID. */
  readonly toSend: (local: LocalContext, id: string) => RemovedEntity | SentEntity | undefined;
  /** Outbox ID of a downloaded entity; its own ID by default. */
  readonly outboxId?: (local: LocalContext, row: Pick<EntityRow, 'id' | 'value'>) => string | undefined;
  /**
   * Saves a downloaded entity. Returns whether a pending local change is now superfluous.
   * @throws Error if it isn't valid
   */
  readonly take: (local: LocalContext, row: EntityRow, isPending: boolean) => boolean;
  /** Runs in a transaction before all entities of the team are downloaded again, and drops versions that would hide some. */
  readonly beforeReload?: (local: LocalContext) => void;
  /** Runs in a transaction after an upload was confirmed, unless it was a deletion. */
  readonly afterSent?: (local: LocalContext, id: string) => void;
}

/** Team's version that the local entity is based on. */
interface EntityBase {
  readonly revision: number;
  readonly value: Record<string, unknown>;
}

/** Returns the team's last known version of an entity; undefined if none was downloaded. */
export function findBase({ sql }: LocalContext, kind: EntityKind, id: string): EntityBase | undefined {
  const row = sql.get('SELECT revision, value FROM team_things WHERE kind = ? AND id = ?', kind, id);
  return row && { revision: Number(row['revision']), value: unpack(row['value'] as Uint8Array) };
}

/** Returns the team's last known version, parsed by the schema of its kind. @throws ValiError if it isn't valid */
export function readBase<T>(
  local: LocalContext,
  kind: EntityKind,
  schema: v.GenericSchema<unknown, T>,
  id: string,
): { readonly revision: number; readonly value: T } | undefined {
  const base = findBase(local, kind, id);
  return base && { revision: base.revision, value: v.parse(schema, base.value) };
}

/** Saves the team's version of an entity, packed, with its revision. */
export function keepBase(
  { sql }: LocalContext,
  kind: EntityKind,
  id: string,
  { revision, value }: { readonly revision: number; readonly value: Uint8Array },
): void {
  sql.replace('team_things', { kind, id, revision, value });
}

/** Deletes the team's version of an entity. */
export function dropBase({ sql }: LocalContext, kind: EntityKind, id: string): void {
  sql.run('DELETE FROM team_things WHERE kind = ? AND id = ?', kind, id);
}

/** Returns the deletion of an entity that the team has. */
export function removedEntity(local: LocalContext, kind: EntityKind, id: string): RemovedEntity | undefined {
  return findBase(local, kind, id) && { id, value: undefined };
}

/** Returns an independent entity for upload, or its deletion if it is no longer here. */
export function entityToSend(
  local: LocalContext,
  kind: EntityKind,
  id: string,
  value: object | undefined,
): RemovedEntity | SentEntity | undefined {
  if (value === undefined) return removedEntity(local, kind, id);
  return { id, within: '', base: findBase(local, kind, id)?.revision ?? 0, value: pack(value) };
}

/** Entity with parts that are separate entities, such as a table with its cells. */
export interface Parent<T extends object> {
  readonly kind: EntityKind;
  readonly part: EntityKind;
  readonly table: string;
  readonly schema: v.GenericSchema<unknown, T>;
  readonly read: (local: LocalContext, id: string) => T | undefined;
  /** Converts the entity to the form that team members exchange; by default, that is the entity itself. */
  readonly toShared?: (value: T) => object;
  /** Returns the outbox IDs of its parts. */
  readonly parts: (local: LocalContext, id: string) => readonly string[];
  readonly merge: (base: T, theirs: T, ours: T) => T;
  /** Writes the entity and returns it as it was written. */
  readonly write: (local: LocalContext, id: string, value: T) => T;
}

/** Returns the sync of entities with parts. */
export function wholeEntitySync<T extends object>(whole: Parent<T>): EntitySync {
  const { kind, table, schema, read, toShared = (value: T): object => value, merge, write } = whole;
  return {
    toSend(local, id) {
      const ours = read(local, id);
      return entityToSend(local, kind, id, ours && toShared(ours));
    },
    take(local, { id, value, revision }, isPendingLocally) {
      const ours = read(local, id);
      if (value === undefined) {
        const isDeleted = takeRemoval(local, whole, id, isPendingLocally);
        if (isDeleted) local.sql.run(`DELETE FROM ${table} WHERE id = ?`, id);
        return isDeleted;
      }
      const theirs = v.parse(schema, unpack(value));
      const base = wholeBase(local, whole, id) ?? theirs;
      keepBase(local, kind, id, { revision, value });
      const merged = ours === undefined || !isPendingLocally ? theirs : merge(base, theirs, ours);
      return isDeepStrictEqual(write(local, id, merged), theirs);
    },
  };
}

/** Restores an entity that was deleted here if another member changed a part of it. */
export function restoreEntity<T extends object>(local: LocalContext, whole: Parent<T>, id: string): void {
  const { kind, write } = whole;
  const removed = isWaiting(local, kind, id) ? wholeBase(local, whole, id) : undefined;
  if (removed === undefined) return;
  dropPendingChange(local, kind, id);
  write(local, id, removed);
}

function wholeBase<T extends object>(
  local: LocalContext,
  { kind, schema }: Parent<T>,
  id: string,
): T | undefined {
  return readBase(local, kind, schema, id)?.value;
}

/**
 * Applies a deletion by the team. If the entity or a part of it changed here meanwhile, all of it is sent again.
 * Returns whether it was deleted here.
 */
function takeRemoval<T extends object>(
  local: LocalContext,
  { kind, part, read, parts }: Parent<T>,
  id: string,
  isChanged: boolean,
): boolean {
  dropBase(local, kind, id);
  if (read(local, id) !== undefined && (isChanged || isAnyWaiting(local, part, id))) {
    markPending(local, kind, id);
    for (const changedPart of parts(local, id)) markPending(local, part, changedPart);
    return false;
  }
  dropWithin(local, part, id);
  return true;
}

/** Returns the team's versions of the parts of an entity, whose IDs begin with its ID and a line break. */
export function basesWithin(
  { sql }: LocalContext,
  kind: EntityKind,
  outer: string,
): { readonly id: string; readonly value: Record<string, unknown> }[] {
  return sql
    .all('SELECT id, value FROM team_things WHERE kind = ? AND id > ? AND id < ?', kind, ...within(outer))
    .map((row) => ({ id: String(row['id']), value: unpack(row['value'] as Uint8Array) }));
}

/** Deletes the team's versions of an entity's parts, and their pending changes. */
function dropWithin(local: LocalContext, kind: EntityKind, outer: string): void {
  local.sql.run('DELETE FROM team_things WHERE kind = ? AND id > ? AND id < ?', kind, ...within(outer));
  dropPending(local, kind, outer);
}

/** Removes the pending changes of an entity's parts. */
export function dropPending({ sql }: LocalContext, kind: EntityKind, outer: string): void {
  sql.run('DELETE FROM team_outbox WHERE kind = ? AND id > ? AND id < ?', kind, ...within(outer));
}

function isAnyWaiting({ sql }: LocalContext, kind: EntityKind, outer: string): boolean {
  return sql.has('SELECT 1 FROM team_outbox WHERE kind = ? AND id > ? AND id < ?', kind, ...within(outer));
}

function within(outer: string): [after: string, before: string] {
  return [`${outer}\n`, `${outer}\v`];
}

/** Reports whether an entity has a pending change. */
export function isWaiting({ sql }: LocalContext, kind: PendingKind, id: string): boolean {
  return sql.has('SELECT 1 FROM team_outbox WHERE kind = ? AND id = ?', kind, id);
}

/** Removes the pending change of an entity. */
export function dropPendingChange({ sql }: LocalContext, kind: PendingKind, id: string): void {
  sql.run('DELETE FROM team_outbox WHERE kind = ? AND id = ?', kind, id);
}

/** Queues an entity that a download changed. A member who can only view sends nothing. */
export function markPending({ sql }: LocalContext, kind: EntityKind, id: string): void {
  sql.run(
    'INSERT INTO team_outbox (kind, id) SELECT ?, ? WHERE EXISTS (SELECT 1 FROM team WHERE level > 1) ON CONFLICT DO UPDATE SET refused = NULL',
    kind,
    id,
  );
}

/** Returns the shared names of cited documents, because their numbers are local. */
export function namedDocuments({ sql }: LocalContext, numbers: Iterable<number>): unknown[] {
  return [...new Set(numbers)].flatMap((number) => {
    const row = sql.get('SELECT source_id, key FROM documents WHERE id = ?', number);
    return row === undefined ? [] : [[number, row['source_id'], row['key']]];
  });
}

const documentNames = fitting(v.tuple([v.number(), v.string(), v.string()]));

/**
 * Returns the local numbers of named documents, by their shared numbers.
 * @throws ValiError if names are missing
 */
export function localNumbers({ sql }: LocalContext, named: unknown): ImportedPlaces {
  const documentIds = new Map<number, number>();
  for (const [number, sourceId, key] of v.parse(documentNames, named)) {
    const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
    documentIds.set(number, Number(row?.['id'] ?? 0));
  }
  const fileAt = (documentId: number): string =>
    sql.texts('SELECT uri FROM documents WHERE id = ?', documentId)[0] ?? '';
  return { documentIds, fileAt };
}
