/** Number of partitions of a table; a notebook is in one of them. */
const PARTS = 16;

/** Returns statements that replace a table by a partitioned one with the same rows. */
function inParts(name: string, columns: Readonly<Record<string, string>>, key: string): string {
  const names = Object.keys(columns).join(', ');
  return `
  ALTER TABLE open_notebook.${name} RENAME TO ${name}_before;
  CREATE TABLE open_notebook.${name} (
    ${Object.entries(columns)
      .map((column) => column.join(' '))
      .join(',\n    ')}
  ) PARTITION BY HASH (notebook_id);
  DO $do$
  BEGIN
    FOR part IN 0..${String(PARTS - 1)} LOOP
      EXECUTE pg_catalog.format('CREATE TABLE open_notebook.${name}_%s PARTITION OF open_notebook.${name}
        FOR VALUES WITH (MODULUS ${String(PARTS)}, REMAINDER %s)', part, part);
    END LOOP;
  END $do$;
  INSERT INTO open_notebook.${name} (${names}) SELECT ${names} FROM open_notebook.${name}_before;
  DROP TABLE open_notebook.${name}_before;
  ALTER TABLE open_notebook.${name} ADD PRIMARY KEY (${key});
  ALTER TABLE open_notebook.${name} ENABLE ROW LEVEL SECURITY;
  CREATE POLICY read ON open_notebook.${name} FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  GRANT SELECT ON open_notebook.${name} TO open_notebook_member;
`;
}

const NOTEBOOK_ID = 'uuid NOT NULL REFERENCES open_notebook.notebooks (id)';

/**
 * Partitions the tables that grow with a notebook's passages by notebook. Each partition has its own indexes, which are
 * vacuumed and rebuilt one by one. Members access partitions only through the parent table, whose rows are guarded.
 * Documents stay in one table, because members who have one of them in another notebook find it by its content.
 */
export const partitioned = `${inParts(
  'postings',
  {
    notebook_id: 'uuid NOT NULL',
    term: 'text COLLATE "C" NOT NULL CHECK (octet_length(term) BETWEEN 1 AND 1000)',
    base: 'int NOT NULL',
    place: 'smallint NOT NULL CHECK (place >= 0)',
    most: 'smallint NOT NULL CHECK (most BETWEEN 0 AND 25000)',
    holding: 'int NOT NULL CHECK (holding BETWEEN 0 AND 32768)',
    postings: 'bytea NOT NULL CHECK (octet_length(postings) <= 65536)',
  },
  'notebook_id, base, term, place',
)}${inParts(
  'passages',
  {
    notebook_id: NOTEBOOK_ID,
    first: 'int NOT NULL',
    count: 'int NOT NULL CHECK (count > 0)',
    source_id: 'text NOT NULL',
    key: 'text NOT NULL',
    content: 'bytea NOT NULL',
  },
  'notebook_id, first',
)}
  CREATE INDEX passages_by_document ON open_notebook.passages (notebook_id, source_id, key);
${inParts(
  'windows',
  {
    notebook_id: NOTEBOOK_ID,
    base: 'int NOT NULL',
    passages: 'int NOT NULL CHECK (passages > 0)',
    dead: 'int NOT NULL DEFAULT 0',
    length: 'bigint NOT NULL',
    words: 'bytea NOT NULL CHECK (octet_length(words) <= 8388608)',
  },
  'notebook_id, base',
)}
  ALTER TABLE open_notebook.windows ALTER COLUMN words SET STORAGE EXTERNAL;
`;
