/**
 * Tables for vector search if the database has pgvector. Objects of pgvector are named only in statements that are
 * built if it is present. So every database accepts this schema, and gets the vectors once it has pgvector.
 */
export const POINTS = `
  -- The models that vectors are of. A member adds four at most and a team has sixteen: whoever made names up for them could
  -- fill the disk.
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

  -- The rows of vectors that were made points of. Those of the model 3 are in the table points_3, which is made with the
  -- first of them.
  CREATE TABLE open_notebook.placed (
    number bigint PRIMARY KEY REFERENCES open_notebook.vectors (number) ON DELETE CASCADE,
    model int NOT NULL REFERENCES open_notebook.models (number) ON DELETE CASCADE
  );
  CREATE INDEX placed_by_model ON open_notebook.placed (model);

  -- As before; but of models and of a text's own rows there are no more than are of use.
  CREATE OR REPLACE FUNCTION open_notebook.put_vectors(
    notebook uuid, of_content bytea, of_model bytea, of_dimension int, of_texts bytea, packed bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
  DECLARE size int;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM levels() l WHERE l.notebook_id = notebook AND l.level >= 2) THEN
      RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT octet_length(c.bytes) INTO size FROM contents c WHERE c.hash = of_content AND EXISTS (
      SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = c.hash) FOR KEY SHARE;
    -- What is packed best has a thousandth of its length, and 64 texts are some 70,000 letters.
    IF NOT FOUND OR (SELECT count(*) FROM vectors v WHERE v.content = of_content AND v.model = of_model)
      >= least(16384, 16 + size / 16) THEN RETURN; END IF;
    IF NOT EXISTS (SELECT 1 FROM models m WHERE m.model = of_model AND m.dimension = of_dimension) THEN
      LOCK TABLE models IN SHARE ROW EXCLUSIVE MODE;
      IF (SELECT count(*) FROM models) >= 16 OR (SELECT count(*) FROM models m WHERE m.added_by = session_user) >= 4 THEN
        RETURN;
      END IF;
      INSERT INTO models (model, dimension, added_by) VALUES (of_model, of_dimension, session_user) ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO vectors (content, model, dimension, texts, vectors)
    VALUES (of_content, of_model, of_dimension, of_texts, packed) ON CONFLICT DO NOTHING;
    PERFORM tell(notebook);
  END $$;

  -- The schema that pgvector is in, quoted; null where it is not there, or older than 0.7. A type that somebody named alike
  -- is none of its own.
  CREATE FUNCTION open_notebook.pgvector() RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.classid = 'pg_type'::regclass
      AND d.deptype = 'e'
    JOIN pg_type t ON t.oid = d.objid AND t.typname = 'halfvec'
    WHERE e.extname = 'vector'
  $$;

  -- The table of a model's points; null where there is none, or one that pgvector was taken away from.
  CREATE FUNCTION open_notebook.points_of(of_number int) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = open_notebook, pg_temp AS $$
    SELECT 'points_' || of_number FROM pg_attribute a
    WHERE a.attrelid = to_regclass('open_notebook.points_' || of_number) AND a.attname = 'embedding' AND NOT a.attisdropped
  $$;

  CREATE FUNCTION open_notebook.make_points(of_number int, of_dimension int) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = open_notebook, pg_temp SET lock_timeout = '30s' AS $$
  BEGIN
    EXECUTE format('DROP TABLE IF EXISTS open_notebook.points_%s', of_number);
    -- Plain, as what is put aside would be fetched from there for each comparison.
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

  -- Makes points of some vectors that a notebook's documents have of a model, of those with higher numbers than "after".
  -- Returns the number that it came to, and at the end the last one; the one it got where somebody else is at it, and null
  -- where there is nothing to be done: without pgvector, and for a notebook that is not found in the database.
  CREATE FUNCTION open_notebook.place_points(notebook uuid, of_model bytea, after bigint) RETURNS bigint
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
    SELECT greatest(after, max(v.number)) INTO ends FROM vectors v WHERE v.model = of_model;
    FOR one IN
      SELECT v.number, v.vectors, v.dimension, m.number AS model FROM vectors v
      JOIN models m ON m.model = v.model AND m.dimension = v.dimension
      WHERE v.model = of_model AND v.number > after AND v.dimension <= 4000 AND octet_length(v.vectors) <= 128 * v.dimension
        AND EXISTS (SELECT 1 FROM documents d WHERE d.notebook_id = notebook AND d.content = v.content)
        AND NOT EXISTS (SELECT 1 FROM placed p WHERE p.number = v.number)
      ORDER BY v.number LIMIT 500
    LOOP
      -- So many numbers a transaction, which takes a second or a few.
      IF numbers >= 200000 THEN RETURN after; END IF;
      done := done + 1;
      points := coalesce(points_of(one.model), make_points(one.model, one.dimension));
      BEGIN
        -- What is no number, and what is all zeros, is near to nothing. What is put aside would be fetched for each byte.
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
        -- One that pgvector does not take is not looked at again.
        NULL;
      END;
      INSERT INTO placed (number, model) VALUES (one.number, one.model) ON CONFLICT DO NOTHING;
      numbers := numbers + octet_length(one.vectors) / 2;
      after := one.number;
    END LOOP;
    RETURN CASE WHEN done < 500 THEN ends ELSE after END;
  END $$;

  -- The documents of a notebook of which some text is nearest to a vector, written as pgvector reads it, with how near: 1 is
  -- the same. Nothing of a notebook that who asks may not read.
  CREATE FUNCTION open_notebook.near(notebook uuid, of_model bytea, of_dimension int, asked text, most int)
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
    -- Versions before 0.8 do not go on where most of what is near is of other notebooks.
    IF EXISTS (SELECT 1 FROM pg_extension e WHERE e.extname = 'vector'
      AND string_to_array(substring(e.extversion from '^\\d+\\.\\d+'), '.')::int[] >= ARRAY[0, 8]) THEN
      PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true);
    END IF;
    PERFORM set_config('hnsw.ef_search', '200', true);
    EXECUTE format($asked$
      SELECT array_agg(n.number), array_agg(n.distance) FROM (
        SELECT p.number, p.embedding OPERATOR(%1$s.<=>) $1::%1$s.halfvec AS distance FROM open_notebook.%2$s p
        WHERE (
          SELECT true FROM vectors v JOIN documents d ON d.notebook_id = $2 AND d.content = v.content
          JOIN sources s ON s.notebook_id = $2 AND s.id = d.source_id AND s.removed_at IS NULL
          WHERE v.number = p.number LIMIT 1)
        ORDER BY p.embedding OPERATOR(%1$s.<=>) $1::%1$s.halfvec LIMIT $3) n
    $asked$, types, points) INTO numbers, distances USING asked, notebook, wanted;
    -- Among many texts of others that are alike the index may come to an end: then this notebook's are compared one by one.
    IF coalesce(cardinality(numbers), 0) < wanted / 4 THEN
      EXECUTE format($asked$
        SELECT array_agg(n.number), array_agg(n.distance) FROM (
          SELECT p.number, (p.embedding OPERATOR(%1$s.<=>) $1::%1$s.halfvec) + 0 AS distance
          FROM (
            SELECT DISTINCT v.number FROM documents d
            JOIN sources s ON s.notebook_id = $2 AND s.id = d.source_id AND s.removed_at IS NULL
            JOIN vectors v ON v.content = d.content AND v.model = $4 AND v.dimension = $5
            WHERE d.notebook_id = $2) v JOIN open_notebook.%2$s p ON p.number = v.number
          ORDER BY 2 LIMIT $3) n
      $asked$, types, points) INTO numbers, distances USING asked, notebook, wanted, of_model, of_dimension;
    END IF;
    RETURN QUERY SELECT d.source_id, d.key, max(1 - n.distance) FROM unnest(numbers, distances) AS n (number, distance)
    JOIN vectors v ON v.number = n.number
    JOIN documents d ON d.notebook_id = notebook AND d.content = v.content
    JOIN sources s ON s.notebook_id = notebook AND s.id = d.source_id AND s.removed_at IS NULL
    GROUP BY d.source_id, d.key ORDER BY 3 DESC, 1, 2 LIMIT wanted;
  END $$;

  ALTER TABLE open_notebook.models ENABLE ROW LEVEL SECURITY;
  ALTER TABLE open_notebook.placed ENABLE ROW LEVEL SECURITY;
  REVOKE EXECUTE ON FUNCTION open_notebook.pgvector, open_notebook.points_of, open_notebook.make_points,
    open_notebook.place_points, open_notebook.near FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION open_notebook.place_points, open_notebook.near TO open_notebook_member;
`;
