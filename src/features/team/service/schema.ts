import { readSql } from './sql/read-sql.ts';

/** ID of the lock that lets one client at a time upgrade the schema: the letters "ON team". */
export const SCHEMA_LOCK = '5714876138428358000';

/** Minimum schema version that a client must support. In version 14, members lost access to tables. */
export const OLDEST_CLIENT = 14;

/** A version of the schema of team databases. */
export interface TeamSchema {
  /** SQL that creates all functions. */
  readonly functions: string;
  /** SQL that creates all tables in an empty database. */
  readonly tables: string;
  /** SQL that changes the tables of each earlier version to the next. The first one changes version 1. */
  readonly migrations: readonly string[];
}

const files = readSql();
const fileNamed = (name: string): string => files.find(([one]) => one === name)?.[1] ?? '';

/**
 * The current schema. To change a function, edit `functions.sql`. To change a table, edit `schema.sql` as well. Both need
 * a new numbered file with the migration, even if it only says what changed in the functions. A released migration never
 * changes.
 */
export const TEAM_SCHEMA: TeamSchema = {
  functions: fileNamed('functions.sql'),
  tables: fileNamed('schema.sql'),
  migrations: files.filter(([name]) => /^\d/.test(name)).map(([, text]) => text),
};

/** Returns the version of a schema. Migrations begin with version 2. */
export function versionOf({ migrations }: TeamSchema): number {
  return migrations.length + 1;
}
