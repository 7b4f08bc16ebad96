import { changeFunction } from './change-function.ts';

/**
 * Stores texts and their vectors separately for each notebook. If a team stored each text only once, a member who
 * uploads the same text would learn that another notebook contains it, and the first member to upload vectors would
 * set them for all notebooks.
 */
export const CONTENTS = `
  ALTER TABLE open_notebook.documents DROP CONSTRAINT documents_content_fkey;
  ALTER TABLE open_notebook.vectors DROP CONSTRAINT vectors_content_fkey;
  ALTER TABLE open_notebook.vectors DROP CONSTRAINT vectors_pkey;
  ALTER TABLE open_notebook.contents DROP CONSTRAINT contents_pkey;
  ALTER TABLE open_notebook.contents ADD COLUMN notebook_id uuid REFERENCES open_notebook.notebooks (id);
  -- Who added rows that are older is not known.
  ALTER TABLE open_notebook.vectors ADD COLUMN notebook_id uuid, ADD COLUMN added_by name NOT NULL DEFAULT '';

  -- The rows that are there go to one of their notebooks, without being moved, and copies to the others.
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

  -- A text that is in a notebook that who asks can read need not be sent; any other has to be, so that nobody learns a
  -- text by its hash.
  CREATE OR REPLACE FUNCTION open_notebook.put_document(
    notebook uuid, source text, named text, packed bytea, text_hash bytea, text_bytes bytea)
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE counted bigint := begin_change(notebook, 2);
  BEGIN
    IF text_bytes IS NULL THEN
      SELECT c.bytes INTO text_bytes FROM contents c WHERE c.hash = text_hash AND c.notebook_id IN (SELECT readable())
        AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = c.notebook_id AND d.content = c.hash)
      ORDER BY c.notebook_id <> notebook LIMIT 1;
      IF text_bytes IS NULL THEN
        RAISE EXCEPTION 'no such text' USING ERRCODE = 'no_data_found';
      END IF;
    ELSIF sha256(text_bytes) <> text_hash THEN
      RAISE EXCEPTION 'the text has another hash' USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO contents (notebook_id, hash, bytes) VALUES (notebook, text_hash, text_bytes) ON CONFLICT DO NOTHING;
    -- One that is just being forgotten is written again.
    PERFORM 1 FROM contents c WHERE c.notebook_id = notebook AND c.hash = text_hash FOR KEY SHARE;
    IF NOT FOUND THEN
      INSERT INTO contents (notebook_id, hash, bytes) VALUES (notebook, text_hash, text_bytes) ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO documents (notebook_id, source_id, key, revision, head, content, bytes, changed_by)
    VALUES (notebook, source, named, counted, packed, text_hash, octet_length(text_bytes), session_user)
    ON CONFLICT (notebook_id, source_id, key) DO UPDATE SET revision = excluded.revision, head = excluded.head,
      content = excluded.content, bytes = excluded.bytes, changed_by = session_user, changed_at = now();
  END $$;

  -- Keeps vectors where the member has put none yet. Of a content that went from the notebook meanwhile, or of which the
  -- member has put more than any text needs, nothing is kept.
  CREATE OR REPLACE FUNCTION open_notebook.put_vectors(
    notebook uuid, of_content bytea, of_model bytea, of_dimension int, of_texts bytea, packed bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
  DECLARE size int;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= 2) THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT octet_length(c.bytes) INTO size FROM contents c WHERE c.notebook_id = notebook AND c.hash = of_content AND EXISTS (
      SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = c.hash) FOR KEY SHARE;
    -- What is packed best has a thousandth of its length, and 64 texts are some 70,000 letters.
    IF NOT FOUND OR (SELECT count(*) FROM vectors v WHERE v.notebook_id = notebook AND v.content = of_content
      AND v.model = of_model AND v.added_by = session_user) >= least(16384, 16 + size / 16) THEN RETURN; END IF;
    IF NOT EXISTS (SELECT 1 FROM models m WHERE m.model = of_model AND m.dimension = of_dimension) THEN
      LOCK TABLE models IN SHARE ROW EXCLUSIVE MODE;
      IF (SELECT count(*) FROM models) >= 16 OR (SELECT count(*) FROM models m WHERE m.added_by = session_user) >= 4 THEN
        RETURN;
      END IF;
      INSERT INTO models (model, dimension, added_by) VALUES (of_model, of_dimension, session_user) ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO vectors (notebook_id, content, model, dimension, texts, added_by, vectors)
    VALUES (notebook, of_content, of_model, of_dimension, of_texts, session_user, packed) ON CONFLICT DO NOTHING;
    PERFORM tell(notebook);
  END $$;

${[
  ...changeFunction('tidy', [
    ['c.hash IN (', '(c.notebook_id, c.hash) IN ('],
    ['SELECT o.hash FROM', 'SELECT o.notebook_id, o.hash FROM'],
    ['d.content = o.hash', 'd.notebook_id = o.notebook_id AND d.content = o.hash'],
  ]),
  ...changeFunction('sizes', [['v.content IN (', 'v.notebook_id = n.id AND v.content IN (']]),
  ...changeFunction('place_points', [
    [
      'FROM vectors v WHERE v.model = of_model',
      'FROM vectors v WHERE v.notebook_id = notebook AND v.model = of_model',
    ],
    [
      'WHERE v.model = of_model AND v.number',
      'WHERE v.notebook_id = notebook AND v.model = of_model AND v.number',
    ],
  ]),
  ...changeFunction('near', [
    ['WHERE v.number = p.number LIMIT 1', 'WHERE v.number = p.number AND v.notebook_id = $2 LIMIT 1'],
    [
      'ON v.content = d.content AND v.model = $4',
      'ON v.notebook_id = $2 AND v.content = d.content AND v.model = $4',
    ],
    ['ON v.number = n.number', 'ON v.number = n.number AND v.notebook_id = notebook'],
  ]),
].join('')}
`;
