import { t } from '@vscode/l10n';
import { NotebookError } from '../notebook/errors.ts';

/** What a name, a title or a key has at most, in UTF-16 code units. */
const LONGEST = 4_000;

/** Numbers come as their digits, as some are greater than JavaScript's; none of these is. */
const isNumber = (value: unknown): boolean =>
  (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) || Number.isSafeInteger(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= LONGEST;
const isUuid = (value: unknown): boolean => typeof value === 'string' && /^[\da-f-]{36}$/.test(value);
const isTime = (value: unknown): boolean => value instanceof Date && Number.isFinite(value.getTime());
const isBytes = (value: unknown): boolean => value instanceof Uint8Array;

/** What the columns hold that are asked for, by their names. */
const columns: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...Object.fromEntries(
    [
      ...[
        'base',
        'count',
        'dead',
        'dimension',
        'first',
        'holding',
        'languages',
        'length',
        'level',
        'most',
        'oldest_client',
      ],
      ...['number', 'passage', 'passages', 'place', 'revision', 'version'],
    ].map((name) => [name, isNumber]),
  ),
  ...Object.fromEntries(
    [
      ...[
        'added_by',
        'created_by',
        'holder',
        'kind',
        'member',
        'research',
        'step',
        'term',
        'within',
        'changed_by',
        'created_by',
        'holder',
        'id',
        'key',
        'kind',
        'member',
        'name',
        'removed_by',
      ],
      ...['research', 'role', 'source_id', 'step', 'title', 'within'],
    ].map((name) => [name, isText]),
  ),
  ...Object.fromEntries(
    ['added_at', 'changed_at', 'created_at', 'created_at', 'removed_at', 'seen_at'].map((name) => [
      name,
      isTime,
    ]),
  ),
  ...Object.fromEntries(
    ['content', 'hash', 'head', 'postings', 'texts', 'value', 'vectors', 'words'].map((name) => [
      name,
      isBytes,
    ]),
  ),
  nearness: (value) => typeof value === 'number' && Number.isFinite(value),
  team_id: isUuid,
  // Of a document how many they are, of a text themselves.
  bytes: (value) => isBytes(value) || isNumber(value),
};

/**
 * Throws where what a database answered is not what a team's answers: whoever has it may send anything, and what is taken
 * for a number or a folder's name has to be one. What is packed in a row is looked at where it is unpacked.
 */
export function checkRows(rows: readonly unknown[]): void {
  for (const row of rows) {
    if (typeof row !== 'object' || row === null) throw notATeams();
    for (const [name, value] of Object.entries(row))
      if (value !== null && columns[name]?.(value) === false) throw notATeams();
  }
}

/** Throws where rows were asked for that come after a revision, and others came, which could go on for ever. */
export function checkOrder(rows: readonly { readonly revision: string }[], after: number): void {
  let last = after;
  for (const { revision } of rows) {
    if (Number(revision) < last) throw notATeams();
    last = Number(revision);
  }
  if (rows.length > 0 && last <= after) throw notATeams();
}

export function isNotebookId(id: string): boolean {
  return isUuid(id);
}

/** Said of a database that answers what a team's never does. */
export function notATeams(): NotebookError {
  return new NotebookError(
    'damaged',
    t(
      'What the database sends is not what a team’s notebook is. Ask whoever manages it; what is here stays as it is.',
    ),
  );
}
