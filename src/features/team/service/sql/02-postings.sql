-- Adds keyword search in the database, for notebooks that are too large for one machine.

CREATE TABLE open_notebook.searchable (
  notebook_id uuid PRIMARY KEY REFERENCES open_notebook.notebooks (id),
  passages int NOT NULL DEFAULT 0,
  length bigint NOT NULL DEFAULT 0,
  languages bigint NOT NULL DEFAULT 0
);

CREATE TABLE open_notebook.passages (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  first int NOT NULL,
  count int NOT NULL CHECK (count > 0),
  source_id text NOT NULL,
  key text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (notebook_id, first)
);
CREATE INDEX passages_by_document ON open_notebook.passages (notebook_id, source_id, key);

CREATE TABLE open_notebook.postings (
  notebook_id uuid NOT NULL,
  term text COLLATE "C" NOT NULL CHECK (pg_catalog.octet_length(term) BETWEEN 1 AND 1000),
  base int NOT NULL,
  number int NOT NULL,
  holding int NOT NULL CHECK (holding BETWEEN 1 AND 32768),
  postings bytea NOT NULL CHECK (pg_catalog.octet_length(postings) <= 65536),
  PRIMARY KEY (notebook_id, term, base, number)
);

ALTER TABLE open_notebook.searchable ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_notebook.passages ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_notebook.postings ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.searchable FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
CREATE POLICY read ON open_notebook.passages FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
CREATE POLICY read ON open_notebook.postings FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
GRANT SELECT ON open_notebook.searchable, open_notebook.passages, open_notebook.postings TO open_notebook_member;
