import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { closeDatabase, isReplaced, reading, transaction, type Row } from './database.ts';
import { isWhole } from './salvage.ts';

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

  /** Rows as their columns' values in order: of many rows, naming each column takes longer than reading them. */
  rows(sql: string, ...values: SQLInputValue[]): readonly unknown[][] {
    const statement = this.#prepare(sql);
    statement.setReturnArrays(true);
    try {
      return statement.all(...values) as unknown as unknown[][];
    } finally {
      statement.setReturnArrays(false);
    }
  }

  /** Returns the number of rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Keeps all that `work` writes, or nothing of it. @throws NotebookError `disk-full`, and whatever `work` throws. */
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

  /** Closes the database; nothing can be asked of it any more. */
  close(): void {
    closeDatabase(this.#database);
  }

  /** Whether another window has put another database in the place of this one. */
  get isReplaced(): boolean {
    return isReplaced(this.#database);
  }

  /** Whether all that is kept can be read. */
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
