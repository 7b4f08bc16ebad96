/**
 * Functions through which members read instead of tables. PostgreSQL applies row-level security and a member's
 * condition together, and EXPLAIN ANALYZE shows how many rows a condition removed. This revealed whether a notebook
 * that the member can't view has a certain title, key, or term. EXPLAIN shows only the result of a function.
 *
 * Each function first checks whether the member can view the notebook, and reads no row otherwise.
 */
export const READERS = `
  CREATE FUNCTION open_notebook.may_read(notebook uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook)
  $$;

  CREATE FUNCTION open_notebook.read_members() RETURNS TABLE (name name, role text, seen_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT m.name, m.role, m.seen_at FROM members m WHERE (SELECT is_member()) ORDER BY m.name LIMIT 10000
  $$;

  CREATE FUNCTION open_notebook.read_notebooks() RETURNS TABLE (id uuid, name text, level int)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT n.id, n.name, l.level FROM notebooks n JOIN levels() l ON l.notebook_id = n.id
    WHERE n.removed_at IS NULL ORDER BY n.name, n.id LIMIT 1000
  $$;

  -- The notebooks that were removed in the last thirty days and that who asks manages.
  CREATE FUNCTION open_notebook.read_removed_notebooks() RETURNS TABLE (id uuid, name text, removed_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT n.id, n.name, n.removed_at FROM notebooks n JOIN levels() l ON l.notebook_id = n.id AND l.level = 3
    WHERE n.removed_at > now() - interval '30 days' ORDER BY n.removed_at DESC, n.id LIMIT 500
  $$;

  CREATE FUNCTION open_notebook.read_notebook(notebook uuid) RETURNS TABLE (
    revision bigint, name text, everybody text, channel text, salt text, level int)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT n.revision, n.name, n.everybody, n.channel, n.salt, l.level
    FROM notebooks n JOIN levels() l ON l.notebook_id = n.id WHERE n.id = notebook AND n.removed_at IS NULL
  $$;

  -- The members, and the right that each has of their own to a notebook.
  CREATE FUNCTION open_notebook.read_rights(notebook uuid) RETURNS TABLE (
    name name, role text, own_role text, is_self boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT m.name, m.role, r.role, m.name = session_user FROM members m
    LEFT JOIN rights r ON r.notebook_id = notebook AND r.member = m.name
    WHERE (SELECT may_read(notebook)) ORDER BY m.name LIMIT 10000
  $$;

  -- Whether there are changes of each kind after a revision, and of how many documents.
  CREATE FUNCTION open_notebook.read_news(
    notebook uuid, sources_after bigint, notes_after bigint, things_after bigint, documents_after bigint)
  RETURNS TABLE (sources boolean, notes boolean, things boolean, count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM sources s WHERE s.notebook_id = notebook AND s.revision > sources_after),
      EXISTS (SELECT 1 FROM notes o WHERE o.notebook_id = notebook AND o.revision > notes_after),
      EXISTS (SELECT 1 FROM things t WHERE t.notebook_id = notebook AND t.revision > things_after),
      (SELECT count(*) FROM documents d WHERE d.notebook_id = notebook AND d.revision > documents_after)
    WHERE (SELECT may_read(notebook))
  $$;

  CREATE FUNCTION open_notebook.read_sources(notebook uuid, after bigint, most int) RETURNS TABLE (
    id text, revision bigint, added_by name, added_at timestamptz, changed_by name, changed_at timestamptz, value bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT s.id, s.revision, s.added_by, s.added_at, s.changed_by, s.changed_at,
      CASE WHEN s.removed_at IS NULL THEN s.value END
    FROM sources s WHERE (SELECT may_read(notebook)) AND s.notebook_id = notebook AND s.revision > after
    ORDER BY s.revision LIMIT most
  $$;

  CREATE FUNCTION open_notebook.read_removed_sources(notebook uuid) RETURNS TABLE (
    id text, value bytea, removed_by name, removed_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT s.id, s.value, s.removed_by, s.removed_at FROM sources s
    WHERE (SELECT may_read(notebook)) AND s.notebook_id = notebook AND s.removed_at > now() - interval '30 days'
      AND octet_length(s.value) > 0
    ORDER BY s.removed_at DESC LIMIT 500
  $$;

  CREATE FUNCTION open_notebook.read_documents(notebook uuid, after bigint, up_to bigint, most int) RETURNS TABLE (
    source_id text, key text, revision bigint, head bytea, content bytea, bytes bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT d.source_id, d.key, d.revision, d.head, d.content, d.bytes FROM documents d
    WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.revision > after AND d.revision <= up_to
    ORDER BY d.revision LIMIT most
  $$;

  -- How many documents there are whose sources weren't removed, and the last revision of one.
  CREATE FUNCTION open_notebook.count_living_documents(notebook uuid) RETURNS TABLE (count bigint, revision bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT count(*), max(d.revision) FROM documents d
    JOIN sources s ON s.notebook_id = notebook AND s.id = d.source_id AND s.removed_at IS NULL
    WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.content IS NOT NULL
  $$;

  CREATE FUNCTION open_notebook.read_living_documents(notebook uuid, after bigint, up_to bigint, most int) RETURNS TABLE (
    source_id text, key text, revision bigint, head bytea, content bytea, bytes bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT d.source_id, d.key, d.revision, d.head, d.content, d.bytes FROM documents d
    JOIN sources s ON s.notebook_id = notebook AND s.id = d.source_id AND s.removed_at IS NULL
    WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.content IS NOT NULL
      AND d.revision > after AND d.revision <= up_to
    ORDER BY d.revision LIMIT most
  $$;

  CREATE FUNCTION open_notebook.read_named_documents(notebook uuid, of_sources text[], of_keys text[]) RETURNS TABLE (
    source_id text, key text, revision bigint, head bytea, content bytea, bytes bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT d.source_id, d.key, d.revision, d.head, d.content, d.bytes
    FROM unnest(of_sources, of_keys) AS named (source_id, key)
    JOIN documents d ON d.notebook_id = notebook AND d.source_id = named.source_id AND d.key = named.key
    WHERE (SELECT may_read(notebook)) AND d.content IS NOT NULL
  $$;

  CREATE FUNCTION open_notebook.count_documents(notebook uuid) RETURNS TABLE (source_id text, count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT d.source_id, count(*) FROM documents d
    WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.content IS NOT NULL GROUP BY d.source_id
  $$;

  -- Texts that documents of the notebook have; of those that were removed none.
  CREATE FUNCTION open_notebook.read_contents(notebook uuid, hashes bytea[]) RETURNS TABLE (hash bytea, bytes bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT c.hash, c.bytes FROM contents c
    WHERE (SELECT may_read(notebook)) AND c.notebook_id = notebook AND c.hash = ANY(hashes)
      AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = c.hash)
  $$;

  -- Which of some texts the notebook has.
  CREATE FUNCTION open_notebook.find_contents(notebook uuid, hashes bytea[]) RETURNS TABLE (hash bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT c.hash FROM contents c
    WHERE (SELECT may_read(notebook)) AND c.notebook_id = notebook AND c.hash = ANY(hashes)
      AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = c.hash)
  $$;

  CREATE FUNCTION open_notebook.read_notes(notebook uuid, after bigint, up_to bigint, most int) RETURNS TABLE (
    id text, revision bigint, title text, added_by name, added_at timestamptz, changed_by name, changed_at timestamptz,
    value bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT o.id, o.revision, o.title, o.added_by, o.added_at, o.changed_by, o.changed_at,
      CASE WHEN o.removed_at IS NULL THEN o.value END
    FROM notes o
    WHERE (SELECT may_read(notebook)) AND o.notebook_id = notebook AND o.revision > after AND o.revision <= up_to
    ORDER BY o.revision LIMIT most
  $$;

  CREATE FUNCTION open_notebook.read_things(notebook uuid, after bigint, up_to bigint, most int) RETURNS TABLE (
    kind text, id text, within text, revision bigint, added_by name, changed_by name, is_own boolean, value bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT t.kind, t.id, t.within, t.revision, t.added_by, t.changed_by, t.added_by = session_user, t.value FROM things t
    WHERE (SELECT may_read(notebook)) AND t.notebook_id = notebook AND t.revision > after AND t.revision <= up_to
    ORDER BY t.revision, t.kind, t.id LIMIT most
  $$;

  CREATE FUNCTION open_notebook.read_claims(notebook uuid) RETURNS TABLE (research text, step text, member name)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT c.research, c.step, c.member FROM claims c
    WHERE (SELECT may_read(notebook)) AND c.notebook_id = notebook AND c.held_until > clock_timestamp() LIMIT 1000
  $$;

  -- What the passages of a notebook that is searched in the database count; no row where it isn't.
  CREATE FUNCTION open_notebook.read_searchable(notebook uuid) RETURNS TABLE (
    languages bigint, passages bigint, length bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT s.languages, sum(w.passages), sum(w.length)::bigint
    FROM searchable s JOIN windows w ON w.notebook_id = notebook
    WHERE (SELECT may_read(notebook)) AND s.notebook_id = notebook GROUP BY s.languages
  $$;

  -- Documents after a revision that have no postings yet.
  CREATE FUNCTION open_notebook.read_unsearchable(notebook uuid, after bigint, most int) RETURNS TABLE (
    source_id text, key text, content bytea, revision bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT d.source_id, d.key, d.content, d.revision FROM documents d
    WHERE (SELECT may_read(notebook)) AND d.notebook_id = notebook AND d.revision > after AND d.content IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM passages p WHERE p.notebook_id = notebook AND p.source_id = d.source_id
        AND p.key = d.key AND p.content = d.content)
    ORDER BY d.revision LIMIT most
  $$;

  CREATE FUNCTION open_notebook.read_windows(notebook uuid) RETURNS TABLE (
    base int, passages int, dead int, length bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT w.base, w.passages, w.dead, w.length FROM windows w
    WHERE (SELECT may_read(notebook)) AND w.notebook_id = notebook ORDER BY w.base
  $$;

  -- The passages of some windows whose documents are as they were when they were written.
  CREATE FUNCTION open_notebook.read_living_passages(notebook uuid, bases int[], counts int[]) RETURNS TABLE (
    base int, first int, count int)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT w.base, p.first, p.count FROM unnest(bases, counts) AS w (base, passages)
    JOIN passages p ON p.notebook_id = notebook AND p.first >= w.base AND p.first < w.base + w.passages
    JOIN documents d ON d.notebook_id = notebook AND d.source_id = p.source_id AND d.key = p.key AND d.content = p.content
    WHERE (SELECT may_read(notebook)) ORDER BY p.first
  $$;

  CREATE FUNCTION open_notebook.read_postings(notebook uuid, bases int[]) RETURNS TABLE (
    base int, term text, holding int, postings bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT p.base, p.term, p.holding, p.postings FROM postings p
    WHERE (SELECT may_read(notebook)) AND p.notebook_id = notebook AND p.base = ANY(bases)
    ORDER BY p.base, p.term, p.place
  $$;

  -- Of each window the row where a term's postings begin, with the postings where it shares the row with other terms.
  CREATE FUNCTION open_notebook.find_terms(notebook uuid, terms text[]) RETURNS TABLE (
    term text, base int, passages int, holding int, most smallint, postings bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT asked.term, w.base, w.passages, head.holding, head.most, CASE WHEN head.holding = 0 THEN head.postings END
    FROM windows w CROSS JOIN unnest(terms) AS asked (term) CROSS JOIN LATERAL (
      SELECT p.term, p.holding, p.most, p.postings FROM postings p
      WHERE p.notebook_id = notebook AND p.base = w.base AND p.term <= asked.term COLLATE "C"
      ORDER BY p.term DESC, p.place DESC LIMIT 1) head
    WHERE (SELECT may_read(notebook)) AND w.notebook_id = notebook AND (head.holding = 0 OR head.term = asked.term)
  $$;

  -- The words of the largest windows, up to so many bytes.
  CREATE FUNCTION open_notebook.read_words(notebook uuid, most bigint) RETURNS TABLE (words bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT w.words FROM (
      SELECT o.words, o.base, o.passages, sum(octet_length(o.words)) OVER (ORDER BY o.passages DESC, o.base) AS size
      FROM windows o WHERE o.notebook_id = notebook) w
    WHERE (SELECT may_read(notebook)) AND w.size <= most ORDER BY w.passages DESC, w.base
  $$;

  -- All rows that terms have of their own in windows. OFFSET has each row be looked up: the whole index would be gone
  -- through to join it.
  CREATE FUNCTION open_notebook.read_lists(notebook uuid, terms text[], bases int[]) RETURNS TABLE (
    term text, base int, postings bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT p.term, p.base, p.postings FROM unnest(terms, bases) AS wanted (term, base) CROSS JOIN LATERAL (
      SELECT o.term, o.base, o.postings FROM postings o
      WHERE o.notebook_id = notebook AND o.base = wanted.base AND o.term = wanted.term COLLATE "C" OFFSET 0) p
    WHERE (SELECT may_read(notebook))
  $$;

  -- The rows alone of a term that hold some places of windows.
  CREATE FUNCTION open_notebook.read_blocks(notebook uuid, of_term text, bases int[], places int[]) RETURNS TABLE (
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

  -- The documents that some passages are of, in the order of the passages. The windows of "bases" that are there are
  -- counted even where no document is found.
  CREATE FUNCTION open_notebook.find_passages(notebook uuid, wanted int[], bases int[]) RETURNS TABLE (
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

  -- For each part of a text the row of vectors that a member uses first: of their own, then of who changed the document,
  -- then of others. For documents that they changed themselves they use no others'.
  CREATE FUNCTION open_notebook.find_vectors(
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

  CREATE FUNCTION open_notebook.read_vectors(notebook uuid, numbers bigint[]) RETURNS TABLE (number bigint, vectors bytea)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT v.number, v.vectors FROM vectors v
    WHERE (SELECT may_read(notebook)) AND v.notebook_id = notebook AND v.number = ANY(numbers)
      AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = v.content)
  $$;

  -- The number of the last row of vectors that the notebook's documents have of a model; null where they have none.
  CREATE FUNCTION open_notebook.last_vectors(notebook uuid, of_model bytea) RETURNS bigint
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT v.number FROM vectors v WHERE (SELECT may_read(notebook)) AND v.notebook_id = notebook AND v.model = of_model
      AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = v.content)
    ORDER BY v.number DESC LIMIT 1
  $$;

  REVOKE ALL ON ALL TABLES IN SCHEMA open_notebook FROM open_notebook_member;
  GRANT SELECT ON open_notebook.about TO open_notebook_member;
  DO $do$
  DECLARE one record;
  BEGIN
    FOR one IN
      SELECT p.oid::regprocedure AS function FROM pg_catalog.pg_proc p
      WHERE p.pronamespace = 'open_notebook'::regnamespace AND p.proname ~ '^(may_read$|read_|find_|count_|last_)'
    LOOP
      EXECUTE pg_catalog.format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one.function);
      EXECUTE pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO open_notebook_member', one.function);
    END LOOP;
  END $do$;
`;
