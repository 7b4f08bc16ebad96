-- Adds semantic search with pgvector.

CREATE TABLE open_notebook.models (
  number serial PRIMARY KEY,
  model bytea NOT NULL CHECK (pg_catalog.octet_length(model) = 32),
  dimension int NOT NULL CHECK (dimension BETWEEN 1 AND 16384),
  added_by name NOT NULL,
  UNIQUE (model, dimension)
);
INSERT INTO open_notebook.models (model, dimension, added_by)
SELECT DISTINCT model, dimension, session_user FROM open_notebook.vectors;
CREATE UNIQUE INDEX vectors_by_own_number ON open_notebook.vectors (number);

CREATE TABLE open_notebook.placed (
  number bigint PRIMARY KEY REFERENCES open_notebook.vectors (number) ON DELETE CASCADE,
  model int NOT NULL REFERENCES open_notebook.models (number) ON DELETE CASCADE
);
CREATE INDEX placed_by_model ON open_notebook.placed (model);

ALTER TABLE open_notebook.models ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_notebook.placed ENABLE ROW LEVEL SECURITY;
