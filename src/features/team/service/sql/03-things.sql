-- Adds conversations, highlights, and research projects, with the members who work on steps.

CREATE TABLE open_notebook.things (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  kind text NOT NULL CHECK (kind IN ('annotations', 'conversation', 'research', 'step', 'turn')),
  id text NOT NULL CHECK (pg_catalog.octet_length(id) BETWEEN 1 AND 2200),
  within text NOT NULL CHECK (pg_catalog.octet_length(within) <= 100),
  revision bigint NOT NULL,
  value bytea CHECK (pg_catalog.octet_length(value) <= 16777216),
  added_by name NOT NULL,
  added_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  changed_by name NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (notebook_id, kind, id)
);
CREATE INDEX things_by_revision ON open_notebook.things (notebook_id, revision);
CREATE INDEX things_within ON open_notebook.things (notebook_id, within) WHERE within <> '';

CREATE TABLE open_notebook.claims (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  research text NOT NULL CHECK (pg_catalog.octet_length(research) <= 100),
  step text NOT NULL CHECK (pg_catalog.octet_length(step) <= 500),
  member name NOT NULL,
  token uuid NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (notebook_id, research, step)
);

ALTER TABLE open_notebook.things ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_notebook.claims ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.things FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
CREATE POLICY read ON open_notebook.claims FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
GRANT SELECT ON open_notebook.things TO open_notebook_member;
GRANT SELECT (notebook_id, research, step, member, held_until) ON open_notebook.claims TO open_notebook_member;
