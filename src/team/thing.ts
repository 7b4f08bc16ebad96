import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { ImportedPlaces } from '../indexing/library/read-citations.ts';
import type { Statements } from '../indexing/store/database/statements.ts';
import type { ResearchLimits } from '../notebook/research.ts';
import { fitting } from '../notebook/json-schemas.ts';
import { pack, unpack } from './packed.ts';

/** What a team shares beside sources, documents and notes, as `things.kind` in its database has it. */
export type ThingKind =
  | 'annotations'
  | 'card'
  | 'cell'
  | 'conversation'
  | 'deck'
  | 'matrix'
  | 'quiz'
  | 'research'
  | 'step'
  | 'turn';

/** A thing of a team's database; `value` is undefined of a removed one, and `isOwn` says whether this member added it. */
export interface ThingRow {
  readonly kind: ThingKind;
  readonly id: string;
  readonly within: string;
  readonly revision: number;
  readonly addedBy: string;
  readonly changedBy: string;
  readonly isOwn: boolean;
  readonly value: Uint8Array | undefined;
}

/** A thing as it is sent. Without a base the last that is sent stays. */
export interface SentThing {
  readonly id: string;
  readonly within: string;
  readonly base: number | undefined;
  readonly value: Buffer;
}

/** A thing that the team is to have no more. */
export interface RemovedThing {
  readonly id: string;
  readonly value: undefined;
}

/** What things are read from and written to. */
export interface ThingsHere {
  readonly sql: Statements;
  readonly roots: readonly string[];
  /** What researches of other members may take on this machine. */
  readonly limits: ResearchLimits;
}

/** How things of one kind are sent and taken in. */
export interface Thing {
  /** Undefined where there is nothing to send. `id` is the one in the outbox. */
  readonly toSend: (here: ThingsHere, id: string) => RemovedThing | SentThing | undefined;
  /** The id in the outbox of one that comes from the team; the same where there is none of it. */
  readonly outboxId?: (here: ThingsHere, row: Pick<ThingRow, 'id' | 'value'>) => string | undefined;
  /** Takes one in. Returns whether what changed here need not be sent any more. @throws Error where it is none */
  readonly take: (here: ThingsHere, row: ThingRow, isWaiting: boolean) => boolean;
}

/** A thing as the team has it, from which that here grew. */
interface ThingBase {
  readonly revision: number;
  readonly value: Record<string, unknown>;
}

/** A thing as the team had it last; undefined where nothing of it came. */
export function findBase({ sql }: ThingsHere, kind: ThingKind, id: string): ThingBase | undefined {
  const row = sql.get('SELECT revision, value FROM team_things WHERE kind = ? AND id = ?', kind, id);
  return row && { revision: Number(row['revision']), value: unpack(row['value'] as Uint8Array) };
}

/** The same, read by the schema of its kind. @throws ValiError where it is none */
export function readBase<T>(
  here: ThingsHere,
  kind: ThingKind,
  schema: v.GenericSchema<unknown, T>,
  id: string,
): { readonly revision: number; readonly value: T } | undefined {
  const base = findBase(here, kind, id);
  return base && { revision: base.revision, value: v.parse(schema, base.value) };
}

/** Keeps a thing as the team has it, packed, with its revision there. */
export function keepBase(
  { sql }: ThingsHere,
  kind: ThingKind,
  id: string,
  { revision, value }: { readonly revision: number; readonly value: Uint8Array },
): void {
  sql.replace('team_things', { kind, id, revision, value });
}

/** Forgets what the team had of a thing. */
export function dropBase({ sql }: ThingsHere, kind: ThingKind, id: string): void {
  sql.run('DELETE FROM team_things WHERE kind = ? AND id = ?', kind, id);
}

/** What takes away one that the team has. */
export function removedThing(here: ThingsHere, kind: ThingKind, id: string): RemovedThing | undefined {
  return findBase(here, kind, id) && { id, value: undefined };
}

/** A thing that belongs in no other, as it is here; where it isn't, what takes it away from the team. */
export function thingToSend(
  here: ThingsHere,
  kind: ThingKind,
  id: string,
  value: object | undefined,
): RemovedThing | SentThing | undefined {
  if (value === undefined) return removedThing(here, kind, id);
  return { id, within: '', base: findBase(here, kind, id)?.revision ?? 0, value: pack(value) };
}

/** A thing of which others are parts: a matrix with its cells, a deck with its cards. */
export interface Parent<T extends object> {
  readonly kind: ThingKind;
  readonly part: ThingKind;
  readonly table: string;
  readonly schema: v.GenericSchema<unknown, T>;
  readonly read: (here: ThingsHere, id: string) => T | undefined;
  /** The ids of its parts in the outbox. */
  readonly parts: (here: ThingsHere, id: string) => readonly string[];
  readonly merge: (base: T, theirs: T, ours: T) => T;
  /** Returns it as it was written. */
  readonly write: (here: ThingsHere, id: string, value: T) => T;
}

/** How wholes of one kind are sent and taken in; their parts are things of their own. */
export function wholeThing<T extends object>(whole: Parent<T>): Thing {
  const { kind, table, schema, read, merge, write } = whole;
  return {
    toSend: (here, id) => thingToSend(here, kind, id, read(here, id)),
    take(here, { id, value, revision }, isWaitingHere) {
      const ours = read(here, id);
      if (value === undefined) {
        const goes = takeRemoval(here, whole, id, isWaitingHere);
        if (goes) here.sql.run(`DELETE FROM ${table} WHERE id = ?`, id);
        return goes;
      }
      const theirs = v.parse(schema, unpack(value));
      const base = wholeBase(here, whole, id) ?? theirs;
      keepBase(here, kind, id, { revision, value });
      const merged = ours === undefined || !isWaitingHere ? theirs : merge(base, theirs, ours);
      return isDeepStrictEqual(write(here, id, merged), theirs);
    },
  };
}

/** A whole that was removed here, of which a part was changed there, stays; one that comes after its part has it then. */
export function bringBack<T extends object>(here: ThingsHere, whole: Parent<T>, id: string): void {
  const { kind, write } = whole;
  const removed = isWaiting(here, kind, id) ? wholeBase(here, whole, id) : undefined;
  if (removed === undefined) return;
  here.sql.run('DELETE FROM team_outbox WHERE kind = ? AND id = ?', kind, id);
  write(here, id, removed);
}

function wholeBase<T extends object>(
  here: ThingsHere,
  { kind, schema }: Parent<T>,
  id: string,
): T | undefined {
  return readBase(here, kind, schema, id)?.value;
}

/**
 * Takes in that the team removed a whole. One that was changed here meanwhile, or a part of it, is sent again with all
 * that it has. Returns whether it goes here, too.
 */
function takeRemoval<T extends object>(
  here: ThingsHere,
  { kind, part, read, parts }: Parent<T>,
  id: string,
  isChanged: boolean,
): boolean {
  dropBase(here, kind, id);
  if (read(here, id) !== undefined && (isChanged || isAnyWaiting(here, part, id))) {
    markWaiting(here, kind, id);
    for (const one of parts(here, id)) markWaiting(here, part, one);
    return false;
  }
  dropWithin(here, part, id);
  return true;
}

/** The things of a kind as the team has them whose ids begin with another's, in a line of its own. */
export function basesWithin(
  { sql }: ThingsHere,
  kind: ThingKind,
  outer: string,
): { readonly id: string; readonly value: Record<string, unknown> }[] {
  return sql
    .all('SELECT id, value FROM team_things WHERE kind = ? AND id > ? AND id < ?', kind, ...within(outer))
    .map((row) => ({ id: String(row['id']), value: unpack(row['value'] as Uint8Array) }));
}

/** Forgets them, and what of them waited to be sent. */
function dropWithin(here: ThingsHere, kind: ThingKind, outer: string): void {
  here.sql.run('DELETE FROM team_things WHERE kind = ? AND id > ? AND id < ?', kind, ...within(outer));
  dropWaiting(here, kind, outer);
}

/** Forgets what waited to be sent of the things of a kind within another. */
export function dropWaiting({ sql }: ThingsHere, kind: ThingKind, outer: string): void {
  sql.run('DELETE FROM team_outbox WHERE kind = ? AND id > ? AND id < ?', kind, ...within(outer));
}

function isAnyWaiting({ sql }: ThingsHere, kind: ThingKind, outer: string): boolean {
  return sql.has('SELECT 1 FROM team_outbox WHERE kind = ? AND id > ? AND id < ?', kind, ...within(outer));
}

function within(outer: string): [after: string, before: string] {
  return [`${outer}\n`, `${outer}\v`];
}

/** Whether a thing changed here and was not sent yet. */
export function isWaiting({ sql }: ThingsHere, kind: ThingKind, id: string): boolean {
  return sql.has('SELECT 1 FROM team_outbox WHERE kind = ? AND id = ?', kind, id);
}

/** Has something be sent that what came from the team changed here; who may only read has nothing to send. */
export function markWaiting({ sql }: ThingsHere, kind: ThingKind, id: string): void {
  sql.run(
    'INSERT INTO team_outbox (kind, id) SELECT ?, ? WHERE EXISTS (SELECT 1 FROM team WHERE level > 1) ON CONFLICT DO UPDATE SET refused = NULL',
    kind,
    id,
  );
}

/** How documents that things cite are named: their numbers are of one machine alone. */
export function namedDocuments({ sql }: ThingsHere, numbers: Iterable<number>): unknown[] {
  return [...new Set(numbers)].flatMap((number) => {
    const row = sql.get('SELECT source_id, key FROM documents WHERE id = ?', number);
    return row === undefined ? [] : [[number, row['source_id'], row['key']]];
  });
}

const documentNames = fitting(v.tuple([v.number(), v.string(), v.string()]));

/** The numbers that named documents have here, by those that they had. @throws ValiError where they are not named */
export function numbersHere({ sql }: ThingsHere, named: unknown): ImportedPlaces {
  const documentIds = new Map<number, number>();
  for (const [number, sourceId, key] of v.parse(documentNames, named)) {
    const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
    documentIds.set(number, Number(row?.['id'] ?? 0));
  }
  const fileAt = (documentId: number): string =>
    sql.texts('SELECT uri FROM documents WHERE id = ?', documentId)[0] ?? '';
  return { documentIds, fileAt };
}
