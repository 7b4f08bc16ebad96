-- All functions of a team's schema. An upgrade deletes the functions of the earlier version and creates these.
--
-- Members read and change data only through functions, which check the member's role and record the author. So a raw SQL
-- client has no more access than the extension. A function that reads first checks whether the member can view the
-- notebook, and reads no row otherwise. With tables, EXPLAIN ANALYZE would show how many rows row-level security removed,
-- and reveal whether a private notebook contains a title, key, or term.
--
-- Functions run with the rights of their owner, so each sets its search path. Bodies are checked when they run, so a
-- function can be defined before its tables.

/* Members and their rights */

-- Returns the notebooks that the member can view, with the level of their role: 1 can view, 2 can edit, 3 can manage.
-- The member is the user who logged in, even after SET ROLE.
CREATE OR REPLACE FUNCTION open_notebook.levels() RETURNS TABLE (notebook_id uuid, level int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT * FROM (
    SELECT n.id, CASE
      WHEN m.role = 'manager' THEN 3
      ELSE least(
        CASE m.role WHEN 'reader' THEN 1 ELSE 3 END,
        CASE coalesce(r.role, n.everybody) WHEN 'reader' THEN 1 WHEN 'author' THEN 2 WHEN 'manager' THEN 3 ELSE 0 END)
    END AS level
    FROM members m CROSS JOIN notebooks n
    LEFT JOIN rights r ON r.notebook_id = n.id AND r.member = m.name
    WHERE m.name = session_user
  ) all_levels WHERE all_levels.level > 0
$$;

CREATE OR REPLACE FUNCTION open_notebook.readable() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT notebook_id FROM levels()
$$;

CREATE OR REPLACE FUNCTION open_notebook.is_member() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM members WHERE name = session_user)
$$;

CREATE OR REPLACE FUNCTION open_notebook.may_read(notebook uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook)
$$;

CREATE OR REPLACE FUNCTION open_notebook.set_member(who name, their_role text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM members WHERE name = session_user AND role = 'manager') THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF their_role <> 'manager' AND EXISTS (SELECT 1 FROM members WHERE name = who AND role = 'manager') THEN
    PERFORM change_channels();
  END IF;
  INSERT INTO members (name, role) VALUES (who, their_role) ON CONFLICT (name) DO UPDATE SET role = excluded.role;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.remove_member(who name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM members WHERE name = session_user AND role = 'manager') THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM members WHERE name = who;
  PERFORM change_channels();
END $$;

CREATE OR REPLACE FUNCTION open_notebook.note_seen() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  UPDATE members SET seen_at = now() WHERE name = session_user
$$;

CREATE OR REPLACE FUNCTION open_notebook.read_members() RETURNS TABLE (name name, role text, seen_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT m.name, m.role, m.seen_at FROM members m WHERE (SELECT is_member()) ORDER BY m.name LIMIT 10000
$$;

-- Sets a member's own role in a notebook. Null removes it, so that the role of all members applies.
CREATE OR REPLACE FUNCTION open_notebook.set_right(notebook uuid, who name, their_role text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
BEGIN
  PERFORM begin_change(notebook, 3);
  UPDATE notebooks SET channel = new_channel() WHERE id = notebook;
  DELETE FROM rights WHERE notebook_id = notebook AND member = who;
  IF their_role IS NOT NULL THEN
    INSERT INTO rights (notebook_id, member, role) VALUES (notebook, who, their_role);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.set_everybody(notebook uuid, their_role text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
BEGIN
  PERFORM begin_change(notebook, 3);
  UPDATE notebooks SET everybody = their_role, channel = new_channel() WHERE id = notebook;
END $$;

-- Returns all members, each with their own role in a notebook.
CREATE OR REPLACE FUNCTION open_notebook.read_rights(notebook uuid) RETURNS TABLE (
  name name, role text, own_role text, is_self boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT m.name, m.role, r.role, m.name = session_user FROM members m
  LEFT JOIN rights r ON r.notebook_id = notebook AND r.member = m.name
  WHERE (SELECT may_read(notebook)) ORDER BY m.name LIMIT 10000
$$;

/* Notifications */

CREATE OR REPLACE FUNCTION open_notebook.new_channel() RETURNS text
LANGUAGE sql VOLATILE SET search_path = open_notebook, pg_temp AS $$
  SELECT 'open_notebook_' || left(encode(sha256(convert_to(
    random()::text || random()::text || random()::text || clock_timestamp()::text || pg_backend_pid(), 'UTF8')), 'hex'), 40)
$$;

-- Announces a change of a notebook. The change is saved even if the database doesn't support notifications, because
-- clients also poll.
CREATE OR REPLACE FUNCTION open_notebook.tell(notebook uuid) RETURNS void
LANGUAGE plpgsql SET search_path = open_notebook, pg_temp AS $$
BEGIN
  PERFORM pg_notify(n.channel, '') FROM notebooks n WHERE n.id = notebook;
EXCEPTION WHEN OTHERS THEN
  NULL;
END $$;

-- Gives all notebooks a new channel. The last notification on the old channels has members read the new ones.
CREATE OR REPLACE FUNCTION open_notebook.change_channels() RETURNS void
LANGUAGE plpgsql SET search_path = open_notebook, pg_temp AS $$
BEGIN
  PERFORM tell(n.id) FROM notebooks n;
  UPDATE notebooks SET channel = new_channel();
END $$;

/* Notebooks */

-- Checks that the member has at least a level, and returns the next revision of the notebook.
CREATE OR REPLACE FUNCTION open_notebook.begin_change(notebook uuid, least_level int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
DECLARE counted bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= least_level) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE notebooks SET revision = revision + 1 WHERE id = notebook AND removed_at IS NULL RETURNING revision INTO counted;
  IF counted IS NULL THEN
    RAISE EXCEPTION 'the notebook was removed' USING ERRCODE = 'no_data_found';
  END IF;
  PERFORM tell(notebook);
  RETURN counted;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.create_notebook(notebook uuid, called text, for_everybody text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM members WHERE name = session_user AND role <> 'reader') THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO notebooks (id, name, everybody, created_by) VALUES (notebook, called, for_everybody, session_user);
  INSERT INTO rights (notebook_id, member, role) VALUES (notebook, session_user, 'manager');
END $$;

CREATE OR REPLACE FUNCTION open_notebook.rename_notebook(notebook uuid, called text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
BEGIN
  PERFORM begin_change(notebook, 3);
  UPDATE notebooks SET name = called WHERE id = notebook;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.remove_notebook(notebook uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
BEGIN
  PERFORM begin_change(notebook, 3);
  UPDATE notebooks SET removed_at = now() WHERE id = notebook;
END $$;

-- Restores a notebook that was removed in the last 30 days.
CREATE OR REPLACE FUNCTION open_notebook.restore_notebook(notebook uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level = 3) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE notebooks SET removed_at = NULL, revision = revision + 1
  WHERE id = notebook AND removed_at > now() - interval '30 days';
  RETURN FOUND;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.read_notebooks() RETURNS TABLE (id uuid, name text, level int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT n.id, n.name, l.level FROM notebooks n JOIN levels() l ON l.notebook_id = n.id
  WHERE n.removed_at IS NULL ORDER BY n.name, n.id LIMIT 1000
$$;

-- Returns the notebooks that were removed in the last 30 days and that the member manages.
CREATE OR REPLACE FUNCTION open_notebook.read_removed_notebooks() RETURNS TABLE (id uuid, name text, removed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT n.id, n.name, n.removed_at FROM notebooks n JOIN levels() l ON l.notebook_id = n.id AND l.level = 3
  WHERE n.removed_at > now() - interval '30 days' ORDER BY n.removed_at DESC, n.id LIMIT 500
$$;

CREATE OR REPLACE FUNCTION open_notebook.read_notebook(notebook uuid) RETURNS TABLE (
  revision bigint, name text, everybody text, channel text, salt text, level int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT n.revision, n.name, n.everybody, n.channel, n.salt, l.level
  FROM notebooks n JOIN levels() l ON l.notebook_id = n.id WHERE n.id = notebook AND n.removed_at IS NULL
$$;

-- Reports which kinds of data changed after a revision, and counts the changed documents.
CREATE OR REPLACE FUNCTION open_notebook.read_news(
  notebook uuid, sources_after bigint, notes_after bigint, things_after bigint, documents_after bigint)
RETURNS TABLE (sources boolean, notes boolean, things boolean, count bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM sources s WHERE s.notebook_id = notebook AND s.revision > sources_after),
    EXISTS (SELECT 1 FROM notes o WHERE o.notebook_id = notebook AND o.revision > notes_after),
    EXISTS (SELECT 1 FROM things t WHERE t.notebook_id = notebook AND t.revision > things_after),
    (SELECT count(*) FROM documents d WHERE d.notebook_id = notebook AND d.revision > documents_after)
  WHERE (SELECT may_read(notebook))
$$;

-- Returns the sizes of the notebooks that the member manages, and the times of their last changes, but no content.
-- Content that two notebooks share counts in both.
CREATE OR REPLACE FUNCTION open_notebook.sizes() RETURNS TABLE (
  name text, created_by name, created_at timestamptz, removed_at timestamptz, sources bigint, documents bigint,
  notes bigint, conversations bigint, bytes bigint, changed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT n.name, n.created_by, n.created_at, n.removed_at,
    (SELECT count(*) FROM sources s WHERE s.notebook_id = n.id AND s.removed_at IS NULL),
    (SELECT count(*) FROM documents d WHERE d.notebook_id = n.id AND d.content IS NOT NULL),
    (SELECT count(*) FROM notes o WHERE o.notebook_id = n.id AND o.removed_at IS NULL),
    (SELECT count(*) FROM things t WHERE t.notebook_id = n.id AND t.kind = 'conversation' AND t.value IS NOT NULL),
    ((SELECT coalesce(sum(d.bytes), 0) + coalesce(sum(octet_length(d.head)), 0) FROM documents d WHERE d.notebook_id = n.id)
      + (SELECT coalesce(sum(octet_length(s.value)), 0) FROM sources s WHERE s.notebook_id = n.id)
      + (SELECT coalesce(sum(octet_length(o.value)), 0) FROM notes o WHERE o.notebook_id = n.id)
      + (SELECT coalesce(sum(octet_length(t.value)), 0) FROM things t WHERE t.notebook_id = n.id)
      + (SELECT coalesce(sum(octet_length(p.term) + octet_length(p.postings)), 0) FROM postings p WHERE p.notebook_id = n.id)
      + (SELECT coalesce(sum(octet_length(w.words)), 0) FROM windows w WHERE w.notebook_id = n.id)
      + (SELECT coalesce(sum(octet_length(v.vectors)), 0) FROM vectors v WHERE v.notebook_id = n.id AND v.content IN (
        SELECT d.content FROM documents d WHERE d.notebook_id = n.id)))::bigint,
    greatest(
      (SELECT max(s.changed_at) FROM sources s WHERE s.notebook_id = n.id),
      (SELECT max(d.changed_at) FROM documents d WHERE d.notebook_id = n.id),
      (SELECT max(o.changed_at) FROM notes o WHERE o.notebook_id = n.id),
      (SELECT max(t.changed_at) FROM things t WHERE t.notebook_id = n.id))
  FROM notebooks n JOIN levels() l ON l.notebook_id = n.id AND l.level = 3
  ORDER BY n.name, n.id LIMIT 1000
$$;

-- Deletes content that was removed more than 30 days ago, and texts without a document. Does so once a day at most.
CREATE OR REPLACE FUNCTION open_notebook.tidy() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
DECLARE gone uuid[];
BEGIN
  IF NOT is_member() THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM 1 FROM about WHERE tidied_at IS NULL OR tidied_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE about SET tidied_at = now();
  SELECT array_agg(n.id) INTO gone FROM notebooks n WHERE n.removed_at < now() - interval '30 days'
    AND EXISTS (SELECT 1 FROM sources s WHERE s.notebook_id = n.id
      UNION ALL SELECT 1 FROM notes o WHERE o.notebook_id = n.id UNION ALL SELECT 1 FROM things t WHERE t.notebook_id = n.id);
  DELETE FROM claims c WHERE c.notebook_id = ANY(gone);
  DELETE FROM things t WHERE t.notebook_id = ANY(gone);
  DELETE FROM notes o WHERE o.notebook_id = ANY(gone);
  DELETE FROM passages p WHERE p.notebook_id = ANY(gone);
  DELETE FROM postings p WHERE p.notebook_id = ANY(gone);
  DELETE FROM windows w WHERE w.notebook_id = ANY(gone);
  DELETE FROM searchable s WHERE s.notebook_id = ANY(gone);
  DELETE FROM documents d WHERE d.notebook_id = ANY(gone);
  DELETE FROM sources s WHERE s.notebook_id = ANY(gone);
  DELETE FROM documents d USING sources s WHERE s.notebook_id = d.notebook_id AND s.id = d.source_id
    AND s.removed_at < now() - interval '30 days';
  UPDATE sources SET value = '' WHERE removed_at < now() - interval '30 days' AND octet_length(value) > 0;
  UPDATE notes SET value = '' WHERE removed_at < now() - interval '30 days' AND octet_length(value) > 0;
  BEGIN
    DELETE FROM contents c WHERE (c.notebook_id, c.hash) IN (
      SELECT o.notebook_id, o.hash FROM contents o WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = o.notebook_id AND d.content = o.hash)
      FOR UPDATE SKIP LOCKED);
  EXCEPTION WHEN foreign_key_violation THEN
    -- A new document has one of these texts. They are deleted on another day.
    NULL;
  END;
END $$;

/* Sources and documents */

-- Adds or changes a source. If it was removed, the change restores it with its documents.
CREATE OR REPLACE FUNCTION open_notebook.put_source(notebook uuid, source text, packed bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE counted bigint := begin_change(notebook, 2);
BEGIN
  PERFORM 1 FROM sources WHERE notebook_id = notebook AND id = source AND removed_at IS NOT NULL;
  IF FOUND THEN
    UPDATE documents SET revision = begin_change(notebook, 2) WHERE notebook_id = notebook AND source_id = source;
  END IF;
  INSERT INTO sources (notebook_id, id, revision, value, added_by, changed_by)
  VALUES (notebook, source, counted, packed, session_user, session_user)
  ON CONFLICT (notebook_id, id) DO UPDATE SET revision = excluded.revision, value = excluded.value,
    changed_by = session_user, changed_at = now(), removed_by = NULL, removed_at = NULL;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.remove_source(notebook uuid, source text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE counted bigint := begin_change(notebook, 2);
BEGIN
  UPDATE sources SET revision = counted, removed_by = session_user, removed_at = now()
  WHERE notebook_id = notebook AND id = source AND removed_at IS NULL;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.restore_source(notebook uuid, source text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE counted bigint := begin_change(notebook, 2);
BEGIN
  UPDATE sources SET revision = counted, changed_by = session_user, changed_at = now(), removed_by = NULL, removed_at = NULL
  WHERE notebook_id = notebook AND id = source AND removed_at > now() - interval '30 days' AND octet_length(value) > 0;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE documents SET revision = begin_change(notebook, 2) WHERE notebook_id = notebook AND source_id = source;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.read_sources(notebook uuid, after bigint, most int) RETURNS TABLE (
  id text, revision bigint, added_by name, added_at timestamptz, changed_by name, changed_at timestamptz, value bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT s.id, s.revision, s.added_by, s.added_at, s.changed_by, s.changed_at,
    CASE WHEN s.removed_at IS NULL THEN s.value END
  FROM sources s WHERE (SELECT may_read(notebook)) AND s.notebook_id = notebook AND s.revision > after
  ORDER BY s.revision LIMIT most
$$;

CREATE OR REPLACE FUNCTION open_notebook.read_removed_sources(notebook uuid) RETURNS TABLE (
  id text, value bytea, removed_by name, removed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT s.id, s.value, s.removed_by, s.removed_at FROM sources s
  WHERE (SELECT may_read(notebook)) AND s.notebook_id = notebook AND s.removed_at > now() - interval '30 days'
    AND octet_length(s.value) > 0
  ORDER BY s.removed_at DESC LIMIT 500
$$;

-- Adds or changes a document. The text can be null if the member can read a text with this hash in any notebook. Others
-- must send the text, so that nobody can find a text by its hash.
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
  -- Insert it again if "tidy" is deleting it.
  PERFORM 1 FROM contents c WHERE c.notebook_id = notebook AND c.hash = text_hash FOR KEY SHARE;
  IF NOT FOUND THEN
    INSERT INTO contents (notebook_id, hash, bytes) VALUES (notebook, text_hash, text_bytes) ON CONFLICT DO NOTHING;
  END IF;
  INSERT INTO documents (notebook_id, source_id, key, revision, head, content, bytes, changed_by)
  VALUES (notebook, source, named, counted, packed, text_hash, octet_length(text_bytes), session_user)
  ON CONFLICT (notebook_id, source_id, key) DO UPDATE SET revision = excluded.revision, head = excluded.head,
    content = excluded.content, bytes = excluded.bytes, changed_by = session_user, changed_at = now();
END $$;

CREATE OR REPLACE FUNCTION open_notebook.remove_document(notebook uuid, source text, named text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE counted bigint := begin_change(notebook, 2);
BEGIN
  UPDATE documents SET revision = counted, head = '', content = NULL, bytes = 0, changed_by = session_user, changed_at = now()
  WHERE notebook_id = notebook AND source_id = source AND key = named AND content IS NOT NULL;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.read_documents(notebook uuid, after bigint, up_to bigint, most int) RETURNS TABLE (
  source_id text, key text, revision bigint, head bytea, content bytea, bytes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT d.source_id, d.key, d.revision, d.head, d.content, d.bytes FROM documents d
  WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.revision > after AND d.revision <= up_to
  ORDER BY d.revision LIMIT most
$$;

CREATE OR REPLACE FUNCTION open_notebook.count_documents(notebook uuid) RETURNS TABLE (source_id text, count bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT d.source_id, count(*) FROM documents d
  WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.content IS NOT NULL GROUP BY d.source_id
$$;

-- Counts the documents of sources that weren't removed, and returns the last revision of one.
CREATE OR REPLACE FUNCTION open_notebook.count_living_documents(notebook uuid) RETURNS TABLE (count bigint, revision bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT count(*), max(d.revision) FROM documents d
  JOIN sources s ON s.notebook_id = notebook AND s.id = d.source_id AND s.removed_at IS NULL
  WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.content IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION open_notebook.read_living_documents(notebook uuid, after bigint, up_to bigint, most int) RETURNS TABLE (
  source_id text, key text, revision bigint, head bytea, content bytea, bytes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT d.source_id, d.key, d.revision, d.head, d.content, d.bytes FROM documents d
  JOIN sources s ON s.notebook_id = notebook AND s.id = d.source_id AND s.removed_at IS NULL
  WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.content IS NOT NULL
    AND d.revision > after AND d.revision <= up_to
  ORDER BY d.revision LIMIT most
$$;

CREATE OR REPLACE FUNCTION open_notebook.read_named_documents(notebook uuid, of_sources text[], of_keys text[]) RETURNS TABLE (
  source_id text, key text, revision bigint, head bytea, content bytea, bytes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT d.source_id, d.key, d.revision, d.head, d.content, d.bytes
  FROM unnest(of_sources, of_keys) AS named (source_id, key)
  JOIN documents d ON d.notebook_id = notebook AND d.source_id = named.source_id AND d.key = named.key
  WHERE (SELECT may_read(notebook)) AND d.content IS NOT NULL
$$;

-- Returns texts of the notebook's documents.
CREATE OR REPLACE FUNCTION open_notebook.read_contents(notebook uuid, hashes bytea[]) RETURNS TABLE (hash bytea, bytes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT c.hash, c.bytes FROM contents c
  WHERE (SELECT may_read(notebook)) AND c.notebook_id = notebook AND c.hash = ANY(hashes)
    AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = c.hash)
$$;

-- Returns the hashes of the texts that the notebook has.
CREATE OR REPLACE FUNCTION open_notebook.find_contents(notebook uuid, hashes bytea[]) RETURNS TABLE (hash bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT c.hash FROM contents c
  WHERE (SELECT may_read(notebook)) AND c.notebook_id = notebook AND c.hash = ANY(hashes)
    AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = c.hash)
$$;

/* Notes */

-- Saves a note that is based on the revision "base" (0 for a new one), and returns the new revision. Returns -1 if the
-- team has a newer revision, and -2 if another note has this title. Restores a removed note.
CREATE OR REPLACE FUNCTION open_notebook.put_note(notebook uuid, note text, base bigint, called text, packed bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE
  counted bigint := begin_change(notebook, 2);
  there bigint;
BEGIN
  SELECT revision INTO there FROM notes WHERE notebook_id = notebook AND id = note AND removed_at IS NULL;
  IF there <> base THEN RETURN -1; END IF;
  PERFORM 1 FROM notes WHERE notebook_id = notebook AND title = called AND id <> note AND removed_at IS NULL;
  IF FOUND THEN RETURN -2; END IF;
  INSERT INTO notes (notebook_id, id, revision, title, value, added_by, changed_by)
  VALUES (notebook, note, counted, called, packed, session_user, session_user)
  ON CONFLICT (notebook_id, id) DO UPDATE SET revision = excluded.revision, title = excluded.title,
    value = excluded.value, changed_by = session_user, changed_at = now(), removed_at = NULL;
  RETURN counted;
END $$;

-- Removes a note. Returns false if the team has a newer revision than "base".
CREATE OR REPLACE FUNCTION open_notebook.remove_note(notebook uuid, note text, base bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE counted bigint := begin_change(notebook, 2);
BEGIN
  PERFORM 1 FROM notes WHERE notebook_id = notebook AND id = note AND revision <> base AND removed_at IS NULL;
  IF FOUND THEN RETURN false; END IF;
  UPDATE notes SET revision = counted, changed_by = session_user, changed_at = now(), removed_at = now()
  WHERE notebook_id = notebook AND id = note AND removed_at IS NULL;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.read_notes(notebook uuid, after bigint, up_to bigint, most int) RETURNS TABLE (
  id text, revision bigint, title text, added_by name, added_at timestamptz, changed_by name, changed_at timestamptz,
  value bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT o.id, o.revision, o.title, o.added_by, o.added_at, o.changed_by, o.changed_at,
    CASE WHEN o.removed_at IS NULL THEN o.value END
  FROM notes o
  WHERE (SELECT may_read(notebook)) AND o.notebook_id = notebook AND o.revision > after AND o.revision <= up_to
  ORDER BY o.revision LIMIT most
$$;

/* Other entities, and who works on them */

-- Saves an entity. With a "base" (0 for a new one), returns -1 if the team has a newer revision. Without one, replaces
-- any revision. Only the member who shared a conversation can change its turns.
CREATE OR REPLACE FUNCTION open_notebook.put_thing(
  notebook uuid, thing_kind text, thing text, in_thing text, base bigint, packed bytea)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE
  counted bigint := begin_change(notebook, 2);
  there things;
  outer_kind text := CASE thing_kind
    WHEN 'turn' THEN 'conversation' WHEN 'step' THEN 'research' WHEN 'cell' THEN 'matrix' WHEN 'card' THEN 'deck' END;
BEGIN
  IF packed IS NULL THEN
    RAISE EXCEPTION 'no value' USING ERRCODE = 'check_violation';
  END IF;
  SELECT * INTO there FROM things WHERE notebook_id = notebook AND kind = thing_kind AND id = thing;
  IF FOUND AND thing_kind IN ('conversation', 'turn') AND there.added_by <> session_user THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF outer_kind IS NOT NULL THEN
    PERFORM 1 FROM things WHERE notebook_id = notebook AND id = in_thing AND value IS NOT NULL AND kind = outer_kind;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'not shared any more' USING ERRCODE = 'no_data_found';
    END IF;
  END IF;
  IF base IS NOT NULL AND there.value IS NOT NULL AND there.revision <> base THEN RETURN -1; END IF;
  INSERT INTO things (notebook_id, kind, id, within, revision, value, added_by, changed_by)
  VALUES (notebook, thing_kind, thing, in_thing, counted, packed, session_user, session_user)
  ON CONFLICT (notebook_id, kind, id) DO UPDATE SET revision = excluded.revision, within = excluded.within,
    value = excluded.value, changed_by = session_user, changed_at = now();
  RETURN counted;
END $$;

-- Removes an entity with its parts. Conversations can be removed by their member and by managers.
CREATE OR REPLACE FUNCTION open_notebook.remove_thing(notebook uuid, thing_kind text, thing text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE
  counted bigint := begin_change(notebook, 2);
  manages boolean := EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level = 3);
  inner_kind text := CASE thing_kind
    WHEN 'conversation' THEN 'turn' WHEN 'research' THEN 'step' WHEN 'matrix' THEN 'cell' WHEN 'deck' THEN 'card' END;
BEGIN
  PERFORM 1 FROM things t WHERE t.notebook_id = notebook AND t.kind = thing_kind AND t.id = thing AND (
    manages OR thing_kind NOT IN ('conversation', 'turn') OR t.added_by = session_user OR EXISTS (
      SELECT 1 FROM things c WHERE c.notebook_id = notebook AND c.kind = 'conversation' AND c.id = t.within
        AND c.added_by = session_user));
  IF NOT FOUND THEN
    PERFORM 1 FROM things WHERE notebook_id = notebook AND kind = thing_kind AND id = thing AND value IS NOT NULL;
    IF FOUND THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN;
  END IF;
  UPDATE things SET revision = counted, value = NULL, changed_by = session_user, changed_at = now()
  WHERE notebook_id = notebook AND value IS NOT NULL AND (
    (kind = thing_kind AND id = thing) OR (kind = inner_kind AND within = thing));
  IF thing_kind = 'research' THEN
    DELETE FROM claims WHERE notebook_id = notebook AND research = thing;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.read_things(notebook uuid, after bigint, up_to bigint, most int) RETURNS TABLE (
  kind text, id text, within text, revision bigint, added_by name, changed_by name, is_own boolean, value bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT t.kind, t.id, t.within, t.revision, t.added_by, t.changed_by, t.added_by = session_user, t.value FROM things t
  WHERE (SELECT may_read(notebook)) AND t.notebook_id = notebook AND t.revision > after AND t.revision <= up_to
  ORDER BY t.revision, t.kind, t.id LIMIT most
$$;

-- Assigns a step to a member for a number of seconds, or extends the assignment. Returns the member who has the step, or
-- null if it's the caller.
CREATE OR REPLACE FUNCTION open_notebook.claim_step(notebook uuid, of_research text, of_step text, claim uuid, seconds int) RETURNS name
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE
  taken name;
  is_ours boolean;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= 2) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO claims AS c (notebook_id, research, step, member, token, held_until)
  VALUES (notebook, of_research, of_step, session_user, claim, clock_timestamp() + least(seconds, 600) * interval '1 second')
  ON CONFLICT (notebook_id, research, step) DO UPDATE SET member = session_user, token = excluded.token,
    held_until = excluded.held_until
  WHERE (c.token = excluded.token AND c.member = session_user) OR c.held_until < clock_timestamp();
  SELECT member, token = claim INTO taken, is_ours FROM claims
  WHERE notebook_id = notebook AND research = of_research AND step = of_step;
  PERFORM tell(notebook);
  RETURN CASE WHEN is_ours THEN NULL ELSE taken END;
END $$;

CREATE OR REPLACE FUNCTION open_notebook.release_step(notebook uuid, claim uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
BEGIN
  DELETE FROM claims WHERE notebook_id = notebook AND token = claim AND member = session_user;
  PERFORM tell(notebook);
END $$;

CREATE OR REPLACE FUNCTION open_notebook.read_claims(notebook uuid) RETURNS TABLE (research text, step text, member name)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT c.research, c.step, c.member FROM claims c
  WHERE (SELECT may_read(notebook)) AND c.notebook_id = notebook AND c.held_until > clock_timestamp() LIMIT 1000
$$;

/* Keyword search */

-- Numbers passages, and stores their postings as a window. Locks the notebook's row of "searchable" until the commit.
CREATE OR REPLACE FUNCTION open_notebook.write_window(
  notebook uuid, counted int, terms_counted bigint, spoken bigint, of_words bytea,
  terms text[], places int[], holdings int[], mosts int[], blocks bytea[]) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE begins int;
BEGIN
  IF counted NOT BETWEEN 1 AND 32768 OR terms_counted NOT BETWEEN 0 AND 65535::bigint * counted THEN
    RAISE EXCEPTION 'no such number of passages' USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO searchable (notebook_id) VALUES (notebook) ON CONFLICT DO NOTHING;
  UPDATE searchable SET passages = passages + counted, languages = languages | spoken
  WHERE notebook_id = notebook RETURNING passages - counted INTO begins;
  INSERT INTO windows (notebook_id, base, passages, length, words) VALUES (notebook, begins, counted, terms_counted, of_words);
  INSERT INTO postings (notebook_id, base, term, place, holding, most, postings)
  SELECT notebook, begins, w.term, w.place, w.holding, w.most, w.block
  FROM unnest(terms, places, holdings, mosts, blocks) AS w (term, place, holding, most, block);
  RETURN begins;
END $$;

-- Stores the postings of documents. Skips documents that changed in the meantime.
CREATE OR REPLACE FUNCTION open_notebook.put_postings(
  notebook uuid, of_sources text[], of_keys text[], of_contents bytea[], counts int[], terms_counted bigint,
  spoken bigint, of_words bytea, terms text[], places int[], holdings int[], mosts int[], blocks bytea[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
DECLARE
  counted int := (SELECT sum(one) FROM unnest(counts) AS one);
  begins int;
  living int;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= 2) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  begins := write_window(notebook, counted, terms_counted, spoken, of_words, terms, places, holdings, mosts, blocks);
  PERFORM bury(notebook, of_sources, of_keys);
  WITH written AS (
    INSERT INTO passages (notebook_id, first, count, source_id, key, content)
    SELECT notebook, w.first, w.count, w.source_id, w.key, w.content FROM (
      SELECT begins + sum(n.count) OVER (ORDER BY n.place) - n.count AS first, n.*
      FROM unnest(of_sources, of_keys, of_contents, counts) WITH ORDINALITY AS n (source_id, key, content, count, place)) w
    JOIN documents d ON d.notebook_id = notebook AND d.source_id = w.source_id AND d.key = w.key AND d.content = w.content
    RETURNING count)
  SELECT coalesce(sum(count), 0) INTO living FROM written;
  UPDATE windows SET dead = counted - living WHERE notebook_id = notebook AND base = begins;
END $$;

-- Replaces several windows by one. Passages that begin at "firsts" move to "moved". Returns false and changes nothing if
-- one of the windows doesn't exist anymore.
CREATE OR REPLACE FUNCTION open_notebook.merge_windows(
  notebook uuid, bases int[], firsts int[], moved int[], counted int, terms_counted bigint, of_words bytea,
  terms text[], places int[], holdings int[], mosts int[], blocks bytea[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
DECLARE
  begins int;
  living int;
  had bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= 2) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM 1 FROM searchable WHERE notebook_id = notebook FOR UPDATE;
  SELECT count(*), sum(passages) INTO living, had FROM windows WHERE notebook_id = notebook AND base = ANY(bases);
  IF living < cardinality(bases) THEN RETURN false; END IF;
  IF counted > had OR counted < 0 THEN
    RAISE EXCEPTION 'no such number of passages' USING ERRCODE = 'check_violation';
  END IF;
  IF counted > 0 THEN
    begins := write_window(notebook, counted, terms_counted, 0, of_words, terms, places, holdings, mosts, blocks);
  END IF;
  WITH taken AS (
    DELETE FROM passages p USING windows w WHERE w.notebook_id = notebook AND w.base = ANY(bases)
      AND p.notebook_id = notebook AND p.first >= w.base AND p.first < w.base + w.passages RETURNING p.*),
  written AS (
    INSERT INTO passages (notebook_id, first, count, source_id, key, content)
    SELECT notebook, begins + m.place, t.count, t.source_id, t.key, t.content
    FROM taken t JOIN unnest(firsts, moved) AS m (first, place) ON m.first = t.first
    WHERE m.place >= 0 AND m.place + t.count <= counted
    RETURNING count)
  SELECT coalesce(sum(count), 0) INTO living FROM written;
  DELETE FROM postings p WHERE p.notebook_id = notebook AND p.base = ANY(bases);
  DELETE FROM windows w WHERE w.notebook_id = notebook AND w.base = ANY(bases);
  UPDATE windows SET dead = counted - living WHERE notebook_id = notebook AND base = begins;
  RETURN true;
END $$;

-- Deletes the passages of documents. The caller must hold the lock on the notebook's row of "searchable".
CREATE OR REPLACE FUNCTION open_notebook.bury(notebook uuid, of_sources text[], of_keys text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  WITH gone AS (
    DELETE FROM passages p USING unnest(of_sources, of_keys) AS named (source_id, key)
    WHERE p.notebook_id = notebook AND p.source_id = named.source_id AND p.key = named.key RETURNING p.first, p.count),
  counted AS (
    SELECT (SELECT max(w.base) FROM windows w WHERE w.notebook_id = notebook AND w.base <= g.first) AS base,
      sum(g.count) AS passages FROM gone g GROUP BY 1)
  UPDATE windows w SET dead = w.dead + c.passages FROM counted c WHERE w.notebook_id = notebook AND w.base = c.base
$$;

CREATE OR REPLACE FUNCTION open_notebook.bury_document() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
BEGIN
  PERFORM 1 FROM searchable WHERE notebook_id = old.notebook_id FOR UPDATE;
  IF FOUND THEN
    PERFORM bury(old.notebook_id, ARRAY[old.source_id], ARRAY[old.key]);
  END IF;
  RETURN NULL;
END $$;

-- Returns totals of the passages of a notebook that is searched in the database; no row for other notebooks.
CREATE OR REPLACE FUNCTION open_notebook.read_searchable(notebook uuid) RETURNS TABLE (
  languages bigint, passages bigint, length bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT s.languages, sum(w.passages), sum(w.length)::bigint
  FROM searchable s JOIN windows w ON w.notebook_id = notebook
  WHERE (SELECT may_read(notebook)) AND s.notebook_id = notebook GROUP BY s.languages
$$;

-- Returns documents after a revision that have no postings.
CREATE OR REPLACE FUNCTION open_notebook.read_unsearchable(notebook uuid, after bigint, most int) RETURNS TABLE (
  source_id text, key text, content bytea, revision bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT d.source_id, d.key, d.content, d.revision FROM documents d
  WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.revision > after AND d.content IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM passages p WHERE p.notebook_id = notebook AND p.source_id = d.source_id
      AND p.key = d.key AND p.content = d.content)
  ORDER BY d.revision LIMIT most
$$;

CREATE OR REPLACE FUNCTION open_notebook.read_windows(notebook uuid) RETURNS TABLE (
  base int, passages int, dead int, length bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT w.base, w.passages, w.dead, w.length FROM windows w
  WHERE (SELECT may_read(notebook)) AND w.notebook_id = notebook ORDER BY w.base
$$;

-- Returns the passages of windows whose documents didn't change since.
CREATE OR REPLACE FUNCTION open_notebook.read_living_passages(notebook uuid, bases int[], counts int[]) RETURNS TABLE (
  base int, first int, count int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT w.base, p.first, p.count FROM unnest(bases, counts) AS w (base, passages)
  JOIN passages p ON p.notebook_id = notebook AND p.first >= w.base AND p.first < w.base + w.passages
  JOIN documents d ON d.notebook_id = notebook AND d.source_id = p.source_id AND d.key = p.key AND d.content = p.content
  WHERE (SELECT may_read(notebook)) ORDER BY p.first
$$;

CREATE OR REPLACE FUNCTION open_notebook.read_postings(notebook uuid, bases int[]) RETURNS TABLE (
  base int, term text, holding int, postings bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT p.base, p.term, p.holding, p.postings FROM postings p
  WHERE (SELECT may_read(notebook)) AND p.notebook_id = notebook AND p.base = ANY(bases)
  ORDER BY p.base, p.term, p.place
$$;

-- Returns, for each window, the row in which the postings of a term begin. Includes the postings only if the row has
-- several terms.
CREATE OR REPLACE FUNCTION open_notebook.find_terms(notebook uuid, terms text[]) RETURNS TABLE (
  term text, base int, passages int, holding int, most smallint, postings bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT asked.term, w.base, w.passages, head.holding, head.most, CASE WHEN head.holding = 0 THEN head.postings END
  FROM windows w CROSS JOIN unnest(terms) AS asked (term) CROSS JOIN LATERAL (
    SELECT p.term, p.holding, p.most, p.postings FROM postings p
    WHERE p.notebook_id = notebook AND p.base = w.base AND p.term <= asked.term COLLATE "C"
    ORDER BY p.term DESC, p.place DESC LIMIT 1) head
  WHERE (SELECT may_read(notebook)) AND w.notebook_id = notebook AND (head.holding = 0 OR head.term = asked.term)
$$;

-- Returns the words of the largest windows, up to a number of bytes.
CREATE OR REPLACE FUNCTION open_notebook.read_words(notebook uuid, most bigint) RETURNS TABLE (words bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT w.words FROM (
    SELECT o.words, o.base, o.passages, sum(octet_length(o.words)) OVER (ORDER BY o.passages DESC, o.base) AS size
    FROM windows o WHERE o.notebook_id = notebook) w
  WHERE (SELECT may_read(notebook)) AND w.size <= most ORDER BY w.passages DESC, w.base
$$;

-- Returns all rows that terms have for themselves. OFFSET makes PostgreSQL look up each row. It would scan the whole index
-- for a join.
CREATE OR REPLACE FUNCTION open_notebook.read_lists(notebook uuid, terms text[], bases int[]) RETURNS TABLE (
  term text, base int, postings bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT p.term, p.base, p.postings FROM unnest(terms, bases) AS wanted (term, base) CROSS JOIN LATERAL (
    SELECT o.term, o.base, o.postings FROM postings o
    WHERE o.notebook_id = notebook AND o.base = wanted.base AND o.term = wanted.term COLLATE "C" OFFSET 0) p
  WHERE (SELECT may_read(notebook))
$$;

-- Returns only the rows of a term that contain certain places of windows.
CREATE OR REPLACE FUNCTION open_notebook.read_blocks(notebook uuid, of_term text, bases int[], places int[]) RETURNS TABLE (
  base int, postings bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT one.base, p.postings FROM (
    SELECT DISTINCT c.base, (
      SELECT max(o.place) FROM postings o
      WHERE o.notebook_id = notebook AND o.base = c.base AND o.term = of_term AND o.place <= c.place) AS place
    FROM unnest(bases, places) AS c (base, place)) one CROSS JOIN LATERAL (
      SELECT o.postings FROM postings o
      WHERE o.notebook_id = notebook AND o.base = one.base AND o.term = of_term AND o.place = one.place LIMIT 1) p
  WHERE (SELECT may_read(notebook))
$$;

-- Returns the documents of passages, in the order of the passages. Counts the existing windows of "bases" even if no
-- document is found.
CREATE OR REPLACE FUNCTION open_notebook.find_passages(notebook uuid, wanted int[], bases int[]) RETURNS TABLE (
  windows bigint, passage int, source_id text, key text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT counted.windows, found.passage, found.source_id, found.key
  FROM (SELECT count(*) AS windows FROM windows w WHERE w.notebook_id = notebook AND w.base = ANY(bases)) counted
  LEFT JOIN (
    SELECT asked.passage, asked.place, p.source_id, p.key
    FROM unnest(wanted) WITH ORDINALITY AS asked (passage, place) CROSS JOIN LATERAL (
      SELECT o.* FROM passages o WHERE o.notebook_id = notebook AND o.first <= asked.passage
      ORDER BY o.first DESC LIMIT 1) p
    JOIN documents d ON d.notebook_id = notebook AND d.source_id = p.source_id AND d.key = p.key AND d.content = p.content
    JOIN sources s ON s.notebook_id = notebook AND s.id = p.source_id AND s.removed_at IS NULL
    WHERE asked.passage < p.first + p.count) found ON true
  WHERE (SELECT may_read(notebook)) ORDER BY found.place
$$;

/* Embeddings */

-- Stores embeddings, unless the member already stored some. Stores nothing if the text isn't in the notebook anymore, or
-- if the member stored more rows than a text needs.
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
  -- The best compression is to a thousandth, and 64 texts have about 70,000 letters.
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

-- Returns the row of embeddings to use for each part of a text: the member's own, then those of the member who changed the
-- document last, then others. For documents that the member changed last, only their own.
CREATE OR REPLACE FUNCTION open_notebook.find_vectors(
  notebook uuid, of_model bytea, contents bytea[], parts bytea[], of_dimension int)
RETURNS TABLE (content bytea, texts bytea, dimension int, number bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT DISTINCT ON (v.content, v.texts) v.content, v.texts, v.dimension, v.number
  FROM unnest(contents, parts) AS asked (content, texts)
  JOIN vectors v ON v.notebook_id = notebook AND v.content = asked.content AND v.texts = asked.texts
  CROSS JOIN LATERAL (
    SELECT bool_or(d.changed_by = session_user) AS is_own, bool_or(d.changed_by = v.added_by) AS is_theirs
    FROM documents d WHERE d.notebook_id = notebook AND d.content = v.content) who
  WHERE (SELECT may_read(notebook)) AND v.model = of_model AND (of_dimension IS NULL OR v.dimension = of_dimension)
    AND (v.added_by IN (session_user, '') OR NOT who.is_own)
  ORDER BY v.content, v.texts, v.added_by = session_user DESC, who.is_theirs DESC, v.number
$$;

CREATE OR REPLACE FUNCTION open_notebook.read_vectors(notebook uuid, numbers bigint[]) RETURNS TABLE (number bigint, vectors bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT v.number, v.vectors FROM vectors v
  WHERE (SELECT may_read(notebook)) AND v.notebook_id = notebook AND v.number = ANY(numbers)
    AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = v.content)
$$;

-- Returns the number of the last row of a model's embeddings in the notebook, or null.
CREATE OR REPLACE FUNCTION open_notebook.last_vectors(notebook uuid, of_model bytea) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT v.number FROM vectors v WHERE (SELECT may_read(notebook)) AND v.notebook_id = notebook AND v.model = of_model
    AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = v.content)
  ORDER BY v.number DESC LIMIT 1
$$;

/* Semantic search with pgvector */

-- Returns the quoted name of pgvector's schema, or null without pgvector 0.7 or later. Ignores types of the same name that
-- aren't part of the extension.
CREATE OR REPLACE FUNCTION open_notebook.pgvector() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
  JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.classid = 'pg_type'::regclass
    AND d.deptype = 'e'
  JOIN pg_type t ON t.oid = d.objid AND t.typname = 'halfvec'
  WHERE e.extname = 'vector'
$$;

-- Returns the name of the table with a model's points, or null if there is none or pgvector was removed from it.
CREATE OR REPLACE FUNCTION open_notebook.points_of(of_number int) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  SELECT 'points_' || of_number FROM pg_attribute a
  WHERE a.attrelid = to_regclass('open_notebook.points_' || of_number) AND a.attname = 'embedding' AND NOT a.attisdropped
$$;

CREATE OR REPLACE FUNCTION open_notebook.make_points(of_number int, of_dimension int) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS open_notebook.points_%s', of_number);
  -- With any other storage, each comparison would fetch the value from a separate table.
  EXECUTE format($made$
    CREATE TABLE open_notebook.points_%2$s (
      number bigint NOT NULL REFERENCES open_notebook.vectors (number) ON DELETE CASCADE,
      place smallint NOT NULL,
      embedding %1$s.halfvec(%3$s) NOT NULL,
      PRIMARY KEY (number, place)
    );
    ALTER TABLE open_notebook.points_%2$s ALTER COLUMN embedding SET STORAGE PLAIN;
    ALTER TABLE open_notebook.points_%2$s ENABLE ROW LEVEL SECURITY;
    CREATE INDEX ON open_notebook.points_%2$s USING hnsw (embedding %1$s.halfvec_cosine_ops)
  $made$, pgvector(), of_number, of_dimension);
  RETURN points_of(of_number);
END $$;

-- Adds points for some of the notebook's embeddings of a model, from the number after "after" on. Returns the number up to
-- which it came; at the end, the last one. Returns "after" if another session is adding points, and null if there's
-- nothing to do: without pgvector, and for notebooks that aren't searched in the database.
CREATE OR REPLACE FUNCTION open_notebook.place_points(notebook uuid, of_model bytea, after bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
DECLARE
  types text := pgvector();
  ends bigint;
  one record;
  points text;
  numbers int := 0;
  done int := 0;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= 2) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF types IS NULL OR NOT EXISTS (SELECT 1 FROM searchable s WHERE s.notebook_id = notebook) THEN RETURN NULL; END IF;
  PERFORM 1 FROM models m WHERE m.model = of_model ORDER BY m.number FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN after; END IF;
  DELETE FROM placed p USING models m WHERE p.model = m.number AND m.model = of_model AND points_of(m.number) IS NULL;
  SELECT greatest(after, max(v.number)) INTO ends FROM vectors v WHERE v.notebook_id = notebook AND v.model = of_model;
  FOR one IN
    SELECT v.number, v.vectors, v.dimension, m.number AS model FROM vectors v
    JOIN models m ON m.model = v.model AND m.dimension = v.dimension
    WHERE v.notebook_id = notebook AND v.model = of_model AND v.number > after AND v.dimension <= 4000 AND octet_length(v.vectors) <= 128 * v.dimension
      AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = v.content)
      AND NOT EXISTS (SELECT 1 FROM placed p WHERE p.number = v.number)
    ORDER BY v.number LIMIT 500
  LOOP
    -- Limit a transaction to a few seconds.
    IF numbers >= 200000 THEN RETURN after; END IF;
    done := done + 1;
    points := coalesce(points_of(one.model), make_points(one.model, one.dimension));
    BEGIN
      -- Skip vectors with NaN, and zero vectors: they have no similarity. The caller's `|| ''` loads the bytes only once.
      EXECUTE format($put$
        INSERT INTO open_notebook.%2$s (number, place, embedding)
        SELECT $1, place, point::%1$s.halfvec FROM (
          SELECT place, ARRAY(
            SELECT (CASE
                WHEN exponent = 31 THEN 'NaN'
                WHEN exponent = 0 THEN fraction * power(2::float8, -24)
                ELSE (1024 + fraction) * power(2::float8, exponent - 25) END
              * CASE WHEN bits < 32768 THEN 1 ELSE -1 END)::real
            FROM (
              SELECT bits, (bits >> 10) & 31 AS exponent, bits & 1023 AS fraction FROM (
                SELECT get_byte($2, at) + 256 * get_byte($2, at + 1) AS bits
                FROM generate_series(2 * $3 * place, 2 * $3 * (place + 1) - 1, 2) AS at) halves OFFSET 0) parts) AS point
          FROM generate_series(0, octet_length($2) / (2 * $3) - 1) AS place) read
        WHERE NOT 'NaN'::real = ANY(point) AND NOT 0::real = ALL(point)
        ON CONFLICT DO NOTHING
      $put$, types, points) USING one.number, one.vectors || ''::bytea, one.dimension;
    EXCEPTION WHEN data_exception THEN
      -- pgvector rejected the vector. It isn't tried again.
      NULL;
    END;
    INSERT INTO placed (number, model) VALUES (one.number, one.model) ON CONFLICT DO NOTHING;
    numbers := numbers + octet_length(one.vectors) / 2;
    after := one.number;
  END LOOP;
  RETURN CASE WHEN done < 500 THEN ends ELSE after END;
END $$;

-- Returns the documents that have a text closest to a vector in pgvector's notation, with the similarity (1 for equal).
CREATE OR REPLACE FUNCTION open_notebook.near(notebook uuid, of_model bytea, of_dimension int, asked text, most int)
RETURNS TABLE (source_id text, key text, nearness float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
DECLARE
  types text := pgvector();
  wanted int := greatest(0, least(most, 1000));
  points text;
  numbers bigint[];
  distances float8[];
BEGIN
  IF types IS NULL OR NOT EXISTS (SELECT 1 FROM readable() AS r WHERE r = notebook) THEN RETURN; END IF;
  SELECT points_of(m.number) INTO points FROM models m WHERE m.model = of_model AND m.dimension = of_dimension;
  IF points IS NULL THEN RETURN; END IF;
  -- Versions before 0.8 stop if most of the neighbors are of other notebooks.
  IF EXISTS (SELECT 1 FROM pg_extension e WHERE e.extname = 'vector'
    AND string_to_array(substring(e.extversion from '^\d+\.\d+'), '.')::int[] >= ARRAY[0, 8]) THEN
    PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true);
  END IF;
  PERFORM set_config('hnsw.ef_search', '200', true);
  EXECUTE format($asked$
    SELECT array_agg(n.number), array_agg(n.distance) FROM (
      SELECT p.number, p.embedding OPERATOR(%1$s.<=>) $1::%1$s.halfvec AS distance FROM open_notebook.%2$s p
      WHERE (
        SELECT true FROM vectors v JOIN documents d ON d.notebook_id = $2 AND d.content = v.content
        JOIN sources s ON s.notebook_id = $2 AND s.id = d.source_id AND s.removed_at IS NULL
        WHERE v.number = p.number AND v.notebook_id = $2 LIMIT 1)
      ORDER BY p.embedding OPERATOR(%1$s.<=>) $1::%1$s.halfvec LIMIT $3) n
  $asked$, types, points) INTO numbers, distances USING asked, notebook, wanted;
  -- The index may find only similar texts of other notebooks. Then compare all vectors of this notebook.
  IF coalesce(cardinality(numbers), 0) < wanted / 4 THEN
    EXECUTE format($asked$
      SELECT array_agg(n.number), array_agg(n.distance) FROM (
        SELECT p.number, (p.embedding OPERATOR(%1$s.<=>) $1::%1$s.halfvec) + 0 AS distance
        FROM (
          SELECT DISTINCT v.number FROM documents d
          JOIN sources s ON s.notebook_id = $2 AND s.id = d.source_id AND s.removed_at IS NULL
          JOIN vectors v ON v.notebook_id = $2 AND v.content = d.content AND v.model = $4 AND v.dimension = $5
          WHERE d.notebook_id = $2) v JOIN open_notebook.%2$s p ON p.number = v.number
        ORDER BY 2 LIMIT $3) n
    $asked$, types, points) INTO numbers, distances USING asked, notebook, wanted, of_model, of_dimension;
  END IF;
  RETURN QUERY SELECT d.source_id, d.key, max(1 - n.distance) FROM unnest(numbers, distances) AS n (number, distance)
  JOIN vectors v ON v.number = n.number AND v.notebook_id = notebook
  JOIN documents d ON d.notebook_id = notebook AND d.content = v.content
  JOIN sources s ON s.notebook_id = notebook AND s.id = d.source_id AND s.removed_at IS NULL
  GROUP BY d.source_id, d.key ORDER BY 3 DESC, 1, 2 LIMIT wanted;
END $$;

/* Permissions */

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA open_notebook FROM PUBLIC, open_notebook_member;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA open_notebook TO open_notebook_member;
REVOKE EXECUTE ON FUNCTION open_notebook.begin_change, open_notebook.bury, open_notebook.bury_document,
  open_notebook.change_channels, open_notebook.make_points, open_notebook.new_channel, open_notebook.pgvector,
  open_notebook.points_of, open_notebook.tell, open_notebook.write_window FROM open_notebook_member;
