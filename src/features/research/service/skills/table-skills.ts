import * as v from 'valibot';
import { NotebookError } from '../../../../core/domain/errors.ts';
import { checkedSkill } from './checked-skill.ts';
import { oneLine } from './one-line.ts';
import type { SkillNotebook, TableBase } from './skill-parts.ts';
import type { Skill, SkillContext } from './skill.ts';
import { sourceNamed } from './source-named.ts';
import type { DescribedTable, TableDocument } from './tables/api.ts';

/**
 * Maximum number of documents in one list, of tables in it, and total length of the documents of a list or query, in
 * UTF-16 code units.
 */
const DOCUMENTS_AT_ONCE = 40;
const MAX_TABLES = 30;
const MAX_TEXT = 8_000_000;
/** Maximum number of documents in one query. */
const MAX_QUERIED_DOCUMENTS = 8;
const MAX_SQL_LENGTH = 4_000;
/** Maximum number of columns in the description of a table. */
const MAX_COLUMNS = 40;

const words = v.pipe(v.string(), v.trim(), v.nonEmpty());

/** Returns the skills that query the tables of documents. */
export function tableSkills(notebook: SkillNotebook, tables: TableBase): readonly Skill[] {
  return [listTables(notebook, tables), queryTable(notebook, tables)];
}

function listTables(notebook: SkillNotebook, tables: TableBase): Skill {
  return checkedSkill({
    name: 'list-tables',
    description:
      'Lists the tables in the sources (CSV, Excel, and tables in PDFs and text) with their columns and first rows.',
    input: v.object({
      source: v.optional(v.pipe(words, v.description('The title of the only source to look into.'))),
      from: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.description('Number of documents to skip, if the list is too long.'),
        ),
      ),
    }),
    run: async ({ source, from = 0 }, { sources, signal }) => {
      const allSources = await sources();
      const within = source === undefined ? allSources : [sourceNamed(allSources, source)];
      const entries = (await Promise.all(within.map(({ id }) => notebook.documents(id)))).flat();
      const documents: (TableDocument & { readonly title: string })[] = [];
      let length = 0;
      let next = from;
      for (const { id } of entries.slice(from, from + DOCUMENTS_AT_ONCE)) {
        const document = await notebook.document(id);
        const text = document?.text ?? '';
        if (length > 0 && length + text.length > MAX_TEXT) break;
        next++;
        // Rows of tables begin with a bar, or with a column name if there are very many columns.
        const mayHave =
          /^[ \t]*\||^[^;:\n\r\u{2028}\u{2029}]{1,200}: [^\n\r\u{2028}\u{2029}]{0,2000}; /mu.test(text);
        if (document === undefined || text.length > MAX_TEXT || !mayHave) continue;
        length += text.length;
        documents.push({ id, text, title: document.title });
      }
      const describedTables = documents.length === 0 ? [] : await tables.describe(plain(documents), signal);
      const titles = new Map(documents.map(({ id, title }) => [id, title]));
      const tableLines = describedTables
        .slice(0, MAX_TABLES)
        .map((table) => describeTable(table, titles.get(table.documentId)));
      if (describedTables.length > tableLines.length)
        tableLines.push(
          `… and ${String(describedTables.length - tableLines.length)} more tables: name one source.`,
        );
      if (next < entries.length)
        tableLines.push(`There are ${String(entries.length)} documents. Continue from ${String(next)}.`);
      return { text: tableLines.length === 0 ? 'There are no tables.' : tableLines.join('\n') };
    },
  });
}

function queryTable(notebook: SkillNotebook, tables: TableBase): Skill {
  return checkedSkill({
    name: 'query-table',
    description: 'Queries tables in the sources with SQL to filter, sort, join, count, and sum rows exactly.',
    guide:
      'List the tables, query those that matter with SQL, and submit the result: several rows as a table, otherwise sentences. Cite each figure that is in a source. For each computed figure, say how it was computed and cite the table.',
    input: v.object({
      sql: v.pipe(
        words,
        v.maxLength(MAX_SQL_LENGTH),
        v.description(
          'One SQLite SELECT statement over the tables from list-tables, such as "SELECT year, revenue FROM t12_1 ORDER BY revenue DESC LIMIT 5".',
        ),
      ),
    }),
    run: async ({ sql }, context) => {
      const documents = await namedDocuments(sql, notebook, context);
      const { columns, rows, isCut, places } = await tables.query(documents, sql, context.signal);
      const passages = places.length === 0 ? [] : await context.finder.at(places);
      const lines = [
        columns.join(' | '),
        ...rows.map((row) => row.map((value) => (value === null ? '' : oneLine(String(value)))).join(' | ')),
        rows.length === 0 ? 'No row matches.' : `${String(rows.length)} rows.`,
        ...(isCut ? ['There are more rows. Request fewer with LIMIT, WHERE, or GROUP BY.'] : []),
      ];
      return { text: lines.join('\n'), passages };
    },
  });
}

/** Returns the researched documents whose tables a query names. */
async function namedDocuments(
  sql: string,
  notebook: SkillNotebook,
  { sources }: SkillContext,
): Promise<readonly TableDocument[]> {
  const ids = new Set([...sql.matchAll(/\bt(\d{1,12})_\d{1,4}\b/gi)].map(([, digits]) => Number(digits)));
  if (ids.size > MAX_QUERIED_DOCUMENTS)
    throw new NotebookError(
      'unsupported',
      `A query can use at most ${String(MAX_QUERIED_DOCUMENTS)} documents.`,
    );
  const researched = new Set((await sources()).map(({ id }) => id));
  const documents: TableDocument[] = [];
  for (const id of ids) {
    const document = await notebook.document(id);
    if (document === undefined || !researched.has(document.sourceId)) continue;
    documents.push({ id, text: document.text });
  }
  if (documents.length === 0)
    throw new NotebookError(
      'not-found',
      'The query doesn’t name an existing table. List the tables, and use their listed names, such as t12_1.',
    );
  if (documents.reduce((sum, { text }) => sum + text.length, 0) > 2 * MAX_TEXT)
    throw new NotebookError('too-large', 'The tables of this query are too large to query together.');
  return documents;
}

function plain(documents: readonly TableDocument[]): readonly TableDocument[] {
  return documents.map(({ id, text }) => ({ id, text }));
}

function describeTable({ name, caption, columns, rows, left, samples }: DescribedTable, title = ''): string {
  const columnLines = columns.slice(0, MAX_COLUMNS).map((column) => {
    const notes = [
      ...(column.title !== '' && column.title.toLowerCase() !== column.name
        ? [JSON.stringify(oneLine(column.title))]
        : []),
      ...(column.unit === '' ? [] : [`in ${column.unit}`]),
    ];
    return `${column.name} ${column.type}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
  });
  if (columns.length > columnLines.length)
    columnLines.push(`and ${String(columns.length - columnLines.length)} more columns`);
  const where = [caption, title]
    .filter((words) => words !== '')
    .map((words) => JSON.stringify(oneLine(words)));
  const size = `${String(rows)} rows${left === 0 ? '' : `, ${String(left)} more omitted`}`;
  return [
    `${name}: ${where.join(' in ')}, ${size}`,
    `  ${columnLines.join(', ')}`,
    ...samples.map(
      (row) =>
        `  ${row
          .slice(0, MAX_COLUMNS)
          .map((value) => (value === null ? '' : oneLine(String(value)).slice(0, 60)))
          .join(' | ')}`,
    ),
  ].join('\n');
}
