import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { AnswerFailure } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import {
  MAX_CELL_LENGTH,
  MAX_QUESTION_LENGTH,
  MAX_COLUMNS,
  readRowId,
  type CellOutcome,
  type CellPlace,
  type CellStanding,
  type ClaimedCell,
  type ExtractionTable,
  type TableBoard,
  type ExtractionCell,
  type ExtractionColumn,
  type TableEntry,
} from '../model/extraction-table.ts';
import { cellText } from '../model/cells.ts';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import { addedUsage, type TokenUsage } from '../../../core/domain/usage.ts';
import { optionalText, type Row } from '../../../index/store/database/database.ts';
import {
  storedAnswer,
  storedFailure,
  storedTexts,
  storedUsage,
  readJson,
  readOptionalJson,
} from '../../../index/store/database/stored-json.ts';
import { type Statements, optionalJson } from '../../../index/store/database/statements.ts';
import { forbidReadersEntity } from '../../../index/store/database/team-rights.ts';
import { storedColumns } from './stored-json.ts';

type Place = CellPlace & { readonly tableId: string };
type Parameter<M extends keyof TableBoard> = Parameters<TableBoard[M]>[0];

/** Maximum number of cells returned at once, as they can be long. */
const CELLS_AT_ONCE = 200;

const AT = 'matrix_id = ? AND column_id = ? AND row_id = ?';

/** Extraction tables of a notebook with their cells, in its database. Every change is one transaction. */
export class ExtractionTables {
  readonly #sql: Statements;
  readonly #now: () => number;
  #known: ReadonlyMap<string, number>;
  #mayHaveChanged = false;

  /** `now` is the time in milliseconds since 1970. */
  constructor(sql: Statements, now: () => number = Date.now) {
    this.#sql = sql;
    this.#now = now;
    this.#known = this.#revisions();
  }

  /** Returns all extraction tables, the last changed first. */
  list(): TableEntry[] {
    return this.#sql.all('SELECT * FROM matrices ORDER BY changed_at DESC, rowid DESC').map(toEntry);
  }

  /** Returns an extraction table; undefined if it doesn't exist. */
  find(tableId: string): ExtractionTable | undefined {
    const row = this.#sql.get('SELECT * FROM matrices WHERE id = ?', tableId);
    return row && toTable(row);
  }

  /** @throws NotebookError `not-found` */
  open(tableId: string): ExtractionTable {
    const table = this.find(tableId);
    if (table === undefined)
      throw new NotebookError('not-found', t('This extraction table no longer exists. It was deleted.'));
    return table;
  }

  /** Adds an extraction table without columns; returns its ID. */
  add({ title, sourceIds, rowKind }: Parameter<'addTable'>): string {
    const id = randomUUID();
    const now = this.#now();
    this.#mayHaveChanged = true;
    this.#sql.transaction(() =>
      this.#sql.insert('matrices', {
        id,
        title: plainTitle(title),
        source_ids: optionalJson(sourceIds),
        row_kind: rowKind,
        columns: '[]',
        created_at: now,
        changed_at: now,
      }),
    );
    return id;
  }

  /**
   * Returns the cells that changed after a revision, starting with a row, and the current revision.
   * @throws NotebookError `not-found`
   */
  cells({ tableId, after, from = 0 }: Parameter<'tableCells'>): ReturnType<TableBoard['tableCells']> {
    return this.#sql.reading(() => {
      const { revision } = this.open(tableId);
      const rows = this.#sql.all(
        `SELECT rowid AS number, * FROM matrix_cells WHERE matrix_id = ? AND revision > ? AND rowid > ?
         ORDER BY rowid LIMIT ?`,
        tableId,
        after,
        from,
        CELLS_AT_ONCE,
      );
      const last = rows.length < CELLS_AT_ONCE ? undefined : Number(rows.at(-1)?.['number']);
      return { revision, cells: rows.map((row) => toCell(row, this.#now())), from: last };
    });
  }

  /** Returns the current state of a cell; undefined if it never had any. */
  cell(place: Place): ExtractionCell | undefined {
    const row = this.#sql.get(`SELECT * FROM matrix_cells WHERE ${AT}`, ...placeValues(place));
    return row && toCell(row, this.#now());
  }

  /** Returns the states of a table's cells without their content. */
  states(tableId: string): CellStanding[] {
    return this.#sql
      .all(
        `SELECT column_id, row_id, wanted, held_until, edited IS NOT NULL AS is_edited FROM matrix_cells
         WHERE matrix_id = ? ORDER BY rowid`,
        tableId,
      )
      .map((row) => ({
        columnId: String(row['column_id']),
        rowId: String(row['row_id']),
        state: cellState(row, this.#now()),
        isEdited: row['is_edited'] === 1,
      }));
  }

  /** Renames an extraction table. @throws NotebookError `not-found` */
  rename(tableId: string, title: string): void {
    this.#change(tableId, () =>
      this.#sql.run('UPDATE matrices SET title = ? WHERE id = ?', plainTitle(title), tableId),
    );
  }

  /** @throws NotebookError `forbidden` if it belongs to a team and the user can only view it */
  remove(tableId: string): void {
    forbidReadersEntity(this.#sql, 'matrix', tableId);
    this.#mayHaveChanged = true;
    this.#sql.write('DELETE FROM matrices WHERE id = ?', tableId);
  }

  /** @throws NotebookError `too-large` */
  addColumn(tableId: string, question: string): string {
    const id = randomUUID().slice(0, 8);
    this.#changeColumns(tableId, (columns) => {
      if (columns.length >= MAX_COLUMNS)
        throw new NotebookError(
          'too-large',
          t(
            'An extraction table can have at most {0} columns. Remove a column, or create another table.',
            MAX_COLUMNS,
          ),
        );
      return [...columns, { id, question: shortenQuestion(question) }];
    });
    return id;
  }

  /** Renames a column. @throws NotebookError `not-found` */
  renameColumn(tableId: string, columnId: string, question: string): void {
    this.#changeColumns(tableId, (columns) =>
      columns.map((column) =>
        column.id === columnId ? { id: columnId, question: shortenQuestion(question) } : column,
      ),
    );
  }

  /** Removes a column with its cells. @throws NotebookError `not-found` */
  removeColumn(tableId: string, columnId: string): void {
    this.#changeColumns(tableId, (columns) => {
      this.#sql.run('DELETE FROM matrix_cells WHERE matrix_id = ? AND column_id = ?', tableId, columnId);
      return columns.filter(({ id }) => id !== columnId);
    });
  }

  /** Saves the user's text for a cell, or removes it. @throws NotebookError `not-found` */
  edit({ text, rowTitle, ...place }: Parameter<'editCell'>): void {
    this.#change(place.tableId, (revision) => {
      if (!this.open(place.tableId).columns.some(({ id }) => id === place.columnId))
        throw new NotebookError('not-found', t('This column no longer exists. It was removed.'));
      this.#ensure(place, rowTitle, revision);
      this.#sql.run(
        `UPDATE matrix_cells SET edited = ?, wanted = 0, replaces = 0, holder = NULL, held_until = NULL, failure = NULL,
           was = NULL, revision = ? WHERE ${AT}`,
        text === undefined ? null : text.slice(0, MAX_CELL_LENGTH),
        revision,
        ...placeValues(place),
      );
    });
  }

  /** Marks cells to be filled. @throws NotebookError `not-found` */
  want({ tableId, cells, replacesEdited }: Parameter<'wantCells'>): void {
    this.#change(tableId, (revision) => {
      const columns = new Set(this.open(tableId).columns.map(({ id }) => id));
      for (const { rowTitle, ...place } of cells) {
        if (!columns.has(place.columnId)) continue;
        this.#ensure({ tableId, ...place }, rowTitle, revision);
        this.#sql.run(
          `UPDATE matrix_cells SET wanted = 1, replaces = ?, failure = NULL, row_title = ?, revision = ?
           WHERE ${AT} AND wanted = 0${replacesEdited ? '' : ' AND edited IS NULL'}`,
          Number(replacesEdited),
          rowTitle,
          revision,
          ...placeValues({ tableId, ...place }),
        );
      }
    });
  }

  /** Unmarks cells that are waiting to be filled. @throws NotebookError `not-found` */
  unwant({ tableId, cells }: Parameter<'unwantCells'>): void {
    this.#change(tableId, (revision) => {
      const lettingBe = `UPDATE matrix_cells SET wanted = 0, replaces = 0, holder = NULL, held_until = NULL, revision = ?
         WHERE wanted = 1 AND`;
      if (cells === undefined) this.#sql.run(`${lettingBe} matrix_id = ?`, revision, tableId);
      else
        for (const { columnId, rowId } of cells)
          this.#sql.run(`${lettingBe} ${AT}`, revision, tableId, columnId, rowId);
    });
  }

  /** Records that the user saw the changes in a cell, or in all cells. @throws NotebookError `not-found` */
  see({ tableId, cell }: Parameter<'seeCells'>): void {
    this.#change(tableId, (revision) => {
      const seeing = 'UPDATE matrix_cells SET was = NULL, revision = ? WHERE was IS NOT NULL AND';
      if (cell === undefined) this.#sql.run(`${seeing} matrix_id = ?`, revision, tableId);
      else this.#sql.run(`${seeing} ${AT}`, revision, ...placeValues({ tableId, ...cell }));
    });
  }

  /** Claims the next waiting cell for `hold` milliseconds; undefined if none waits. */
  claim({ tableId, holder, hold }: Parameter<'claimCell'>): ClaimedCell | undefined {
    const now = this.#now();
    const next = `SELECT column_id, row_id, row_title FROM matrix_cells
      WHERE matrix_id = ? AND wanted = 1 AND (held_until IS NULL OR held_until <= ?) ORDER BY rowid LIMIT 1`;
    // Don't write anything if no cell waits.
    if (this.#sql.get(next, tableId, now) === undefined) return undefined;
    return this.#change(tableId, (revision) => {
      const row = this.#sql.get(next, tableId, now);
      if (row === undefined) return undefined;
      const place = { columnId: String(row['column_id']), rowId: String(row['row_id']) };
      this.#sql.run(
        `UPDATE matrix_cells SET holder = ?, held_until = ?, revision = ? WHERE ${AT}`,
        holder,
        now + hold,
        revision,
        ...placeValues({ tableId, ...place }),
      );
      const question = this.open(tableId).columns.find(({ id }) => id === place.columnId)?.question ?? '';
      const sharedId = findSharedId(this.#sql, { tableId, ...place });
      return { ...place, question, rowTitle: String(row['row_title']), sharedId };
    });
  }

  /** Extends the claims of a holder to `hold` milliseconds from now. */
  renew({ tableId, holder, hold }: Parameter<'renewCells'>): void {
    this.#sql.write(
      'UPDATE matrix_cells SET held_until = ? WHERE matrix_id = ? AND holder = ? AND wanted = 1',
      this.#now() + hold,
      tableId,
      holder,
    );
  }

  /**
   * Releases a cell, which waits for `hold` milliseconds before it's filled again.
   * @throws NotebookError `not-found`
   */
  leave({ holder, hold, ...place }: Parameter<'leaveCell'>): void {
    this.#change(place.tableId, (revision) => {
      this.#sql.run(
        `UPDATE matrix_cells SET holder = NULL, held_until = ?, revision = ? WHERE ${AT} AND holder = ? AND wanted = 1`,
        this.#now() + hold,
        revision,
        ...placeValues(place),
        holder,
      );
    });
  }

  /** Releases all cells of a holder, or one of them, and adds the usage. */
  release({ tableId, holder, cell, usage }: Parameter<'releaseCells'>): void {
    if (this.find(tableId) === undefined) return;
    this.#change(tableId, (revision) => {
      if (usage !== undefined) this.#addUsage(tableId, usage);
      const givingBack = `UPDATE matrix_cells SET holder = NULL, held_until = NULL, revision = ? WHERE holder = ? AND`;
      if (cell === undefined) this.#sql.run(`${givingBack} matrix_id = ?`, revision, holder, tableId);
      else this.#sql.run(`${givingBack} ${AT}`, revision, holder, ...placeValues({ tableId, ...cell }));
    });
  }

  /** Saves the outcome of a cell and adds its usage. Returns `true` if the holder still had the cell. */
  keep({ outcome, usage, holder, ...place }: Parameter<'keepCell'>): boolean {
    if (this.find(place.tableId) === undefined) return false;
    return this.#change(place.tableId, (revision) => {
      if (usage !== undefined) this.#addUsage(place.tableId, usage);
      const savedColumns = outcomeColumns(outcome, this.cell(place));
      return (
        this.#sql.run(
          `UPDATE matrix_cells SET ${Object.keys(savedColumns)
            .map((column) => `${column} = ?`)
            .join(', ')}${outcome.kind === 'answered' ? ', edited = iif(replaces, NULL, edited)' : ''},
             wanted = 0, replaces = 0, holder = NULL, held_until = NULL, revision = ?
           WHERE ${AT} AND holder = ? AND wanted = 1`,
          ...Object.values(savedColumns),
          revision,
          ...placeValues(place),
          holder,
        ) > 0
      );
    });
  }

  /** Saves the verdicts on a cell's answer and the usage. Returns `true` if the answer was still the same. */
  putVerdicts({ before, answer, usage, ...place }: Parameter<'putVerdicts'>): boolean {
    if (this.find(place.tableId) === undefined) return false;
    return this.#change(place.tableId, (revision) => {
      if (usage !== undefined) this.#addUsage(place.tableId, usage);
      if (!isSameJson(this.cell(place)?.answer, before)) return false;
      this.#sql.run(
        `UPDATE matrix_cells SET answer = ?, revision = ? WHERE ${AT}`,
        JSON.stringify(answer),
        revision,
        ...placeValues(place),
      );
      return true;
    });
  }

  /** Checks for changes of other windows at the next `takeChanged`. */
  readOtherWindows(): void {
    this.#mayHaveChanged = true;
  }

  /** Returns the extraction tables changed or removed since the last call, as far as this window knows. */
  takeChanged(): string[] {
    if (!this.#mayHaveChanged) return [];
    this.#mayHaveChanged = false;
    const before = this.#known;
    this.#known = this.#revisions();
    return [
      ...[...this.#known].flatMap(([id, revision]) => (before.get(id) === revision ? [] : [id])),
      ...[...before.keys()].filter((id) => !this.#known.has(id)),
    ];
  }

  #revisions(): ReadonlyMap<string, number> {
    const rows = this.#sql.all('SELECT id, revision FROM matrices');
    return new Map(rows.map(({ id, revision }) => [String(id), Number(revision)]));
  }

  /** @throws NotebookError `not-found` */
  #change<T>(tableId: string, action: (revision: number) => T): T {
    this.#mayHaveChanged = true;
    return this.#sql.transaction(() => {
      const { revision } = this.open(tableId);
      this.#sql.run(
        'UPDATE matrices SET revision = ?, changed_at = max(changed_at, ?) WHERE id = ?',
        revision + 1,
        this.#now(),
        tableId,
      );
      return action(revision + 1);
    });
  }

  #changeColumns(
    tableId: string,
    action: (columns: readonly ExtractionColumn[]) => readonly ExtractionColumn[],
  ): void {
    this.#change(tableId, () => {
      const columns = action(this.open(tableId).columns);
      this.#sql.run('UPDATE matrices SET columns = ? WHERE id = ?', JSON.stringify(columns), tableId);
    });
  }

  #ensure(place: Place, rowTitle: string, revision: number): void {
    this.#sql.run(
      `INSERT INTO matrix_cells (matrix_id, column_id, row_id, row_title, revision) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      ...placeValues(place),
      rowTitle,
      revision,
    );
  }

  #addUsage(tableId: string, usage: TokenUsage): void {
    const sum = addedUsage(this.open(tableId).usage, usage);
    this.#sql.run('UPDATE matrices SET usage = ? WHERE id = ?', JSON.stringify(sum), tableId);
  }
}

/** Returns an ID of a cell that is the same for all machines of a team, as document numbers are local. */
export function findSharedId(sql: Statements, { tableId, columnId, rowId }: Place): string | undefined {
  const { sourceId, documentId } = readRowId(rowId);
  if (documentId === undefined) return `${tableId}\n${columnId}\n${sourceId}`;
  const document = sql.get('SELECT key FROM documents WHERE id = ? AND source_id = ?', documentId, sourceId);
  return document && `${tableId}\n${columnId}\n${sourceId}\n${String(document['key'])}`;
}

function placeValues({ tableId, columnId, rowId }: Place): [string, string, string] {
  return [tableId, columnId, rowId];
}

/** Reports whether two values are stored as the same JSON. */
function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the columns to write for an outcome. A failed retry keeps the previous answer. */
function outcomeColumns(
  outcome: CellOutcome,
  before: ExtractionCell | undefined,
): Readonly<Record<string, string | null>> {
  return outcome.kind === 'failed'
    ? { failure: JSON.stringify(outcome.failure) }
    : {
        answer: JSON.stringify(outcome.answer),
        asked: outcome.question,
        version: outcome.version,
        failure: null,
        was: formerWords(before, cellText(outcome.answer)),
      };
}

/** Returns a cell's previous text if the new one differs; otherwise null. Earlier unseen changes are dropped. */
function formerWords(before: ExtractionCell | undefined, currentWords: string): string | null {
  if (before === undefined) return null;
  const formerText = before.edited ?? (before.answer && cellText(before.answer));
  return formerText === undefined || formerText === currentWords
    ? null
    : formerText.slice(0, MAX_CELL_LENGTH);
}

function shortenQuestion(question: string): string {
  return question.trim().slice(0, MAX_QUESTION_LENGTH);
}

function toEntry(row: Row): TableEntry {
  return {
    id: String(row['id']),
    title: String(row['title']),
    sourceIds: readOptionalJson(storedTexts, row['source_ids']),
    rowKind: row['row_kind'] === 'documents' ? 'documents' : 'sources',
    createdAt: Number(row['created_at']),
    changedAt: Number(row['changed_at']),
  };
}

function toTable(row: Row): ExtractionTable {
  return {
    ...toEntry(row),
    columns: readJson(storedColumns, row['columns'], []),
    revision: Number(row['revision']),
    usage: readOptionalJson(storedUsage, row['usage']),
  };
}

/** Content of a cell without its state. */
export type CellContent = Pick<
  ExtractionCell,
  'answer' | 'columnId' | 'edited' | 'question' | 'rowId' | 'rowTitle' | 'version'
>;

/** Converts a row to the content of its cell. */
export function toCellContent(row: Row): CellContent {
  return {
    columnId: String(row['column_id']),
    rowId: String(row['row_id']),
    rowTitle: String(row['row_title']),
    answer: readOptionalJson(storedAnswer, row['answer']),
    question: optionalText(row['asked']),
    version: optionalText(row['version']),
    edited: optionalText(row['edited']),
  };
}

function toCell(row: Row, now: number): ExtractionCell {
  const failure: AnswerFailure | undefined = readOptionalJson(storedFailure, row['failure']);
  return {
    ...toCellContent(row),
    was: optionalText(row['was']),
    failure,
    state: cellState(row, now),
  };
}

function cellState(row: Row, now: number): ExtractionCell['state'] {
  if (row['wanted'] !== 1) return 'resting';
  return typeof row['held_until'] === 'number' && row['held_until'] > now ? 'asking' : 'waiting';
}
