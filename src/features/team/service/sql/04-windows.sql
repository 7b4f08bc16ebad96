-- Stores postings in windows of passages that were indexed or merged together. Their rows get another format, which only
-- newer clients can read. Each row of the old format has the postings of one term.

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
ALTER TABLE open_notebook.searchable DROP COLUMN length;

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
  SELECT pg_catalog.get_byte(p.postings || '\x000000'::bytea, 0) AS one, pg_catalog.get_byte(p.postings || '\x000000'::bytea, 1) AS two,
    pg_catalog.get_byte(p.postings || '\x000000'::bytea, 2) AS three) f;
DROP TABLE open_notebook.postings_before;
DELETE FROM open_notebook.postings a USING open_notebook.postings b WHERE a.notebook_id = b.notebook_id
  AND a.base = b.base AND a.term = b.term AND a.place = b.place AND a.ctid > b.ctid;
ALTER TABLE open_notebook.postings ADD PRIMARY KEY (notebook_id, base, term, place);

CREATE TRIGGER bury_changed AFTER UPDATE OF content ON open_notebook.documents FOR EACH ROW
WHEN (old.content IS NOT NULL AND new.content IS DISTINCT FROM old.content) EXECUTE PROCEDURE open_notebook.bury_document();
CREATE TRIGGER bury_removed AFTER DELETE ON open_notebook.documents FOR EACH ROW
WHEN (old.content IS NOT NULL) EXECUTE PROCEDURE open_notebook.bury_document();

ALTER TABLE open_notebook.windows ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_notebook.postings ENABLE ROW LEVEL SECURITY;
CREATE POLICY read ON open_notebook.windows FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
CREATE POLICY read ON open_notebook.postings FOR SELECT USING (notebook_id IN (SELECT open_notebook.readable()));
GRANT SELECT ON open_notebook.windows, open_notebook.postings TO open_notebook_member;
