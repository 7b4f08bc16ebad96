-- Adds embeddings of texts, shared by all notebooks of a team.

CREATE TABLE open_notebook.vectors (
  content bytea NOT NULL REFERENCES open_notebook.contents (hash) ON DELETE CASCADE,
  model bytea NOT NULL CHECK (pg_catalog.octet_length(model) = 32),
  dimension int NOT NULL CHECK (dimension BETWEEN 1 AND 16384),
  texts bytea NOT NULL CHECK (pg_catalog.octet_length(texts) = 32),
  number bigserial NOT NULL,
  vectors bytea NOT NULL CHECK (pg_catalog.octet_length(vectors) BETWEEN 2 AND 2097152 AND pg_catalog.octet_length(vectors) % (2 * greatest(dimension, 1)) = 0),
  PRIMARY KEY (content, model, dimension, texts)
);
ALTER TABLE open_notebook.vectors ALTER COLUMN vectors SET STORAGE EXTERNAL;
CREATE INDEX vectors_by_number ON open_notebook.vectors (model, number);

ALTER TABLE open_notebook.vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.vectors FOR SELECT USING (
  EXISTS (SELECT 1 FROM open_notebook.documents d WHERE d.content = vectors.content));
GRANT SELECT ON open_notebook.vectors TO open_notebook_member;
