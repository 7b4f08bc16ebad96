import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { closeDatabase, isReplaced, reading, transaction, type Row } from './database.ts';
import { isWhole } from './salvage.ts';

/** Value that a column accepts. */
type ColumnValue = SQLInputValue | boolean | undefined;

/** Returns JSON for a column that may be null. */
export function optionalJson(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Statements of a database, each prepared once. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns the first row of a statement; undefined if there is none. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** Returns all rows of a statement. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /** Returns rows as arrays of column values. For many rows, naming the columns takes longer than reading them. */
  rows(sql: string, ...values: SQLInputValue[]): readonly unknown[][] {
    const statement = this.#prepare(sql);
    statement.setReturnArrays(true);
    try {
      return statement.all(...values) as unknown as unknown[][];
    } finally {
      statement.setReturnArrays(false);
    }
  }

  /** Reports whether a statement returns any row. */
  has(sql: string, ...values: SQLInputValue[]): boolean {
    return this.get(sql, ...values) !== undefined;
  }

  /** Returns the first number of a statement; 0 if there is none. */
  number(sql: string, ...values: SQLInputValue[]): number {
    return Number(Object.values(this.get(sql, ...values) ?? {})[0] ?? 0);
  }

  /** Returns the texts of a statement with one column. */
  texts(sql: string, ...values: SQLInputValue[]): string[] {
    return this.all(sql, ...values).map((row) => String(Object.values(row)[0]));
  }

  /**
   * Adds a row, with null for undefined values. `otherwise` is an `ON CONFLICT` clause for an existing row. Returns the
   * number of rows changed.
   */
  insert(table: string, row: Readonly<Record<string, ColumnValue>>, otherwise = ''): number {
    return this.#insert('INSERT', table, row, otherwise);
  }

  /** Adds a row that was read from another notebook. Returns its number. */
  copyRow(table: string, row: Row): number {
    this.insert(table, row as Readonly<Record<string, SQLInputValue>>);
    return this.number('SELECT last_insert_rowid()');
  }

  /** Adds a row, and replaces one with the same key. */
  replace(table: string, row: Readonly<Record<string, ColumnValue>>): void {
    this.#insert('INSERT OR REPLACE', table, row, '');
  }

  /** Adds a row. If one has the same `key`, a list of columns, updates its other columns instead. */
  put(table: string, key: string, row: Readonly<Record<string, ColumnValue>>): void {
    const others = Object.keys(row).filter((column) => !key.split(', ').includes(column));
    const changes = others.map((column) => `${column} = excluded.${column}`).join(', ');
    this.#insert('INSERT', table, row, `ON CONFLICT (${key}) DO UPDATE SET ${changes}`);
  }

  #insert(how: string, table: string, row: Readonly<Record<string, ColumnValue>>, otherwise: string): number {
    const columns = Object.keys(row);
    const marks = columns.map(() => '?').join(', ');
    const values = Object.values(row).map((value) =>
      typeof value === 'boolean' ? Number(value) : (value ?? null),
    );
    return this.run(
      `${how} INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${marks}) ${otherwise}`,
      ...values,
    );
  }

  /** Returns the number of rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Runs a statement that adds a row, and returns the number of that row. */
  add(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  /**
   * Runs `work` in a transaction, which is rolled back on an error.
   * @throws NotebookError `disk-full`, and all errors of `work`
   */
  transaction<T>(action: () => T): T {
    return transaction(this.#database, action);
  }

  /**
   * Runs one statement in its own transaction. Returns the number of rows changed.
   * @throws NotebookError `disk-full`
   */
  write(sql: string, ...values: SQLInputValue[]): number {
    return this.transaction(() => this.run(sql, ...values));
  }

  /** Runs `work` with a consistent view of the database, even if other windows commit. */
  reading<T>(action: () => T): T {
    return reading(this.#database, action);
  }

  close(): void {
    closeDatabase(this.#database);
  }

  /** Reports whether another window has replaced this database. */
  get isReplaced(): boolean {
    return isReplaced(this.#database);
  }

  /** Reports whether the whole content of the database is readable and valid. */
  isWhole(): boolean {
    return isWhole(this.#database);
  }

  /** Closes a database without merging its log. */
  abandon(): void {
    this.#prepared.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
