import { CHANNELS } from './channels-schema.ts';
import { CONTENTS } from './contents-schema.ts';
import { partitioned } from './partitioned-schema.ts';
import { POINTS } from './points-schema.ts';
import { READERS } from './readers-schema.ts';

/** ID of the lock that lets one client at a time upgrade the schema: the letters "ON team". */
export const SCHEMA_LOCK = '5714876138428358000';

/**
 * Stores postings in windows of passages that were indexed or merged together. Older clients would read a row of
 * several terms as one term's.
 */
const IN_WINDOWS = `
  -- Passages from "base" on. "dead" ones changed or went; "length" counts the terms of all. "words" are those that
  -- misspelt ones are corrected to, packed by the clients.
  CREATE TABLE open_notebook.windows (
    notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
    base int NOT NULL,
    passages int NOT NULL CHECK (passages > 0),
    dead int NOT NULL DEFAULT 0,
    length bigint NOT NULL,
    words bytea NOT NULL CHECK (pg_catalog.octet_length(words) <= 8388608),
    PRIMARY KEY (notebook_id, base)
  );
  ALTER TABLE open_notebook.windows ALTER COLUMN words SET STORAGE EXTERNAL;
  INSERT INTO open_notebook.windows (notebook_id, base, passages, dead, length, words)
  SELECT s.notebook_id, w.base, w.passages,
    greatest(0, w.passages - (SELECT coalesce(pg_catalog.sum(p.count), 0) FROM open_notebook.passages p
      WHERE p.notebook_id = s.notebook_id AND p.first >= w.base AND p.first < w.base + w.passages)),
    s.length * w.passages / s.passages, ''
  FROM open_notebook.searchable s CROSS JOIN LATERAL (
    SELECT b.base, least(32768, coalesce(pg_catalog.lead(b.base) OVER (ORDER BY b.base), s.passages) - b.base) AS passages
    FROM (SELECT DISTINCT base FROM open_notebook.postings p WHERE p.notebook_id = s.notebook_id) b) w
  WHERE w.passages > 0;
  -- "passages" counts the numbers that were given.
  ALTER TABLE open_notebook.searchable DROP COLUMN length;

  -- With "holding" a block of one term's postings, the first at "place" of the window: so many of the window's passages
  -- hold the term, and it counts for "most" there at most. Without, all postings of several terms from this one on: rows
  -- cost more than what a rare term has to say.
  ALTER TABLE open_notebook.postings RENAME TO postings_before;
  CREATE TABLE open_notebook.postings (
    notebook_id uuid NOT NULL,
    term text COLLATE "C" NOT NULL CHECK (pg_catalog.octet_length(term) BETWEEN 1 AND 1000),
    base int NOT NULL,
    place smallint NOT NULL CHECK (place >= 0),
    most smallint NOT NULL CHECK (most BETWEEN 0 AND 25000),
    holding int NOT NULL CHECK (holding BETWEEN 0 AND 32768),
    postings bytea NOT NULL CHECK (pg_catalog.octet_length(postings) <= 65536)
  );
  INSERT INTO open_notebook.postings (notebook_id, term, base, place, most, holding, postings)
  SELECT p.notebook_id, p.term, p.base,
    least(32767, CASE WHEN f.one < 128 THEN f.one WHEN f.two < 128 THEN f.one - 128 + f.two * 128
      ELSE f.one - 128 + (f.two - 128) * 128 + f.three * 16384 END),
    25000, least(32768, pg_catalog.sum(p.holding) OVER (PARTITION BY p.notebook_id, p.term, p.base)), p.postings
  FROM open_notebook.postings_before p CROSS JOIN LATERAL (
    SELECT pg_catalog.get_byte(p.postings || '\\x000000'::bytea, 0) AS one, pg_catalog.get_byte(p.postings || '\\x000000'::bytea, 1) AS two,
      pg_catalog.get_byte(p.postings || '\\x000000'::bytea, 2) AS three) f;
  DROP TABLE open_notebook.postings_before;
  DELETE FROM open_notebook.postings a USING open_notebook.postings b WHERE a.notebook_id = b.notebook_id
    AND a.base = b.base AND a.term = b.term AND a.place = b.place AND a.ctid > b.ctid;
  ALTER TABLE open_notebook.postings ADD PRIMARY KEY (notebook_id, base, term, place);

  DROP FUNCTION open_notebook.put_postings(uuid, text[], text[], bytea[], int[], bigint, bigint, text[], int[], int[], bytea[]);

  -- Forgets where passages of documents stood. Who calls it holds the notebook's row of "searchable".
  CREATE FUNCTION open_notebook.bury(notebook uuid, of_sources text[], of_keys text[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    WITH gone AS (
      DELETE FROM passages p USING unnest(of_sources, of_keys) AS named (source_id, key)
      WHERE p.notebook_id = notebook AND p.source_id = named.source_id AND p.key = named.key RETURNING p.first, p.count),
    counted AS (
      SELECT (SELECT max(w.base) FROM windows w WHERE w.notebook_id = notebook AND w.base <= g.first) AS base,
        sum(g.count) AS passages FROM gone g GROUP BY 1)
    UPDATE windows w SET dead = w.dead + c.passages FROM counted c WHERE w.notebook_id = notebook AND w.base = c.base
  $$;

  CREATE FUNCTION open_notebook.bury_document() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
  BEGIN
    PERFORM 1 FROM searchable WHERE notebook_id = old.notebook_id FOR UPDATE;
    IF FOUND THEN
      PERFORM bury(old.notebook_id, ARRAY[old.source_id], ARRAY[old.key]);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER bury_changed AFTER UPDATE OF content ON open_notebook.documents FOR EACH ROW
  WHEN (old.content IS NOT NULL AND new.content IS DISTINCT FROM old.content) EXECUTE PROCEDURE open_notebook.bury_document();
  CREATE TRIGGER bury_removed AFTER DELETE ON open_notebook.documents FOR EACH ROW
  WHEN (old.content IS NOT NULL) EXECUTE PROCEDURE open_notebook.bury_document();

  -- Gives passages numbers, and writes their postings. From then on it holds the notebook's row of "searchable".
  CREATE FUNCTION open_notebook.write_window(
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

  -- Makes documents findable by the postings of their passages. One that changed meanwhile is not.
  CREATE FUNCTION open_notebook.put_postings(
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

  -- Puts one window in the place of several: of their passages those from "firsts" on stand at "places" then. Returns
  -- false, and changes nothing, where one of them is there no more.
  CREATE FUNCTION open_notebook.merge_windows(
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

  ALTER TABLE open_notebook.windows ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.postings ENABLE ROW LEVEL SECURITY;
  CREATE POLICY read ON open_notebook.windows FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.postings FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  GRANT SELECT ON open_notebook.windows, open_notebook.postings TO open_notebook_member;
  REVOKE EXECUTE ON FUNCTION open_notebook.bury, open_notebook.bury_document, open_notebook.write_window,
    open_notebook.put_postings, open_notebook.merge_windows FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION open_notebook.put_postings, open_notebook.merge_windows TO open_notebook_member;
`;

/**
 * The schema of the team database, as its migrations; `about.version` counts the applied ones. A released migration
 * never changes. Migrations qualify every name, because members may create functions in other schemas, and `setUpTeam`
 * keeps those out of the search path. `about.oldest_client` is the oldest client version that can work with the schema,
 * as in `OLDEST_CLIENT`.
 *
 * Members read and change data only through functions, which check the member's right and record the author. So a raw
 * SQL client has no more access than the extension. Row-level security also guards the tables in case somebody grants
 * them. Rows of a notebook have its ID first in their key, by which a database on several machines distributes them.
 *
 * The row of a notebook counts its revisions. A writer locks that row until the commit, so revisions become visible in
 * order and without gaps: a client that has one has all before it.
 */
export const steps: readonly string[] = [
  `
  CREATE TABLE open_notebook.members (
    name name PRIMARY KEY,
    role text NOT NULL CHECK (role IN ('reader', 'author', 'manager')),
    added_by name NOT NULL DEFAULT session_user,
    added_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    seen_at timestamptz
  );

  -- "everybody" is what members may who have no right of their own to it; null where they may nothing.
  CREATE TABLE open_notebook.notebooks (
    id uuid PRIMARY KEY,
    name text NOT NULL CHECK (pg_catalog.length(name) BETWEEN 1 AND 200),
    everybody text CHECK (everybody IN ('reader', 'author')),
    revision bigint NOT NULL DEFAULT 0,
    created_by name NOT NULL,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    removed_at timestamptz
  );

  CREATE TABLE open_notebook.rights (
    notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
    member name NOT NULL REFERENCES open_notebook.members (name) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('reader', 'author', 'manager')),
    PRIMARY KEY (notebook_id, member)
  );

  -- "value" is packed by the clients. Removed ones come back within thirty days; then the value is empty.
  CREATE TABLE open_notebook.sources (
    notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
    id text NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
    revision bigint NOT NULL,
    value bytea NOT NULL CHECK (pg_catalog.octet_length(value) <= 1048576),
    added_by name NOT NULL,
    added_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    changed_by name NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    removed_by name,
    removed_at timestamptz,
    PRIMARY KEY (notebook_id, id)
  );
  CREATE INDEX sources_by_revision ON open_notebook.sources (notebook_id, revision);

  -- Texts by the SHA-256 of how the clients packed them, each once.
  CREATE TABLE open_notebook.contents (
    hash bytea PRIMARY KEY,
    bytes bytea NOT NULL CHECK (pg_catalog.octet_length(bytes) <= 268435456)
  );
  ALTER TABLE open_notebook.contents ALTER COLUMN bytes SET STORAGE EXTERNAL;

  -- "content" is null of a removed one.
  CREATE TABLE open_notebook.documents (
    notebook_id uuid NOT NULL,
    source_id text NOT NULL,
    key text NOT NULL CHECK (pg_catalog.octet_length(key) <= 2000),
    revision bigint NOT NULL,
    head bytea NOT NULL CHECK (pg_catalog.octet_length(head) <= 4194304),
    content bytea REFERENCES open_notebook.contents (hash),
    bytes bigint NOT NULL,
    changed_by name NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (notebook_id, source_id, key),
    FOREIGN KEY (notebook_id, source_id) REFERENCES open_notebook.sources (notebook_id, id)
  );
  CREATE INDEX documents_by_revision ON open_notebook.documents (notebook_id, revision);
  CREATE INDEX documents_by_content ON open_notebook.documents (content) WHERE content IS NOT NULL;

  CREATE TABLE open_notebook.notes (
    notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
    id text NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
    revision bigint NOT NULL,
    title text NOT NULL CHECK (pg_catalog.octet_length(title) <= 2000),
    value bytea NOT NULL CHECK (pg_catalog.octet_length(value) <= 16777216),
    added_by name NOT NULL,
    added_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    changed_by name NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    removed_at timestamptz,
    PRIMARY KEY (notebook_id, id)
  );
  CREATE INDEX notes_by_revision ON open_notebook.notes (notebook_id, revision);
  CREATE INDEX notes_by_title ON open_notebook.notes (notebook_id, title);

  -- The notebooks that who asks may read, and what they may in each: 1 to read, 2 to add and change, 3 to manage. Who
  -- asks is who logged in, whatever role was taken on since.
  CREATE FUNCTION open_notebook.levels() RETURNS TABLE (notebook_id uuid, level int)
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

  CREATE FUNCTION open_notebook.readable() RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT notebook_id FROM levels()
  $$;

  CREATE FUNCTION open_notebook.is_member() RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM members WHERE name = session_user)
  $$;

  -- Begins a change: looks whether who asks may make it, and gives it the next revision.
  CREATE FUNCTION open_notebook.begin_change(notebook uuid, least_level int) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE counted bigint;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= least_level) THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE notebooks SET revision = revision + 1 WHERE id = notebook AND removed_at IS NULL RETURNING revision INTO counted;
    IF counted IS NULL THEN
      RAISE EXCEPTION 'the notebook was removed' USING ERRCODE = 'no_data_found';
    END IF;
    PERFORM pg_notify('open_notebook', notebook::text);
    RETURN counted;
  END $$;

  CREATE FUNCTION open_notebook.create_notebook(notebook uuid, called text, for_everybody text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM members WHERE name = session_user AND role <> 'reader') THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO notebooks (id, name, everybody, created_by) VALUES (notebook, called, for_everybody, session_user);
    INSERT INTO rights (notebook_id, member, role) VALUES (notebook, session_user, 'manager');
  END $$;

  CREATE FUNCTION open_notebook.rename_notebook(notebook uuid, called text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    PERFORM begin_change(notebook, 3);
    UPDATE notebooks SET name = called WHERE id = notebook;
  END $$;

  CREATE FUNCTION open_notebook.remove_notebook(notebook uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    PERFORM begin_change(notebook, 3);
    UPDATE notebooks SET removed_at = now() WHERE id = notebook;
  END $$;

  -- With a role that is null the member has no right of their own any more.
  CREATE FUNCTION open_notebook.set_right(notebook uuid, who name, their_role text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    PERFORM begin_change(notebook, 3);
    DELETE FROM rights WHERE notebook_id = notebook AND member = who;
    IF their_role IS NOT NULL THEN
      INSERT INTO rights (notebook_id, member, role) VALUES (notebook, who, their_role);
    END IF;
  END $$;

  CREATE FUNCTION open_notebook.set_everybody(notebook uuid, their_role text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    PERFORM begin_change(notebook, 3);
    UPDATE notebooks SET everybody = their_role WHERE id = notebook;
  END $$;

  CREATE FUNCTION open_notebook.set_member(who name, their_role text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM members WHERE name = session_user AND role = 'manager') THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO members (name, role) VALUES (who, their_role) ON CONFLICT (name) DO UPDATE SET role = excluded.role;
  END $$;

  CREATE FUNCTION open_notebook.remove_member(who name) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM members WHERE name = session_user AND role = 'manager') THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM members WHERE name = who;
  END $$;

  CREATE FUNCTION open_notebook.note_seen() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    UPDATE members SET seen_at = now() WHERE name = session_user
  $$;

  -- A change of a source that was removed meanwhile brings it back, with its documents.
  CREATE FUNCTION open_notebook.put_source(notebook uuid, source text, packed bytea) RETURNS void
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

  CREATE FUNCTION open_notebook.remove_source(notebook uuid, source text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE counted bigint := begin_change(notebook, 2);
  BEGIN
    UPDATE sources SET revision = counted, removed_by = session_user, removed_at = now()
    WHERE notebook_id = notebook AND id = source AND removed_at IS NULL;
  END $$;

  CREATE FUNCTION open_notebook.restore_source(notebook uuid, source text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE counted bigint := begin_change(notebook, 2);
  BEGIN
    UPDATE sources SET revision = counted, changed_by = session_user, changed_at = now(), removed_by = NULL, removed_at = NULL
    WHERE notebook_id = notebook AND id = source AND removed_at > now() - interval '30 days' AND octet_length(value) > 0;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE documents SET revision = begin_change(notebook, 2) WHERE notebook_id = notebook AND source_id = source;
    RETURN true;
  END $$;

  -- A text that is there already need not be sent by who can read it there; who can't has to send it, so that nobody
  -- learns a text by its hash.
  CREATE FUNCTION open_notebook.put_document(notebook uuid, source text, named text, packed bytea, text_hash bytea, text_bytes bytea)
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE
    counted bigint := begin_change(notebook, 2);
    size bigint;
  BEGIN
    IF text_bytes IS NULL THEN
      SELECT octet_length(c.bytes) INTO size FROM contents c WHERE c.hash = text_hash AND EXISTS (
        SELECT 1 FROM documents d WHERE d.content = c.hash AND d.notebook_id IN (SELECT readable()));
      IF size IS NULL THEN
        RAISE EXCEPTION 'no such text' USING ERRCODE = 'no_data_found';
      END IF;
    ELSE
      IF sha256(text_bytes) <> text_hash THEN
        RAISE EXCEPTION 'the text has another hash' USING ERRCODE = 'check_violation';
      END IF;
      size := octet_length(text_bytes);
      INSERT INTO contents (hash, bytes) VALUES (text_hash, text_bytes) ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO documents (notebook_id, source_id, key, revision, head, content, bytes, changed_by)
    VALUES (notebook, source, named, counted, packed, text_hash, size, session_user)
    ON CONFLICT (notebook_id, source_id, key) DO UPDATE SET revision = excluded.revision, head = excluded.head,
      content = excluded.content, bytes = excluded.bytes, changed_by = session_user, changed_at = now();
  END $$;

  CREATE FUNCTION open_notebook.remove_document(notebook uuid, source text, named text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE counted bigint := begin_change(notebook, 2);
  BEGIN
    UPDATE documents SET revision = counted, head = '', content = NULL, bytes = 0, changed_by = session_user, changed_at = now()
    WHERE notebook_id = notebook AND source_id = source AND key = named AND content IS NOT NULL;
  END $$;

  -- Writes a note that grew out of the revision "base"; 0 for a new one. Returns the new revision; -1 where somebody
  -- else changed it since, -2 where another note has its title. One that was removed meanwhile is written again.
  CREATE FUNCTION open_notebook.put_note(notebook uuid, note text, base bigint, called text, packed bytea) RETURNS bigint
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

  -- Removes a note as it was at a revision; one that somebody changed since stays, and false is returned.
  CREATE FUNCTION open_notebook.remove_note(notebook uuid, note text, base bigint) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE counted bigint := begin_change(notebook, 2);
  BEGIN
    PERFORM 1 FROM notes WHERE notebook_id = notebook AND id = note AND revision <> base AND removed_at IS NULL;
    IF FOUND THEN RETURN false; END IF;
    UPDATE notes SET revision = counted, changed_by = session_user, changed_at = now(), removed_at = now()
    WHERE notebook_id = notebook AND id = note AND removed_at IS NULL;
    RETURN true;
  END $$;

  -- Empties what was removed more than thirty days ago, and forgets texts that no document has.
  CREATE FUNCTION open_notebook.tidy() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    IF NOT is_member() THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM documents d USING sources s WHERE s.notebook_id = d.notebook_id AND s.id = d.source_id
      AND s.removed_at < now() - interval '30 days';
    UPDATE sources SET value = '' WHERE removed_at < now() - interval '30 days' AND octet_length(value) > 0;
    UPDATE notes SET value = '' WHERE removed_at < now() - interval '30 days' AND octet_length(value) > 0;
    DELETE FROM contents c WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.content = c.hash);
  END $$;

  ALTER TABLE open_notebook.members ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.notebooks ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.rights ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.sources ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.documents ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.contents ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.notes ENABLE ROW LEVEL SECURITY;
  CREATE POLICY read ON open_notebook.members FOR SELECT USING ((SELECT open_notebook.is_member()));
  CREATE POLICY read ON open_notebook.notebooks FOR SELECT USING (id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.rights FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.sources FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.documents FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.notes FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.contents FOR SELECT USING (
    EXISTS (SELECT 1 FROM open_notebook.documents d WHERE d.content = hash));

  GRANT SELECT ON open_notebook.members, open_notebook.notebooks, open_notebook.rights, open_notebook.sources,
    open_notebook.documents, open_notebook.contents, open_notebook.notes TO open_notebook_member;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA open_notebook TO open_notebook_member;
  REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA open_notebook FROM PUBLIC;
  REVOKE EXECUTE ON FUNCTION open_notebook.begin_change FROM open_notebook_member;
  INSERT INTO open_notebook.members (name, role) VALUES (session_user, 'manager');
  `,
  `
  -- Who changes something waits for others who do so, but not for ever.
  ALTER FUNCTION open_notebook.begin_change SET lock_timeout = '30s';

  -- What is found without being on a machine, of notebooks that are too large for one. Passages have numbers that are
  -- never used twice; "passages" counts them, and "length" their terms. "languages" are those that they were taken in, as
  -- bits, by which a question is.
  CREATE TABLE open_notebook.searchable (
    notebook_id uuid PRIMARY KEY REFERENCES open_notebook.notebooks (id),
    passages int NOT NULL DEFAULT 0,
    length bigint NOT NULL DEFAULT 0,
    languages bigint NOT NULL DEFAULT 0
  );

  -- The passages of documents as they were when their postings were written: "count" numbers from "first" on.
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

  -- Blocks of a term's postings, packed by the clients, of passages counted from "base" on.
  CREATE TABLE open_notebook.postings (
    notebook_id uuid NOT NULL,
    term text COLLATE "C" NOT NULL CHECK (pg_catalog.octet_length(term) BETWEEN 1 AND 1000),
    base int NOT NULL,
    number int NOT NULL,
    holding int NOT NULL CHECK (holding BETWEEN 1 AND 32768),
    postings bytea NOT NULL CHECK (pg_catalog.octet_length(postings) <= 65536),
    PRIMARY KEY (notebook_id, term, base, number)
  );

  CREATE FUNCTION open_notebook.put_postings(
    notebook uuid, of_sources text[], of_keys text[], of_contents bytea[], counts int[], terms_counted bigint,
    spoken bigint, terms text[], numbers int[], holdings int[], blocks bytea[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
  DECLARE
    counted int := (SELECT sum(one) FROM unnest(counts) AS one);
    begins int;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= 2) THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF counted NOT BETWEEN 1 AND 32768 OR terms_counted NOT BETWEEN 0 AND 65535::bigint * counted THEN
      RAISE EXCEPTION 'no such number of passages' USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO searchable (notebook_id) VALUES (notebook) ON CONFLICT DO NOTHING;
    UPDATE searchable SET passages = passages + counted, length = length + terms_counted, languages = languages | spoken
    WHERE notebook_id = notebook RETURNING passages - counted INTO begins;
    DELETE FROM passages p USING unnest(of_sources, of_keys) AS written (source_id, key)
    WHERE p.notebook_id = notebook AND p.source_id = written.source_id AND p.key = written.key;
    INSERT INTO passages (notebook_id, first, count, source_id, key, content)
    SELECT notebook, begins + sum(w.count) OVER (ORDER BY w.place) - w.count, w.count, w.source_id, w.key, w.content
    FROM unnest(of_sources, of_keys, of_contents, counts) WITH ORDINALITY AS w (source_id, key, content, count, place);
    INSERT INTO postings (notebook_id, term, base, number, holding, postings)
    SELECT notebook, w.term, begins, w.number, w.holding, w.block
    FROM unnest(terms, numbers, holdings, blocks) AS w (term, number, holding, block);
  END $$;

  ALTER TABLE open_notebook.searchable ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.passages ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.postings ENABLE ROW LEVEL SECURITY;
  CREATE POLICY read ON open_notebook.searchable FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.passages FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.postings FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  GRANT SELECT ON open_notebook.searchable, open_notebook.passages, open_notebook.postings TO open_notebook_member;
  GRANT EXECUTE ON FUNCTION open_notebook.put_postings TO open_notebook_member;
  REVOKE EXECUTE ON FUNCTION open_notebook.put_postings FROM PUBLIC;
  `,
  `
  -- What else is shared, packed by the clients: "conversation" and "turn" of the conversations that a member chose to
  -- share, "annotations" beside files, and "research" and "step" of boards. What is "within" another thing goes with it.
  -- "value" is null of a removed one, at once: what is not shared any more is not kept.
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

  -- Who does a step of a research, until when by the database's clock.
  CREATE TABLE open_notebook.claims (
    notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
    research text NOT NULL CHECK (pg_catalog.octet_length(research) <= 100),
    step text NOT NULL CHECK (pg_catalog.octet_length(step) <= 500),
    member name NOT NULL,
    token uuid NOT NULL,
    held_until timestamptz NOT NULL,
    PRIMARY KEY (notebook_id, research, step)
  );

  -- Writes a thing. With a "base" it is what grew out of that revision, 0 for a new one, and -1 is returned where somebody
  -- changed it since; without one the last that is written stays. A conversation is its member's, and so is each turn.
  CREATE FUNCTION open_notebook.put_thing(notebook uuid, thing_kind text, thing text, in_thing text, base bigint, packed bytea)
  RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE
    counted bigint := begin_change(notebook, 2);
    there things;
  BEGIN
    IF packed IS NULL THEN
      RAISE EXCEPTION 'no value' USING ERRCODE = 'check_violation';
    END IF;
    SELECT * INTO there FROM things WHERE notebook_id = notebook AND kind = thing_kind AND id = thing;
    IF FOUND AND thing_kind IN ('conversation', 'turn') AND there.added_by <> session_user THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF thing_kind IN ('turn', 'step') THEN
      PERFORM 1 FROM things WHERE notebook_id = notebook AND id = in_thing AND value IS NOT NULL
        AND kind = CASE thing_kind WHEN 'turn' THEN 'conversation' ELSE 'research' END;
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

  -- Removes a thing with what is within it. Conversations are removed by whose they are, or by who manages.
  CREATE FUNCTION open_notebook.remove_thing(notebook uuid, thing_kind text, thing text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE
    counted bigint := begin_change(notebook, 2);
    manages boolean := EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level = 3);
  BEGIN
    PERFORM 1 FROM things t WHERE t.notebook_id = notebook AND t.kind = thing_kind AND t.id = thing AND (
      manages OR thing_kind NOT IN ('conversation', 'turn') OR t.added_by = session_user OR EXISTS (
        SELECT 1 FROM things c WHERE c.notebook_id = notebook AND c.kind = 'conversation' AND c.id = t.within
          AND c.added_by = session_user));
    IF NOT FOUND THEN
      PERFORM 1 FROM things WHERE notebook_id = notebook AND kind = thing_kind AND id = thing;
      IF FOUND THEN
        RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN;
    END IF;
    UPDATE things SET revision = counted, value = NULL, changed_by = session_user, changed_at = now()
    WHERE notebook_id = notebook AND value IS NOT NULL AND (
      (kind = thing_kind AND id = thing) OR (thing_kind = 'conversation' AND kind = 'turn' AND within = thing)
      OR (thing_kind = 'research' AND kind = 'step' AND within = thing));
    IF thing_kind = 'research' THEN
      DELETE FROM claims WHERE notebook_id = notebook AND research = thing;
    END IF;
  END $$;

  -- Takes a step for some seconds, or goes on holding it. Returns who has it then; of several at once one gets it.
  CREATE FUNCTION open_notebook.claim_step(notebook uuid, of_research text, of_step text, claim uuid, seconds int) RETURNS name
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
    PERFORM pg_notify('open_notebook', notebook::text);
    RETURN CASE WHEN is_ours THEN NULL ELSE taken END;
  END $$;

  CREATE FUNCTION open_notebook.release_step(notebook uuid, claim uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    DELETE FROM claims WHERE notebook_id = notebook AND token = claim AND member = session_user;
    PERFORM pg_notify('open_notebook', notebook::text);
  END $$;

  -- How much the notebooks hold that who asks manages, and when they were last changed; nothing of what is in them.
  CREATE FUNCTION open_notebook.sizes() RETURNS TABLE (
    name text, created_by name, created_at timestamptz, removed_at timestamptz, sources bigint, documents bigint,
    notes bigint, conversations bigint, bytes bigint, changed_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT n.name, n.created_by, n.created_at, n.removed_at,
      (SELECT count(*) FROM sources s WHERE s.notebook_id = n.id AND s.removed_at IS NULL),
      (SELECT count(*) FROM documents d WHERE d.notebook_id = n.id AND d.content IS NOT NULL),
      (SELECT count(*) FROM notes o WHERE o.notebook_id = n.id AND o.removed_at IS NULL),
      (SELECT count(*) FROM things t WHERE t.notebook_id = n.id AND t.kind = 'conversation' AND t.value IS NOT NULL),
      (SELECT coalesce(sum(d.bytes), 0) + coalesce(sum(octet_length(d.head)), 0) FROM documents d WHERE d.notebook_id = n.id)::bigint
        + (SELECT coalesce(sum(octet_length(o.value)), 0) FROM notes o WHERE o.notebook_id = n.id)
        + (SELECT coalesce(sum(octet_length(t.value)), 0) FROM things t WHERE t.notebook_id = n.id),
      greatest(
        (SELECT max(s.changed_at) FROM sources s WHERE s.notebook_id = n.id),
        (SELECT max(d.changed_at) FROM documents d WHERE d.notebook_id = n.id),
        (SELECT max(o.changed_at) FROM notes o WHERE o.notebook_id = n.id),
        (SELECT max(t.changed_at) FROM things t WHERE t.notebook_id = n.id))
    FROM notebooks n JOIN levels() l ON l.notebook_id = n.id AND l.level = 3
    ORDER BY n.name, n.id LIMIT 1000
  $$;

  ALTER TABLE open_notebook.things ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.claims ENABLE ROW LEVEL SECURITY;
  CREATE POLICY read ON open_notebook.things FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  CREATE POLICY read ON open_notebook.claims FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
  -- Who reads a token could go on holding with it.
  GRANT SELECT ON open_notebook.things TO open_notebook_member;
  GRANT SELECT (notebook_id, research, step, member, held_until) ON open_notebook.claims TO open_notebook_member;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA open_notebook TO open_notebook_member;
  REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA open_notebook FROM PUBLIC;
  REVOKE EXECUTE ON FUNCTION open_notebook.begin_change FROM open_notebook_member;
  `,
  IN_WINDOWS,
  `
  -- "matrix" and "cell", "deck" and "card", "quiz": what is made of a notebook's sources. How far a member has learnt a
  -- card, and what they chose in a quiz, stays on their machine.
  ALTER TABLE open_notebook.things DROP CONSTRAINT things_kind_check;
  ALTER TABLE open_notebook.things ADD CONSTRAINT things_kind_check CHECK (kind IN (
    'annotations', 'card', 'cell', 'conversation', 'deck', 'matrix', 'quiz', 'research', 'step', 'turn'));

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
  `,
  `
  -- Vectors of a content's texts, which members' embedding models made: half-precision numbers, little-endian, of so many
  -- texts in their order. "model" is the SHA-256 of the endpoint and the model's name, "texts" that of what was embedded, by
  -- which a machine that cuts its texts another way, or heads them with another title, knows that these are not its own.
  -- "number" tells that there are more.
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

  -- Keeps vectors where there are none yet. Of a content that went from the notebook meanwhile, or that has more of them
  -- than any text needs, nothing is kept.
  CREATE FUNCTION open_notebook.put_vectors(
    notebook uuid, of_content bytea, of_model bytea, of_dimension int, of_texts bytea, packed bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= 2) THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM 1 FROM contents c WHERE c.hash = of_content AND EXISTS (
      SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = c.hash) FOR KEY SHARE;
    IF NOT FOUND OR (SELECT count(*) FROM vectors v WHERE v.content = of_content) >= 16384 THEN RETURN; END IF;
    INSERT INTO vectors (content, model, dimension, texts, vectors)
    VALUES (of_content, of_model, of_dimension, of_texts, packed) ON CONFLICT DO NOTHING;
    PERFORM pg_notify('open_notebook', notebook::text);
  END $$;

  ALTER TABLE open_notebook.vectors ENABLE ROW LEVEL SECURITY;
  CREATE POLICY read ON open_notebook.vectors FOR SELECT USING (
    EXISTS (SELECT 1 FROM open_notebook.documents d WHERE d.content = vectors.content));
  GRANT SELECT ON open_notebook.vectors TO open_notebook_member;
  REVOKE EXECUTE ON FUNCTION open_notebook.put_vectors FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION open_notebook.put_vectors TO open_notebook_member;
  `,
  `
  -- "none" shuts a member out of what everybody else may read.
  ALTER TABLE open_notebook.rights DROP CONSTRAINT rights_role_check;
  ALTER TABLE open_notebook.rights ADD CONSTRAINT rights_role_check CHECK (role IN ('none', 'reader', 'author', 'manager'));

  -- Brings a notebook back that was removed in the last thirty days. Who followed it looks for it by themselves.
  CREATE FUNCTION open_notebook.restore_notebook(notebook uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level = 3) THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE notebooks SET removed_at = NULL, revision = revision + 1
    WHERE id = notebook AND removed_at > now() - interval '30 days';
    RETURN FOUND;
  END $$;

  REVOKE EXECUTE ON FUNCTION open_notebook.restore_notebook FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION open_notebook.restore_notebook TO open_notebook_member;
  `,
  `
  -- Tells whoever listens that a notebook changed. A database that tells nobody of anything takes changes all the same:
  -- then clients look by themselves.
  CREATE FUNCTION open_notebook.tell(notebook uuid) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_catalog.pg_notify('open_notebook', notebook::text);
  EXCEPTION WHEN OTHERS THEN
    NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION open_notebook.tell FROM PUBLIC;
  DO $do$
  DECLARE one oid;
  BEGIN
    FOR one IN SELECT p.oid FROM pg_catalog.pg_proc p
      WHERE p.pronamespace = 'open_notebook'::regnamespace AND p.prosrc LIKE '%PERFORM pg_notify(%'
    LOOP
      EXECUTE pg_catalog.replace(pg_catalog.pg_get_functiondef(one), 'PERFORM pg_notify(''open_notebook'', notebook::text)', 'PERFORM tell(notebook)');
    END LOOP;
  END $do$;

  ALTER TABLE open_notebook.about ADD COLUMN tidied_at timestamptz;

  -- Empties what was removed more than thirty days ago, and forgets texts that no document has; once a day at most,
  -- whoever comes.
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
      DELETE FROM contents c WHERE c.hash IN (
        SELECT o.hash FROM contents o WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.content = o.hash)
        FOR UPDATE SKIP LOCKED);
    EXCEPTION WHEN foreign_key_violation THEN
      -- A document came that has one of them. They go another day.
      NULL;
    END;
  END $$;

  -- As before; but a text that is just being forgotten is written again.
  CREATE OR REPLACE FUNCTION open_notebook.put_document(
    notebook uuid, source text, named text, packed bytea, text_hash bytea, text_bytes bytea)
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
  DECLARE
    counted bigint := begin_change(notebook, 2);
    size bigint;
  BEGIN
    IF text_bytes IS NULL THEN
      SELECT octet_length(c.bytes) INTO size FROM contents c WHERE c.hash = text_hash AND EXISTS (
        SELECT 1 FROM documents d WHERE d.content = c.hash AND d.notebook_id IN (SELECT readable()));
      IF size IS NULL THEN
        RAISE EXCEPTION 'no such text' USING ERRCODE = 'no_data_found';
      END IF;
    ELSE
      IF sha256(text_bytes) <> text_hash THEN
        RAISE EXCEPTION 'the text has another hash' USING ERRCODE = 'check_violation';
      END IF;
      size := octet_length(text_bytes);
      INSERT INTO contents (hash, bytes) VALUES (text_hash, text_bytes) ON CONFLICT DO NOTHING;
      PERFORM 1 FROM contents c WHERE c.hash = text_hash FOR KEY SHARE;
      IF NOT FOUND THEN
        INSERT INTO contents (hash, bytes) VALUES (text_hash, text_bytes) ON CONFLICT DO NOTHING;
      END IF;
    END IF;
    INSERT INTO documents (notebook_id, source_id, key, revision, head, content, bytes, changed_by)
    VALUES (notebook, source, named, counted, packed, text_hash, size, session_user)
    ON CONFLICT (notebook_id, source_id, key) DO UPDATE SET revision = excluded.revision, head = excluded.head,
      content = excluded.content, bytes = excluded.bytes, changed_by = session_user, changed_at = now();
  END $$;

  -- How much the notebooks hold that who asks manages, with what finds it, and when they were last changed; nothing of
  -- what is in them. What two notebooks have is counted in each.
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
        + (SELECT coalesce(sum(octet_length(v.vectors)), 0) FROM vectors v WHERE v.content IN (
          SELECT d.content FROM documents d WHERE d.notebook_id = n.id)))::bigint,
      greatest(
        (SELECT max(s.changed_at) FROM sources s WHERE s.notebook_id = n.id),
        (SELECT max(d.changed_at) FROM documents d WHERE d.notebook_id = n.id),
        (SELECT max(o.changed_at) FROM notes o WHERE o.notebook_id = n.id),
        (SELECT max(t.changed_at) FROM things t WHERE t.notebook_id = n.id))
    FROM notebooks n JOIN levels() l ON l.notebook_id = n.id AND l.level = 3
    ORDER BY n.name, n.id LIMIT 1000
  $$;
  `,
  POINTS,
  partitioned,
  CONTENTS,
  CHANNELS,
  `
  -- What clients pack with each text, so that its hash says nothing to who can't read the notebook: by the plan of a query
  -- PostgreSQL tells how many rows of others a condition fits.
  ALTER TABLE open_notebook.notebooks ADD COLUMN salt text NOT NULL DEFAULT pg_catalog.substr(open_notebook.new_channel(), 15);
  `,
  READERS,
];

/** Minimum schema version that a client must support. */
export const OLDEST_CLIENT = steps.indexOf(READERS) + 1;
