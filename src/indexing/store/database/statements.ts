import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { closeDatabase, isReplaced, reading, transaction, type Row } from './database.ts';
import { isWhole } from './salvage.ts';

/** Value that a column accepts. */
type ColumnValue = SQLInputValue | boolean | undefined;

/** JSON for a column that may be null. */
export function optionalJson(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** A database's statements, each prepared once. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The first row that a statement gives; undefined where it gives none. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** All rows that a statement gives. */
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

  /** The number that a statement gives first; 0 where it gives none. */
  number(sql: string, ...values: SQLInputValue[]): number {
    return Number(Object.values(this.get(sql, ...values) ?? {})[0] ?? 0);
  }

  /** The texts that a statement gives, of one column. */
  texts(sql: string, ...values: SQLInputValue[]): string[] {
    return this.all(sql, ...values).map((row) => String(Object.values(row)[0]));
  }

  /**
   * Adds a row, whose values are null where they are undefined; `otherwise` says what is done where one is in its place,
   * as `ON CONFLICT` does. Returns the number of rows changed.
   */
  insert(table: string, row: Readonly<Record<string, ColumnValue>>, otherwise = ''): number {
    return this.#insert('INSERT', table, row, otherwise);
  }

  /** Adds a row in the place of one that has its key. */
  replace(table: string, row: Readonly<Record<string, ColumnValue>>): void {
    this.#insert('INSERT OR REPLACE', table, row, '');
  }

  /** Adds a row; where one has its `key`, columns separated by commas, that gets what this one has in other columns. */
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

  /**
   * Runs `work` in a transaction, which is rolled back on an error.
   * @throws NotebookError `disk-full`, and all errors of `work`
   */
  transaction<T>(work: () => T): T {
    return transaction(this.#database, work);
  }

  /** Runs one statement as a transaction of its own; returns the number of rows changed. @throws NotebookError `disk-full` */
  write(sql: string, ...values: SQLInputValue[]): number {
    return this.transaction(() => this.run(sql, ...values));
  }

  /** All that `work` reads is of one moment, whatever other windows commit meanwhile. */
  reading<T>(work: () => T): T {
    return reading(this.#database, work);
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

  /** Closes a database that nothing is taken into any more. */
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
