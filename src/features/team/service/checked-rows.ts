import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { NotebookError } from '../../../core/domain/errors.ts';

/** Maximum length of a name, title, or key, in UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** Numbers arrive as digits, because PostgreSQL's can exceed JavaScript's range. None of these do. */
const number = v.union([v.pipe(v.string(), v.regex(/^-?\d{1,15}$/)), v.pipe(v.number(), v.safeInteger())]);
const text = v.pipe(v.string(), v.maxLength(MAX_LENGTH));
const uuid = v.pipe(v.string(), v.regex(/^[\da-f-]{36}$/));
const bytes = v.instance(Uint8Array);

/** Schemas of the requested columns, by name. */
const columns: ReadonlyMap<string, v.GenericSchema> = new Map([
  ...schemasByName(
    number,
    'base count dead dimension first holding languages length level most number oldest_client passage passages place revision version windows',
  ),
  ...schemasByName(
    text,
    'added_by changed_by created_by everybody holder id key kind member name own_role removed_by research role source_id step term title within',
  ),
  ...schemasByName(v.date(), 'added_at changed_at created_at removed_at seen_at'),
  ...schemasByName(bytes, 'content hash head postings texts value vectors words'),
  ...schemasByName(v.pipe(v.number(), v.finite()), 'nearness'),
  ...schemasByName(uuid, 'team_id'),
  ...schemasByName(v.pipe(v.string(), v.regex(/^open_notebook_[\da-f]{40}$/)), 'channel'),
  ...schemasByName(v.pipe(v.string(), v.regex(/^[\da-f]{40}$/)), 'salt'),
  // In rows of documents, `bytes` is a number of bytes. In rows of texts, it is the content.
  ...schemasByName(v.union([bytes, number]), 'bytes'),
]);

/** Columns without a value in some rows, such as deleted ones. All other columns always have a value. */
const OPTIONAL_COLUMNS: ReadonlySet<string> = new Set(
  'changed_at content everybody holder key length number own_role passage passages postings removed_at removed_by revision seen_at source_id value'.split(
    ' ',
  ),
);

function schemasByName(schema: v.GenericSchema, names: string): [string, v.GenericSchema][] {
  return names.split(' ').map((name) => [name, schema]);
}

/**
 * Checks the types of values from a team database, because a hostile server can send anything, and some values become
 * numbers and folder names. Packed values are checked when they are unpacked.
 * @throws NotebookError
 */
export function checkRows(rows: readonly unknown[]): void {
  for (const row of rows) {
    if (typeof row !== 'object' || row === null) throw notATeams();
    for (const [name, value] of Object.entries(row)) {
      const column = columns.get(name);
      if (column === undefined || (value === null && OPTIONAL_COLUMNS.has(name))) continue;
      if (!v.is(column, value)) throw notATeams();
    }
  }
}

/**
 * Throws if rows don't come after the requested revision, as reading them could go on forever.
 * @throws NotebookError
 */
export function checkOrder(rows: readonly { readonly revision: string }[], after: number): void {
  let last = after;
  for (const { revision } of rows) {
    if (Number(revision) < last) throw notATeams();
    last = Number(revision);
  }
  if (rows.length > 0 && last <= after) throw notATeams();
}

/** Reports whether an ID can be the ID of a team notebook, a UUID. */
export function isNotebookId(id: string): boolean {
  return v.is(uuid, id);
}

/** Creates the error for a database whose data isn't from a team notebook. */
export function notATeams(): NotebookError {
  return new NotebookError(
    'damaged',
    t(
      'The database returned data that isn’t from a team notebook. Contact its administrator. Your local copy is unchanged.',
    ),
  );
}
