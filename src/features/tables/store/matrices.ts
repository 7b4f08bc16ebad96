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
  type Matrix,
  type MatrixBoard,
  type MatrixCell,
  type MatrixColumn,
  type MatrixEntry,
} from '../model/matrix.ts';
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
import { forbidReadersThing } from '../../../index/store/database/team-rights.ts';
import { storedColumns } from './stored-json.ts';

type Place = CellPlace & { readonly matrixId: string };
type Parameter<M extends keyof MatrixBoard> = Parameters<MatrixBoard[M]>[0];

/** Maximum number of cells returned at once, as they can be long. */
const CELLS_AT_ONCE = 200;

const AT = 'matrix_id = ? AND column_id = ? AND row_id = ?';

/** Extraction tables of a notebook with their cells, in its database. Every change is one transaction. */
export class Matrices {
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
  list(): MatrixEntry[] {
    return this.#sql.all('SELECT * FROM matrices ORDER BY changed_at DESC, rowid DESC').map(toEntry);
  }

  /** Returns an extraction table; undefined if it doesn't exist. */
  find(matrixId: string): Matrix | undefined {
    const row = this.#sql.get('SELECT * FROM matrices WHERE id = ?', matrixId);
    return row && toMatrix(row);
  }

  /** @throws NotebookError `not-found` */
  open(matrixId: string): Matrix {
    const matrix = this.find(matrixId);
    if (matrix === undefined)
      throw new NotebookError('not-found', t('This extraction table no longer exists. It was deleted.'));
    return matrix;
  }

  /** Adds an extraction table without columns; returns its ID. */
  add({ title, sourceIds, rowKind }: Parameter<'addMatrix'>): string {
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
  cells({ matrixId, after, from = 0 }: Parameter<'matrixCells'>): ReturnType<MatrixBoard['matrixCells']> {
    return this.#sql.reading(() => {
      const { revision } = this.open(matrixId);
      const rows = this.#sql.all(
        `SELECT rowid AS number, * FROM matrix_cells WHERE matrix_id = ? AND revision > ? AND rowid > ?
         ORDER BY rowid LIMIT ?`,
        matrixId,
        after,
        from,
        CELLS_AT_ONCE,
      );
      const last = rows.length < CELLS_AT_ONCE ? undefined : Number(rows.at(-1)?.['number']);
      return { revision, cells: rows.map((row) => toCell(row, this.#now())), from: last };
    });
  }

  /** Returns the current state of a cell; undefined if it never had any. */
  cell(place: Place): MatrixCell | undefined {
    const row = this.#sql.get(`SELECT * FROM matrix_cells WHERE ${AT}`, ...placeValues(place));
    return row && toCell(row, this.#now());
  }

  /** Returns the states of a table's cells without their content. */
  states(matrixId: string): CellStanding[] {
    return this.#sql
      .all(
        `SELECT column_id, row_id, wanted, held_until, edited IS NOT NULL AS is_edited FROM matrix_cells
         WHERE matrix_id = ? ORDER BY rowid`,
        matrixId,
      )
      .map((row) => ({
        columnId: String(row['column_id']),
        rowId: String(row['row_id']),
        state: cellState(row, this.#now()),
        isEdited: row['is_edited'] === 1,
      }));
  }

  /** Renames an extraction table. @throws NotebookError `not-found` */
  rename(matrixId: string, title: string): void {
    this.#change(matrixId, () =>
      this.#sql.run('UPDATE matrices SET title = ? WHERE id = ?', plainTitle(title), matrixId),
    );
  }

  /** @throws NotebookError `forbidden` if it belongs to a team and the user can only view it */
  remove(matrixId: string): void {
    forbidReadersThing(this.#sql, 'matrix', matrixId);
    this.#mayHaveChanged = true;
    this.#sql.write('DELETE FROM matrices WHERE id = ?', matrixId);
  }

  /** @throws NotebookError `too-large` */
  addColumn(matrixId: string, question: string): string {
    const id = randomUUID().slice(0, 8);
    this.#changeColumns(matrixId, (columns) => {
      if (columns.length >= MAX_COLUMNS)
        throw new NotebookError(
          'too-large',
          t(
            'An extraction table can have at most {0} columns. Remove a column, or create another table.',
            MAX_COLUMNS,
          ),
        );
      return [...columns, { id, question: shortened(question) }];
    });
    return id;
  }

  /** Renames a column. @throws NotebookError `not-found` */
  renameColumn(matrixId: string, columnId: string, question: string): void {
    this.#changeColumns(matrixId, (columns) =>
      columns.map((column) =>
        column.id === columnId ? { id: columnId, question: shortened(question) } : column,
      ),
    );
  }

  /** Removes a column with its cells. @throws NotebookError `not-found` */
  removeColumn(matrixId: string, columnId: string): void {
    this.#changeColumns(matrixId, (columns) => {
      this.#sql.run('DELETE FROM matrix_cells WHERE matrix_id = ? AND column_id = ?', matrixId, columnId);
      return columns.filter(({ id }) => id !== columnId);
    });
  }

  /** Saves the user's text for a cell, or removes it. @throws NotebookError `not-found` */
  edit({ text, rowTitle, ...place }: Parameter<'editCell'>): void {
    this.#change(place.matrixId, (revision) => {
      if (!this.open(place.matrixId).columns.some(({ id }) => id === place.columnId))
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
  want({ matrixId, cells, replacesEdited }: Parameter<'wantCells'>): void {
    this.#change(matrixId, (revision) => {
      const columns = new Set(this.open(matrixId).columns.map(({ id }) => id));
      for (const { rowTitle, ...place } of cells) {
        if (!columns.has(place.columnId)) continue;
        this.#ensure({ matrixId, ...place }, rowTitle, revision);
        this.#sql.run(
          `UPDATE matrix_cells SET wanted = 1, replaces = ?, failure = NULL, row_title = ?, revision = ?
           WHERE ${AT} AND wanted = 0${replacesEdited ? '' : ' AND edited IS NULL'}`,
          Number(replacesEdited),
          rowTitle,
          revision,
          ...placeValues({ matrixId, ...place }),
        );
      }
    });
  }

  /** Unmarks cells that are waiting to be filled. @throws NotebookError `not-found` */
  unwant({ matrixId, cells }: Parameter<'unwantCells'>): void {
    this.#change(matrixId, (revision) => {
      const lettingBe = `UPDATE matrix_cells SET wanted = 0, replaces = 0, holder = NULL, held_until = NULL, revision = ?
         WHERE wanted = 1 AND`;
      if (cells === undefined) this.#sql.run(`${lettingBe} matrix_id = ?`, revision, matrixId);
      else
        for (const { columnId, rowId } of cells)
          this.#sql.run(`${lettingBe} ${AT}`, revision, matrixId, columnId, rowId);
    });
  }

  /** Records that the user saw the changes in a cell, or in all cells. @throws NotebookError `not-found` */
  see({ matrixId, cell }: Parameter<'seeCells'>): void {
    this.#change(matrixId, (revision) => {
      const seeing = 'UPDATE matrix_cells SET was = NULL, revision = ? WHERE was IS NOT NULL AND';
      if (cell === undefined) this.#sql.run(`${seeing} matrix_id = ?`, revision, matrixId);
      else this.#sql.run(`${seeing} ${AT}`, revision, ...placeValues({ matrixId, ...cell }));
    });
  }

  /** Claims the next waiting cell for `hold` milliseconds; undefined if none waits. */
  claim({ matrixId, holder, hold }: Parameter<'claimCell'>): ClaimedCell | undefined {
    const now = this.#now();
    const next = `SELECT column_id, row_id, row_title FROM matrix_cells
      WHERE matrix_id = ? AND wanted = 1 AND (held_until IS NULL OR held_until <= ?) ORDER BY rowid LIMIT 1`;
    // Don't write anything if no cell waits.
    if (this.#sql.get(next, matrixId, now) === undefined) return undefined;
    return this.#change(matrixId, (revision) => {
      const row = this.#sql.get(next, matrixId, now);
      if (row === undefined) return undefined;
      const place = { columnId: String(row['column_id']), rowId: String(row['row_id']) };
      this.#sql.run(
        `UPDATE matrix_cells SET holder = ?, held_until = ?, revision = ? WHERE ${AT}`,
        holder,
        now + hold,
        revision,
        ...placeValues({ matrixId, ...place }),
      );
      const question = this.open(matrixId).columns.find(({ id }) => id === place.columnId)?.question ?? '';
      const sharedId = findSharedId(this.#sql, { matrixId, ...place });
      return { ...place, question, rowTitle: String(row['row_title']), sharedId };
    });
  }

  /** Extends the claims of a holder to `hold` milliseconds from now. */
  renew({ matrixId, holder, hold }: Parameter<'renewCells'>): void {
    this.#sql.write(
      'UPDATE matrix_cells SET held_until = ? WHERE matrix_id = ? AND holder = ? AND wanted = 1',
      this.#now() + hold,
      matrixId,
      holder,
    );
  }

  /**
   * Releases a cell, which waits for `hold` milliseconds before it's filled again.
   * @throws NotebookError `not-found`
   */
  leave({ holder, hold, ...place }: Parameter<'leaveCell'>): void {
    this.#change(place.matrixId, (revision) => {
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
  release({ matrixId, holder, cell, usage }: Parameter<'releaseCells'>): void {
    if (this.find(matrixId) === undefined) return;
    this.#change(matrixId, (revision) => {
      if (usage !== undefined) this.#addUsage(matrixId, usage);
      const givingBack = `UPDATE matrix_cells SET holder = NULL, held_until = NULL, revision = ? WHERE holder = ? AND`;
      if (cell === undefined) this.#sql.run(`${givingBack} matrix_id = ?`, revision, holder, matrixId);
      else this.#sql.run(`${givingBack} ${AT}`, revision, holder, ...placeValues({ matrixId, ...cell }));
    });
  }

  /** Saves the outcome of a cell and adds its usage. Returns `true` if the holder still had the cell. */
  keep({ outcome, usage, holder, ...place }: Parameter<'keepCell'>): boolean {
    if (this.find(place.matrixId) === undefined) return false;
    return this.#change(place.matrixId, (revision) => {
      if (usage !== undefined) this.#addUsage(place.matrixId, usage);
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
    if (this.find(place.matrixId) === undefined) return false;
    return this.#change(place.matrixId, (revision) => {
      if (usage !== undefined) this.#addUsage(place.matrixId, usage);
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
  #change<T>(matrixId: string, action: (revision: number) => T): T {
    this.#mayHaveChanged = true;
    return this.#sql.transaction(() => {
      const { revision } = this.open(matrixId);
      this.#sql.run(
        'UPDATE matrices SET revision = ?, changed_at = max(changed_at, ?) WHERE id = ?',
        revision + 1,
        this.#now(),
        matrixId,
      );
      return action(revision + 1);
    });
  }

  #changeColumns(
    matrixId: string,
    action: (columns: readonly MatrixColumn[]) => readonly MatrixColumn[],
  ): void {
    this.#change(matrixId, () => {
      const columns = action(this.open(matrixId).columns);
      this.#sql.run('UPDATE matrices SET columns = ? WHERE id = ?', JSON.stringify(columns), matrixId);
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

  #addUsage(matrixId: string, usage: TokenUsage): void {
    const sum = addedUsage(this.open(matrixId).usage, usage);
    this.#sql.run('UPDATE matrices SET usage = ? WHERE id = ?', JSON.stringify(sum), matrixId);
  }
}

/** Returns an ID of a cell that is the same for all machines of a team, as document numbers are local. */
export function findSharedId(sql: Statements, { matrixId, columnId, rowId }: Place): string | undefined {
  const { sourceId, documentId } = readRowId(rowId);
  if (documentId === undefined) return `${matrixId}\n${columnId}\n${sourceId}`;
  const document = sql.get('SELECT key FROM documents WHERE id = ? AND source_id = ?', documentId, sourceId);
  return document && `${matrixId}\n${columnId}\n${sourceId}\n${String(document['key'])}`;
}

function placeValues({ matrixId, columnId, rowId }: Place): [string, string, string] {
  return [matrixId, columnId, rowId];
}

/** Reports whether two values are stored as the same JSON. */
function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the columns to write for an outcome. A failed retry keeps the previous answer. */
function outcomeColumns(
  outcome: CellOutcome,
  before: MatrixCell | undefined,
): Readonly<Record<string, string | null>> {
  return outcome.kind === 'failed'
    ? { failure: JSON.stringify(outcome.failure) }
    : {
        answer: JSON.stringify(outcome.answer),
        asked: outcome.asked,
        version: outcome.version,
        failure: null,
        was: formerWords(before, cellText(outcome.answer)),
      };
}

/** Returns a cell's previous text if the new one differs; otherwise null. Earlier unseen changes are dropped. */
function formerWords(before: MatrixCell | undefined, now: string): string | null {
  if (before === undefined) return null;
  const formerText = before.edited ?? (before.answer && cellText(before.answer));
  return formerText === undefined || formerText === now ? null : formerText.slice(0, MAX_CELL_LENGTH);
}

function shortened(question: string): string {
  return question.trim().slice(0, MAX_QUESTION_LENGTH);
}

function toEntry(row: Row): MatrixEntry {
  return {
    id: String(row['id']),
    title: String(row['title']),
    sourceIds: readOptionalJson(storedTexts, row['source_ids']),
    rowKind: row['row_kind'] === 'documents' ? 'documents' : 'sources',
    createdAt: Number(row['created_at']),
    changedAt: Number(row['changed_at']),
  };
}

function toMatrix(row: Row): Matrix {
  return {
    ...toEntry(row),
    columns: readJson(storedColumns, row['columns'], []),
    revision: Number(row['revision']),
    usage: readOptionalJson(storedUsage, row['usage']),
  };
}

/** Content of a cell without its state. */
export type CellContent = Pick<
  MatrixCell,
  'answer' | 'asked' | 'columnId' | 'edited' | 'rowId' | 'rowTitle' | 'version'
>;

/** Converts a row to the content of its cell. */
export function toCellContent(row: Row): CellContent {
  return {
    columnId: String(row['column_id']),
    rowId: String(row['row_id']),
    rowTitle: String(row['row_title']),
    answer: readOptionalJson(storedAnswer, row['answer']),
    asked: optionalText(row['asked']),
    version: optionalText(row['version']),
    edited: optionalText(row['edited']),
  };
}

function toCell(row: Row, now: number): MatrixCell {
  const failure: AnswerFailure | undefined = readOptionalJson(storedFailure, row['failure']);
  return {
    ...toCellContent(row),
    was: optionalText(row['was']),
    failure,
    state: cellState(row, now),
  };
}

function cellState(row: Row, now: number): MatrixCell['state'] {
  if (row['wanted'] !== 1) return 'resting';
  return typeof row['held_until'] === 'number' && row['held_until'] > now ? 'asking' : 'waiting';
}
