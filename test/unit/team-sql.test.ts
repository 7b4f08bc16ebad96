import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TEAM_SCHEMA } from '../../src/features/team/service/schema.ts';
import { findTeamSql, unqualifiedCalls } from '../support/team-sql.ts';

const all = findTeamSql(fileURLToPath(new URL('../../src/features/team/service', import.meta.url)));

test('names the schema of every SQL call in a team database', () => {
  assert.ok(all.length > 80, String(all.length));
  const unqualified = all.flatMap(({ at, sql }) => unqualifiedCalls(sql).map((name) => `${at} ${name}`));
  assert.deepEqual(unqualified, []);
});

test('creates functions only in the file of functions', () => {
  for (const text of [TEAM_SCHEMA.tables, ...TEAM_SCHEMA.migrations]) assert.doesNotMatch(text, /FUNCTION/);
});

test('finds calls without a schema, except in functions with a search path', () => {
  const body = 'RETURNS int LANGUAGE sql AS $$ SELECT count(*) FROM a $$';
  const statements: [string, string[]][] = [
    ['SELECT a FROM unnest($1::text[]) AS b (a)', ['unnest']],
    ['SELECT a FROM unnest($1::text[], $2::int[]) AS b (a, c)', []],
    ['SELECT pg_catalog.count(*), coalesce(max (a), 0) FROM b WHERE c IN (1) AND d = ANY(e)', ['max']],
    ['CREATE TABLE a.b (c text CHECK (length(c) > 1), PRIMARY KEY (c))', ['length']],
    ["DO $$ BEGIN EXECUTE format('%s', 1); END $$", ['format']],
    [`CREATE FUNCTION a.b() ${body}`, ['count']],
    [`CREATE FUNCTION a.b() ${body.replace('AS', 'SET search_path = open_notebook, pg_temp AS')}`, []],
    [`CREATE FUNCTION a.b() ${body.replace('AS', 'SET search_path = public AS')}`, ['count']],
  ];
  for (const [sql, calls] of statements) assert.deepEqual(unqualifiedCalls(sql), calls, sql);
});

test('looks names up only in the team’s schema in functions with their owner’s rights', () => {
  const heads = Array.from(
    TEAM_SCHEMA.functions.matchAll(/CREATE OR REPLACE FUNCTION [^$]*\$\$/g),
    ([head]) => head,
  ).filter((head) => head.includes('SECURITY DEFINER'));
  assert.ok(heads.length > 30);
  for (const head of heads) assert.match(head, /SET search_path = open_notebook, pg_temp\b/);
});
