-- Stores texts and embeddings separately for each notebook.

ALTER TABLE open_notebook.documents DROP CONSTRAINT documents_content_fkey;
ALTER TABLE open_notebook.vectors DROP CONSTRAINT vectors_content_fkey;
ALTER TABLE open_notebook.vectors DROP CONSTRAINT vectors_pkey;
ALTER TABLE open_notebook.contents DROP CONSTRAINT contents_pkey;
ALTER TABLE open_notebook.contents ADD COLUMN notebook_id uuid REFERENCES open_notebook.notebooks (id);
-- The member who added older rows isn't known.
ALTER TABLE open_notebook.vectors ADD COLUMN notebook_id uuid, ADD COLUMN added_by name NOT NULL DEFAULT '';

-- Assign each row to one of its notebooks, which moves no data, and add copies for the others.
UPDATE open_notebook.contents c SET notebook_id = (
  SELECT d.notebook_id FROM open_notebook.documents d WHERE d.content = c.hash ORDER BY d.notebook_id LIMIT 1);
UPDATE open_notebook.vectors v SET notebook_id = (
  SELECT d.notebook_id FROM open_notebook.documents d WHERE d.content = v.content ORDER BY d.notebook_id LIMIT 1);
DELETE FROM open_notebook.vectors WHERE notebook_id IS NULL;
DELETE FROM open_notebook.contents WHERE notebook_id IS NULL;
INSERT INTO open_notebook.contents (notebook_id, hash, bytes)
SELECT d.notebook_id, c.hash, c.bytes FROM (SELECT DISTINCT notebook_id, content FROM open_notebook.documents) d
JOIN open_notebook.contents c ON c.hash = d.content AND c.notebook_id <> d.notebook_id;
INSERT INTO open_notebook.vectors (notebook_id, content, model, dimension, texts, vectors)
SELECT d.notebook_id, v.content, v.model, v.dimension, v.texts, v.vectors
FROM (SELECT DISTINCT notebook_id, content FROM open_notebook.documents) d
JOIN open_notebook.vectors v ON v.content = d.content AND v.notebook_id <> d.notebook_id;

ALTER TABLE open_notebook.contents ADD PRIMARY KEY (notebook_id, hash);
ALTER TABLE open_notebook.vectors ADD PRIMARY KEY (notebook_id, content, model, dimension, texts, added_by);
ALTER TABLE open_notebook.documents ADD FOREIGN KEY (notebook_id, content)
  REFERENCES open_notebook.contents (notebook_id, hash);
ALTER TABLE open_notebook.vectors ADD FOREIGN KEY (notebook_id, content)
  REFERENCES open_notebook.contents (notebook_id, hash) ON DELETE CASCADE;
DROP INDEX open_notebook.documents_by_content;
CREATE INDEX documents_by_content ON open_notebook.documents (notebook_id, content) WHERE content IS NOT NULL;
DROP INDEX open_notebook.vectors_by_number;
CREATE INDEX vectors_by_number ON open_notebook.vectors (notebook_id, model, number);

DROP POLICY read ON open_notebook.contents;
CREATE POLICY read ON open_notebook.contents FOR SELECT USING (EXISTS (
  SELECT 1 FROM open_notebook.documents d WHERE d.notebook_id = contents.notebook_id AND d.content = contents.hash));
DROP POLICY read ON open_notebook.vectors;
CREATE POLICY read ON open_notebook.vectors FOR SELECT USING (EXISTS (
  SELECT 1 FROM open_notebook.documents d WHERE d.notebook_id = vectors.notebook_id AND d.content = vectors.content));
