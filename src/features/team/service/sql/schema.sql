-- All tables of a team's schema, as a new team database gets them after functions.sql. Databases of earlier versions
-- become the same by the migrations, which are in the numbered files. `about`, which setup creates, has the version: the
-- number of the last migration.
--
-- Every name has its schema, because members may create functions and tables in other schemas. Row-level security guards
-- the tables even if somebody grants them to members. Rows of a notebook begin with its ID in their key, by which a
-- database on several machines can distribute them.
--
-- The row of a notebook counts its revisions. A writer locks that row until the commit, so revisions become visible in
-- order and without gaps: a client that has one has all before it.

/* Members and notebooks */

ALTER TABLE open_notebook.about ADD COLUMN tidied_at timestamptz;

CREATE TABLE open_notebook.members (
  name name PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('reader', 'author', 'manager')),
  added_by name NOT NULL DEFAULT session_user,
  added_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  seen_at timestamptz
);
INSERT INTO open_notebook.members (name, role) VALUES (session_user, 'manager');

-- "everybody" is the role of members without a row in "rights"; null for no access. "channel" is the notification channel.
-- Anyone who can connect can listen to a channel whose name they know, so only members who can view the notebook can read
-- it, and it changes when a member loses access. "salt" is packed with each text, because the plan of a query on hashes
-- shows to other members how many rows match. So they can't test whether the notebook has a text.
CREATE TABLE open_notebook.notebooks (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (pg_catalog.length(name) BETWEEN 1 AND 200),
  everybody text CHECK (everybody IN ('reader', 'author')),
  revision bigint NOT NULL DEFAULT 0,
  created_by name NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  removed_at timestamptz,
  channel text NOT NULL DEFAULT open_notebook.new_channel(),
  salt text NOT NULL DEFAULT pg_catalog.substr(open_notebook.new_channel(), 15)
);

CREATE TABLE open_notebook.rights (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  member name NOT NULL REFERENCES open_notebook.members (name) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('none', 'reader', 'author', 'manager')),
  PRIMARY KEY (notebook_id, member)
);

/* Sources, documents, and notes. The clients pack each "value", "head", and text. */

-- A removed source can be restored for 30 days. Then its value is empty.
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

-- Packed texts by their SHA-256. Each notebook has its own. If notebooks shared texts, a member who uploads a text would
-- learn that another notebook has it.
CREATE TABLE open_notebook.contents (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  hash bytea NOT NULL,
  bytes bytea NOT NULL CHECK (pg_catalog.octet_length(bytes) <= 268435456),
  PRIMARY KEY (notebook_id, hash)
);
ALTER TABLE open_notebook.contents ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- "content" is null if the document was removed. Documents aren't partitioned, because members who have one in another
-- notebook find it by its content.
CREATE TABLE open_notebook.documents (
  notebook_id uuid NOT NULL,
  source_id text NOT NULL,
  key text NOT NULL CHECK (pg_catalog.octet_length(key) <= 2000),
  revision bigint NOT NULL,
  head bytea NOT NULL CHECK (pg_catalog.octet_length(head) <= 4194304),
  content bytea,
  bytes bigint NOT NULL,
  changed_by name NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
  PRIMARY KEY (notebook_id, source_id, key),
  FOREIGN KEY (notebook_id, source_id) REFERENCES open_notebook.sources (notebook_id, id),
  FOREIGN KEY (notebook_id, content) REFERENCES open_notebook.contents (notebook_id, hash)
);
CREATE INDEX documents_by_revision ON open_notebook.documents (notebook_id, revision);
CREATE INDEX documents_by_content ON open_notebook.documents (notebook_id, content) WHERE content IS NOT NULL;
CREATE TRIGGER bury_changed AFTER UPDATE OF content ON open_notebook.documents FOR EACH ROW
WHEN (old.content IS NOT NULL AND new.content IS DISTINCT FROM old.content) EXECUTE PROCEDURE open_notebook.bury_document();
CREATE TRIGGER bury_removed AFTER DELETE ON open_notebook.documents FOR EACH ROW
WHEN (old.content IS NOT NULL) EXECUTE PROCEDURE open_notebook.bury_document();

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

/* Other synced entities */

-- "within" is the entity that this one is part of, with which it is removed. "value" is null as soon as an entity is
-- removed, because content that isn't shared anymore isn't stored. Review schedules and quiz answers aren't synced.
CREATE TABLE open_notebook.things (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  kind text NOT NULL CHECK (kind IN (
    'annotations', 'card', 'cell', 'conversation', 'deck', 'matrix', 'quiz', 'research', 'step', 'turn')),
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

-- The member who works on a step or cell, until a time of the database's clock.
CREATE TABLE open_notebook.claims (
  notebook_id uuid NOT NULL REFERENCES open_notebook.notebooks (id),
  research text NOT NULL CHECK (pg_catalog.octet_length(research) <= 100),
  step text NOT NULL CHECK (pg_catalog.octet_length(step) <= 500),
  member name NOT NULL,
  token uuid NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (notebook_id, research, step)
);

/* Keyword search in notebooks that are too large for one machine. Its large tables are partitioned by notebook, so that
   each partition's indexes are vacuumed and rebuilt separately. The names of their constraints are those that upgraded
   databases have. */

-- "passages" counts all passage numbers that were used. A number is used only once. "languages" has a bit for each
-- language of the passages.
CREATE TABLE open_notebook.searchable (
  notebook_id uuid PRIMARY KEY REFERENCES open_notebook.notebooks (id),
  passages int NOT NULL DEFAULT 0,
  languages bigint NOT NULL DEFAULT 0
);

-- The passages of a document in the version whose postings were stored: "count" numbers from "first" on.
CREATE TABLE open_notebook.passages (
  notebook_id uuid NOT NULL CONSTRAINT passages_notebook_id_fkey1 REFERENCES open_notebook.notebooks (id),
  first int NOT NULL,
  count int NOT NULL CONSTRAINT passages_count_check1 CHECK (count > 0),
  source_id text NOT NULL,
  key text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (notebook_id, first)
) PARTITION BY HASH (notebook_id);
CREATE INDEX passages_by_document ON open_notebook.passages (notebook_id, source_id, key);

-- The passages from "base" on that were indexed or merged together. "dead" counts those that changed or were removed, and
-- "length" the terms of all. "words" are the words for spelling correction, packed by the clients.
CREATE TABLE open_notebook.windows (
  notebook_id uuid NOT NULL CONSTRAINT windows_notebook_id_fkey1 REFERENCES open_notebook.notebooks (id),
  base int NOT NULL,
  passages int NOT NULL CONSTRAINT windows_passages_check1 CHECK (passages > 0),
  dead int NOT NULL DEFAULT 0,
  length bigint NOT NULL,
  words bytea NOT NULL CONSTRAINT windows_words_check1 CHECK (pg_catalog.octet_length(words) <= 8388608),
  PRIMARY KEY (notebook_id, base)
) PARTITION BY HASH (notebook_id);
ALTER TABLE open_notebook.windows ALTER COLUMN words SET STORAGE EXTERNAL;

-- If "holding" isn't 0, a block of one term's postings that begins at "place" of the window: "holding" passages of the
-- window contain the term, with a weight of up to "most". If it's 0, all postings of several terms from this term on,
-- because a row costs more than the postings of a rare term.
CREATE TABLE open_notebook.postings (
  notebook_id uuid NOT NULL,
  term text COLLATE "C" NOT NULL CHECK (pg_catalog.octet_length(term) BETWEEN 1 AND 1000),
  base int NOT NULL,
  place smallint NOT NULL CONSTRAINT postings_place_check1 CHECK (place >= 0),
  most smallint NOT NULL CONSTRAINT postings_most_check1 CHECK (most BETWEEN 0 AND 25000),
  holding int NOT NULL CHECK (holding BETWEEN 0 AND 32768),
  postings bytea NOT NULL CHECK (pg_catalog.octet_length(postings) <= 65536),
  PRIMARY KEY (notebook_id, base, term, place)
) PARTITION BY HASH (notebook_id);

DO $do$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE pg_catalog.format('CREATE TABLE open_notebook.passages_%1$s PARTITION OF open_notebook.passages
      FOR VALUES WITH (MODULUS 16, REMAINDER %1$s)', part);
    EXECUTE pg_catalog.format('CREATE TABLE open_notebook.windows_%1$s PARTITION OF open_notebook.windows
      FOR VALUES WITH (MODULUS 16, REMAINDER %1$s)', part);
    EXECUTE pg_catalog.format('CREATE TABLE open_notebook.postings_%1$s PARTITION OF open_notebook.postings
      FOR VALUES WITH (MODULUS 16, REMAINDER %1$s)', part);
  END LOOP;
END $do$;

/* Embeddings */

-- Embeddings of several texts of a document in their order, as little-endian half-precision numbers. "model" is the
-- SHA-256 of the endpoint and the model's name, and "texts" that of the texts. A machine that splits the document
-- differently, or adds another title, sees by it that the row isn't for its texts. "number" grows, so that clients can ask
-- for new rows. "added_by" is empty for rows of early versions.
CREATE TABLE open_notebook.vectors (
  notebook_id uuid NOT NULL,
  content bytea NOT NULL,
  model bytea NOT NULL CHECK (pg_catalog.octet_length(model) = 32),
  dimension int NOT NULL CHECK (dimension BETWEEN 1 AND 16384),
  texts bytea NOT NULL CHECK (pg_catalog.octet_length(texts) = 32),
  added_by name NOT NULL DEFAULT '',
  number bigserial NOT NULL,
  vectors bytea NOT NULL CHECK (pg_catalog.octet_length(vectors) BETWEEN 2 AND 2097152 AND pg_catalog.octet_length(vectors) % (2 * greatest(dimension, 1)) = 0),
  PRIMARY KEY (notebook_id, content, model, dimension, texts, added_by),
  FOREIGN KEY (notebook_id, content) REFERENCES open_notebook.contents (notebook_id, hash) ON DELETE CASCADE
);
ALTER TABLE open_notebook.vectors ALTER COLUMN vectors SET STORAGE EXTERNAL;
CREATE INDEX vectors_by_number ON open_notebook.vectors (notebook_id, model, number);
CREATE UNIQUE INDEX vectors_by_own_number ON open_notebook.vectors (number);

-- The models of the embeddings. "put_vectors" limits them, because invented names could fill the disk.
CREATE TABLE open_notebook.models (
  number serial PRIMARY KEY,
  model bytea NOT NULL CHECK (pg_catalog.octet_length(model) = 32),
  dimension int NOT NULL CHECK (dimension BETWEEN 1 AND 16384),
  added_by name NOT NULL,
  UNIQUE (model, dimension)
);

-- The rows of "vectors" that were added to an index of pgvector. "make_points" creates the table "points_3" for the model
-- 3. Only functions name objects of pgvector, so this schema also fits databases without it.
CREATE TABLE open_notebook.placed (
  number bigint PRIMARY KEY REFERENCES open_notebook.vectors (number) ON DELETE CASCADE,
  model int NOT NULL REFERENCES open_notebook.models (number) ON DELETE CASCADE
);
CREATE INDEX placed_by_model ON open_notebook.placed (model);

/* Row-level security */

ALTER TABLE open_notebook.members ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.members FOR SELECT USING ((SELECT open_notebook.is_member()));
ALTER TABLE open_notebook.notebooks ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.notebooks FOR SELECT USING (id IN (SELECT open_notebook.readable()));
ALTER TABLE open_notebook.contents ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.contents FOR SELECT USING (EXISTS (
  SELECT 1 FROM open_notebook.documents d WHERE d.notebook_id = contents.notebook_id AND d.content = contents.hash));
ALTER TABLE open_notebook.vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.vectors FOR SELECT USING (EXISTS (
  SELECT 1 FROM open_notebook.documents d WHERE d.notebook_id = vectors.notebook_id AND d.content = vectors.content));
ALTER TABLE open_notebook.models ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_notebook.placed ENABLE ROW LEVEL SECURITY;
DO $do$
DECLARE one text;
BEGIN
  FOREACH one IN ARRAY ARRAY[
    'claims', 'documents', 'notes', 'passages', 'postings', 'rights', 'searchable', 'sources', 'things', 'windows'] LOOP
    EXECUTE pg_catalog.format('ALTER TABLE open_notebook.%I ENABLE ROW LEVEL SECURITY', one);
    EXECUTE pg_catalog.format('CREATE POLICY read ON open_notebook.%I FOR SELECT USING (
      notebook_id IN (SELECT open_notebook.readable()))', one);
  END LOOP;
END $do$;
