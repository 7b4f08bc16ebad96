-- Partitions the tables that grow with the passages of a notebook.

ALTER TABLE open_notebook.postings RENAME TO postings_before;
CREATE TABLE open_notebook.postings (
  notebook_id uuid NOT NULL,
  term text COLLATE "C" NOT NULL CHECK (pg_catalog.octet_length(term) BETWEEN 1 AND 1000),
  base int NOT NULL,
  place smallint NOT NULL CHECK (place >= 0),
  most smallint NOT NULL CHECK (most BETWEEN 0 AND 25000),
  holding int NOT NULL CHECK (holding BETWEEN 0 AND 32768),
  postings bytea NOT NULL CHECK (pg_catalog.octet_length(postings) <= 65536)
) PARTITION BY HASH (notebook_id);
DO $do$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE pg_catalog.format('CREATE TABLE open_notebook.postings_%s PARTITION OF open_notebook.postings
      FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
  END LOOP;
END $do$;
INSERT INTO open_notebook.postings (notebook_id, term, base, place, most, holding, postings)
SELECT notebook_id, term, base, place, most, holding, postings FROM open_notebook.postings_before;
DROP TABLE open_notebook.postings_before;
ALTER TABLE open_notebook.postings ADD PRIMARY KEY (notebook_id, base, term, place);
ALTER TABLE open_notebook.postings ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.postings FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
GRANT SELECT ON open_notebook.postings TO open_notebook_member;

ALTER TABLE open_notebook.passages RENAME TO passages_before;
CREATE TABLE open_notebook.passages (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  first int NOT NULL,
  count int NOT NULL CHECK (count > 0),
  source_id text NOT NULL,
  key text NOT NULL,
  content bytea NOT NULL
) PARTITION BY HASH (notebook_id);
DO $do$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE pg_catalog.format('CREATE TABLE open_notebook.passages_%s PARTITION OF open_notebook.passages
      FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
  END LOOP;
END $do$;
INSERT INTO open_notebook.passages (notebook_id, first, count, source_id, key, content)
SELECT notebook_id, first, count, source_id, key, content FROM open_notebook.passages_before;
DROP TABLE open_notebook.passages_before;
ALTER TABLE open_notebook.passages ADD PRIMARY KEY (notebook_id, first);
ALTER TABLE open_notebook.passages ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.passages FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
GRANT SELECT ON open_notebook.passages TO open_notebook_member;

CREATE INDEX passages_by_document ON open_notebook.passages (notebook_id, source_id, key);

ALTER TABLE open_notebook.windows RENAME TO windows_before;
CREATE TABLE open_notebook.windows (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  base int NOT NULL,
  passages int NOT NULL CHECK (passages > 0),
  dead int NOT NULL DEFAULT 0,
  length bigint NOT NULL,
  words bytea NOT NULL CHECK (pg_catalog.octet_length(words) <= 8388608)
) PARTITION BY HASH (notebook_id);
DO $do$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE pg_catalog.format('CREATE TABLE open_notebook.windows_%s PARTITION OF open_notebook.windows
      FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
  END LOOP;
END $do$;
INSERT INTO open_notebook.windows (notebook_id, base, passages, dead, length, words)
SELECT notebook_id, base, passages, dead, length, words FROM open_notebook.windows_before;
DROP TABLE open_notebook.windows_before;
ALTER TABLE open_notebook.windows ADD PRIMARY KEY (notebook_id, base);
ALTER TABLE open_notebook.windows ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.windows FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
GRANT SELECT ON open_notebook.windows TO open_notebook_member;

ALTER TABLE open_notebook.windows ALTER COLUMN words SET STORAGE EXTERNAL;
