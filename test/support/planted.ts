// Objects that a member can plant in the schema `public` for callers that omit a schema.
import type pg from 'pg';
import { rawly } from './team.ts';

/** Operators that SQL uses between values of two types. PostgreSQL would prefer one planted for these exact types. */
const OPERATORS = ['=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '||', '~', '~~'];
const OPERANDS = [
  'smallint',
  'integer',
  'bigint',
  'oid',
  'text',
  'name',
  'uuid',
  'bytea',
  'numeric',
  'text[]',
];

/** Argument types of the planted functions, by number of arguments. */
const ARGUMENTS = [
  ...[
    '',
    'text',
    'integer',
    'bigint',
    'oid',
    'name',
    'uuid',
    'bytea',
    'smallint',
    'boolean',
    'float8',
    'regclass',
  ],
  ...[
    'text[]',
    'integer[]',
    'smallint[]',
    'bigint[]',
    'bytea[]',
    'uuid[]',
    'numeric',
    'varchar',
    'timestamptz',
  ],
  ...['text, text', 'text, integer', 'text, name', 'text, bigint', 'integer, integer', 'bytea, integer'],
  ...[
    'bytea, text',
    'bigint, bigint',
    'text, varchar',
    'varchar, text',
    'text[], text[]',
    'text[], integer[]',
  ],
  ...['text, text, text', 'text, integer, integer', 'text, text, boolean', 'text, text, integer'],
  ...['bytea, integer, integer', 'integer, integer, integer', 'text[], integer[], integer[]'],
];

/**
 * Plants functions of the names, operators, casts, types, and tables in `public`, as a member may up to PostgreSQL 14.
 *
 * @param administrator the connection string of the database's administrator, who lets the member create there
 * @returns how often one of them ran
 */
export async function plant(
  administrator: string,
  member: string,
  names: readonly string[],
): Promise<() => Promise<number>> {
  await rawly(administrator, async (client) => {
    // Counts calls with a sequence, because a rollback would remove a row.
    await client.query('CREATE SEQUENCE public.fired; GRANT ALL ON SEQUENCE public.fired TO PUBLIC');
    await client.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
    await client.query(`SET SESSION AUTHORIZATION ${JSON.stringify(member)}`);
    await client.query(statements(names).join(';\n'));
  });
  return () =>
    rawly(administrator, async (client: pg.Client) => {
      const { rows } = await client.query<{ count: number }>(
        'SELECT CASE WHEN is_called THEN last_value ELSE 0 END::int AS count FROM public.fired',
      );
      return rows[0]?.count ?? 0;
    });
}

function statements(names: readonly string[]): string[] {
  const fires = (kind: string): string =>
    `LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_catalog.nextval('public.fired'); RETURN NULL::${kind}; END $$`;
  return [
    ...names.flatMap((name) =>
      ARGUMENTS.map((types) => `CREATE FUNCTION public."${name}"(${types}) RETURNS text ${fires('text')}`),
    ),
    ...OPERANDS.flatMap((left) =>
      OPERANDS.flatMap((right) => [
        `CREATE FUNCTION public.operate(${left}, ${right}) RETURNS boolean ${fires('boolean')}`,
        ...OPERATORS.map(
          (operator) =>
            `CREATE OPERATOR public.${operator} (FUNCTION = public.operate, LEFTARG = ${left}, RIGHTARG = ${right})`,
        ),
      ]),
    ),
    ...['text', 'uuid', 'bytea', 'int4', 'int8', 'name', 'timestamptz'].map(
      (type) => `CREATE TYPE public.${type} AS (planted boolean)`,
    ),
    `CREATE FUNCTION public.cast_to(public.uuid) RETURNS pg_catalog.text ${fires('pg_catalog.text')}`,
    'CREATE CAST (public.uuid AS pg_catalog.text) WITH FUNCTION public.cast_to AS IMPLICIT',
    ...['pg_roles', 'pg_proc', 'pg_stat_activity', 'pg_available_extensions'].map(
      (table) => `CREATE TABLE public.${table} (planted boolean)`,
    ),
  ];
}
