// The SQL that the extension runs in a team's database, as its code has it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** One or more statements in the code. Parts that are known only at run time are `x`. */
interface TeamSql {
  /** File and line of its beginning. */
  readonly at: string;
  readonly sql: string;
}

/** Words before a parenthesis that aren't calls. */
const KEYWORDS = new Set(
  `all and any array as by case check coalesce conflict distinct else end except exists from greatest hash if in insert
   intersect into is join key lateral least limit not nullif of on or over partition replace returns row rows select set some
   table then union unique update using values view when where with within`.split(/\s+/),
);

/** Matches a function whose body looks names up only in the team's schema and PostgreSQL's own. */
const PINNED = /\bSET search_path = open_notebook, pg_temp\b[^$]*\bAS \$\$.*?\$\$/gsu;

/** Returns all SQL for PostgreSQL in the files of a folder and its subfolders. */
export function findTeamSql(folder: string): TeamSql[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((name) => /\.(?:ts|sql)$/.test(name))
    .flatMap((name) => {
      if (name.endsWith('.sql')) return [{ at: name, sql: readFileSync(join(folder, name), 'utf8') }];
      const tree = ts.createSourceFile(
        name,
        readFileSync(join(folder, name), 'utf8'),
        ts.ScriptTarget.ES2023,
        true,
      );
      const all: TeamSql[] = [];
      const visit = (node: ts.Node): void => {
        const sql = readText(node);
        if (sql !== undefined && isTeamSql(sql))
          all.push({
            at: `${name}:${String(tree.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`,
            sql,
          });
        ts.forEachChild(node, visit);
      };
      visit(tree);
      return all;
    });
}

function readText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
}

function isTeamSql(text: string): boolean {
  return (
    /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|GRANT|DO|FROM|EXISTS)\b/.test(text) &&
    /\bopen_notebook\b|\bpg_|\$\d/.test(text)
  );
}

/** Returns the names that are called in some SQL without their schema, where any schema could have them. */
export function unqualifiedCalls(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '').replaceAll(PINNED, '');
  return Array.from(code.matchAll(/(?<![\w.'%])(?:(\w+)\s+)?([a-z_]\w*) *\(/giu)).flatMap((found) => {
    const [, before = '', name = ''] = found;
    if (KEYWORDS.has(name.toLowerCase()) || /^(?:as|with|function)$/i.test(before)) return [];
    // For `unnest` of several arrays, PostgreSQL always uses its own.
    const inner = code.slice(found.index + found[0].length);
    if (name === 'unnest' && /^[^()]*,[^()]*\)/.test(inner)) return [];
    return [name];
  });
}

/** Returns all names that SQL calls, with a schema or without. */
export function calledNames(sql: string): string[] {
  return Array.from(sql.matchAll(/\b([a-z_]\w*)\(/g), ([, name = '']) => name);
}
