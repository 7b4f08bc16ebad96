/** Pattern of a text that contains two conflicting versions between `<<<<<<<` and `>>>>>>>`. */
const TORN = '*<<<<<<<*\n=======\n*>>>>>>>*';

/**
 * Database schema as a sequence of migrations; `PRAGMA user_version` is the number of applied ones. Never change a
 * released migration; add a new one.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sources (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    origin TEXT NOT NULL,
    state TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    read_at INTEGER,
    skipped TEXT NOT NULL,
    owner TEXT,
    claimed_at INTEGER
  ) STRICT;

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    title TEXT NOT NULL,
    uri TEXT NOT NULL,
    media_type TEXT NOT NULL,
    format TEXT NOT NULL,
    language_id TEXT,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    read_at INTEGER NOT NULL,
    text BLOB NOT NULL,
    map BLOB NOT NULL,
    headings TEXT NOT NULL,
    warnings TEXT NOT NULL,
    split TEXT NOT NULL,
    passages INTEGER NOT NULL DEFAULT 0,
    UNIQUE (source_id, key)
  ) STRICT;

  CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    headings TEXT NOT NULL
  ) STRICT;
  CREATE INDEX passages_of_document ON passages (document_id);

  -- Last revision of each document, also of removed ones. An index at a revision needs the documents with a later one.
  CREATE TABLE changes (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL UNIQUE
  ) STRICT;
  CREATE TRIGGER document_added AFTER INSERT ON documents BEGIN
    DELETE FROM changes WHERE document_id = new.id;
    INSERT INTO changes (document_id) VALUES (new.id);
  END;
  CREATE TRIGGER document_changed AFTER UPDATE OF text, split ON documents BEGIN
    DELETE FROM changes WHERE document_id = new.id;
    INSERT INTO changes (document_id) VALUES (new.id);
  END;
  CREATE TRIGGER document_removed AFTER DELETE ON documents BEGIN
    DELETE FROM changes WHERE document_id = old.id;
    INSERT INTO changes (document_id) VALUES (old.id);
  END;

  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    draft TEXT NOT NULL DEFAULT ''
  ) STRICT;

  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    question TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    answer TEXT
  ) STRICT;
  CREATE INDEX turns_of_conversation ON turns (conversation_id, asked_at);
  `,
  `
  -- Hash of the passage's embedded text.
  ALTER TABLE passages ADD COLUMN embedded TEXT;
  CREATE INDEX passages_embedded ON passages (embedded) WHERE embedded IS NOT NULL;

  CREATE TABLE embedding_sets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    base_url TEXT NOT NULL,
    model TEXT NOT NULL,
    dimension INTEGER,
    is_complete INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    claimed_at INTEGER
  ) STRICT;

  -- Half-precision numbers, little-endian; null for a text that the model doesn't accept.
  CREATE TABLE vectors (
    set_id INTEGER NOT NULL REFERENCES embedding_sets (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    vector BLOB,
    UNIQUE (set_id, hash)
  ) STRICT;
  `,
  `
  CREATE TABLE crawls (
    source_id TEXT PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE,
    started_at INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT;

  -- All known addresses of a site with their states. Pending ones are the frontier of the crawl. "was" is the state after
  -- the previous crawl, for a page that is pending again.
  CREATE TABLE site_pages (
    source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    depth INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    state TEXT NOT NULL,
    was TEXT,
    reason TEXT NOT NULL DEFAULT '',
    twin TEXT,
    canonical TEXT,
    etag TEXT,
    last_modified TEXT,
    hash TEXT,
    text_hash TEXT,
    PRIMARY KEY (source_id, address)
  ) STRICT;
  CREATE INDEX site_pages_by_state ON site_pages (source_id, state, rank);
  CREATE INDEX site_pages_by_text ON site_pages (source_id, text_hash);
  `,
  `
  -- The user's own title. Without one, the first question is the title.
  ALTER TABLE conversations ADD COLUMN title TEXT;
  ALTER TABLE turns ADD COLUMN rating TEXT;
  `,
  `
  -- Search scope of a question, as JSON; null for the whole notebook.
  ALTER TABLE turns ADD COLUMN scope TEXT;
  `,
  `
  -- Authors, site, and date of a web page, as JSON.
  ALTER TABLE documents ADD COLUMN byline TEXT;
  `,
  `
  CREATE TABLE notes (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT;

  -- All citations that a note ever contained, as JSON.
  CREATE TABLE note_citations (
    note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    citation TEXT NOT NULL,
    PRIMARY KEY (note_id, id)
  ) STRICT;
  CREATE INDEX note_citations_by_id ON note_citations (id);
  `,
  `
  -- Selected models as JSON: of the notebook, and of a conversation that has its own.
  CREATE TABLE preferences (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  ALTER TABLE conversations ADD COLUMN model TEXT;

  -- Usage of models: of an answer as JSON, and by day and model.
  ALTER TABLE turns ADD COLUMN usage TEXT;
  CREATE TABLE usage (
    day TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    requests INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    cost REAL,
    PRIMARY KEY (day, provider, model)
  ) STRICT;
  `,
  `
  -- Pages that are pending for text recognition, as JSON; null if there are none.
  ALTER TABLE documents ADD COLUMN unrecognised TEXT;
  -- 1 while text recognition is paused.
  ALTER TABLE sources ADD COLUMN recognition_paused INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Other text of the document by which a passage is found, as JSON with alternating starts and ends. Documents that may
  -- contain tables are split again to fill it.
  ALTER TABLE passages ADD COLUMN context TEXT;
  UPDATE documents SET split = 'again' WHERE format = 'markdown' AND split <> '';
  `,
  `
  CREATE TABLE researches (
    id TEXT PRIMARY KEY,
    goal TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    -- Increases with every visible change.
    revision INTEGER NOT NULL DEFAULT 1,
    scope TEXT,
    bounds TEXT NOT NULL,
    options TEXT NOT NULL,
    objections TEXT NOT NULL DEFAULT '[]',
    memories TEXT NOT NULL DEFAULT '[]',
    report TEXT,
    -- Window that writes the report, and the end of its claim.
    report_by TEXT,
    report_until INTEGER,
    -- Number of edits of the plan, and the current one of the stored versions.
    plan_version INTEGER NOT NULL DEFAULT 0,
    plan_number INTEGER NOT NULL DEFAULT 0,
    dollars REAL NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    time INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0,
    tool_calls INTEGER NOT NULL DEFAULT 0,
    -- Total length of the activity records, and number of deleted ones.
    recorded INTEGER NOT NULL DEFAULT 0,
    forgotten INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE research_plans (
    research_id TEXT NOT NULL REFERENCES researches (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    plan TEXT NOT NULL,
    PRIMARY KEY (research_id, number)
  ) STRICT;

  -- "place" is null for a step that isn't in the plan anymore but has a draft. For a step in progress, "token" identifies
  -- the claim. "held_until" is null after the claim expired, so that anybody can claim the step.
  CREATE TABLE research_steps (
    research_id TEXT NOT NULL REFERENCES researches (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    place INTEGER,
    step TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    holder TEXT,
    token TEXT UNIQUE,
    held_until INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    draft TEXT NOT NULL DEFAULT '',
    same_as TEXT,
    -- 1 to repeat the step without reusing an earlier result.
    is_anew INTEGER NOT NULL DEFAULT 0,
    -- Hash of the step's inputs when it was claimed.
    pair TEXT,
    started_at INTEGER,
    ended_at INTEGER,
    PRIMARY KEY (research_id, id)
  ) STRICT;
  CREATE INDEX research_steps_held ON research_steps (held_until) WHERE held_until IS NOT NULL;

  CREATE TABLE research_products (
    research_id TEXT NOT NULL REFERENCES researches (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    step_id TEXT NOT NULL,
    text TEXT NOT NULL,
    statements TEXT NOT NULL,
    citations TEXT NOT NULL,
    checked TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    -- Hash of the step's inputs; null if they changed during the work.
    pair TEXT,
    PRIMARY KEY (research_id, id)
  ) STRICT;
  CREATE INDEX research_products_by_pair ON research_products (pair) WHERE pair IS NOT NULL;

  CREATE TABLE research_comments (
    id TEXT PRIMARY KEY,
    research_id TEXT NOT NULL REFERENCES researches (id) ON DELETE CASCADE,
    step_id TEXT,
    text TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    is_heard INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX comments_of_research ON research_comments (research_id, written_at);

  CREATE TABLE research_records (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    research_id TEXT NOT NULL REFERENCES researches (id) ON DELETE CASCADE,
    step_id TEXT,
    at INTEGER NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX records_of_research ON research_records (research_id, step_id);

  CREATE TABLE research_memories (id TEXT PRIMARY KEY, memory TEXT NOT NULL, kept_at INTEGER NOT NULL) STRICT;

  -- Counts the changes that other windows read. Research projects have their own revisions.
  CREATE TABLE told_changes (count INTEGER NOT NULL) STRICT;
  INSERT INTO told_changes VALUES (0);
  ${changeCounters(['sources', 'documents', 'crawls', 'embedding_sets', 'notes', 'conversations', 'turns', 'preferences'])}
  `,
  `
  -- Bibliographic data: as found in documents, and as edited by the user.
  CREATE TABLE bibliographies (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    found TEXT,
    edited TEXT,
    citekey TEXT NOT NULL
  ) STRICT;
  CREATE INDEX bibliographies_by_key ON bibliographies (citekey);

  -- Works that documents list, such as .bib files. "words" has the words by which they are found.
  CREATE TABLE library_entries (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    citekey TEXT NOT NULL,
    line INTEGER NOT NULL,
    item TEXT NOT NULL,
    files TEXT NOT NULL,
    words TEXT NOT NULL
  ) STRICT;
  CREATE INDEX library_entries_by_key ON library_entries (citekey);
  CREATE INDEX library_entries_of_document ON library_entries (document_id);
  ${changeCounters(['bibliographies'])}

  -- Cache of the links and tags in notes, and of the change at which each note was scanned.
  CREATE TABLE note_marks (
    note_id TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL
  ) STRICT;
  CREATE INDEX note_marks_by_name ON note_marks (kind, name);
  CREATE INDEX marks_of_note ON note_marks (note_id);
  CREATE TABLE note_scans (
    note_id TEXT PRIMARY KEY REFERENCES notes (id) ON DELETE CASCADE,
    changed_at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE file_annotations (uri TEXT PRIMARY KEY, annotations TEXT NOT NULL) STRICT;
  `,
  `
  -- Generated notes: their sources, and their original texts.
  CREATE TABLE made_notes (
    note_id TEXT PRIMARY KEY REFERENCES notes (id) ON DELETE CASCADE,
    thing TEXT NOT NULL,
    source_ids TEXT,
    made_of TEXT NOT NULL,
    text TEXT NOT NULL,
    made_at INTEGER NOT NULL
  ) STRICT;
  ${changeCounters(['made_notes'])}
  `,
  `
  -- Flashcards. "made_of" is null for a deck that wasn't generated from sources.
  CREATE TABLE card_decks (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL UNIQUE,
    source_ids TEXT,
    made_of TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;

  -- "key" identifies a card in its deck. Deleted cards stay, so that they aren't generated again. "document_hash" is the
  -- last version of the document that contained the cited text.
  CREATE TABLE cards (
    id TEXT PRIMARY KEY,
    deck_id TEXT NOT NULL REFERENCES card_decks (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    maker TEXT NOT NULL,
    front TEXT NOT NULL,
    back TEXT NOT NULL,
    citation TEXT,
    document_id INTEGER,
    document_hash TEXT,
    is_stale INTEGER NOT NULL DEFAULT 0,
    is_suspended INTEGER NOT NULL DEFAULT 0,
    is_edited INTEGER NOT NULL DEFAULT 0,
    removed_at INTEGER,
    state INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL DEFAULT 0,
    schedule TEXT,
    UNIQUE (deck_id, key)
  ) STRICT;
  CREATE INDEX cards_due ON cards (deck_id, state, due) WHERE removed_at IS NULL AND is_suspended = 0;
  CREATE INDEX cards_of_document ON cards (document_id);

  -- Actions on cards, with the state before each.
  CREATE TABLE card_deeds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    card_id TEXT NOT NULL REFERENCES cards (id) ON DELETE CASCADE,
    deed TEXT NOT NULL,
    grade INTEGER,
    at INTEGER NOT NULL,
    before TEXT NOT NULL
  ) STRICT;
  CREATE INDEX deeds_of_card ON card_deeds (card_id);
  CREATE INDEX deeds_by_time ON card_deeds (at);

  CREATE TABLE quizzes (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    questions TEXT NOT NULL,
    replies TEXT NOT NULL,
    made_at INTEGER NOT NULL
  ) STRICT;
  ${changeCounters(['card_decks', 'cards', 'quizzes'])}
  `,
  `
  -- Tables whose rows are sources or documents and whose columns are questions.
  CREATE TABLE matrices (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    -- Sources of the rows; null for all.
    source_ids TEXT,
    row_kind TEXT NOT NULL,
    columns TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    usage TEXT
  ) STRICT;

  CREATE TABLE matrix_cells (
    matrix_id TEXT NOT NULL REFERENCES matrices (id) ON DELETE CASCADE,
    column_id TEXT NOT NULL,
    row_id TEXT NOT NULL,
    row_title TEXT NOT NULL,
    -- Answer, its question, and the version of the row that it's based on.
    answer TEXT,
    asked TEXT,
    version TEXT,
    -- Text of the user that replaces the answer.
    edited TEXT,
    failure TEXT,
    -- 1 for a pending cell, and 1 if its answer will replace the user's text.
    wanted INTEGER NOT NULL DEFAULT 0,
    replaces INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    held_until INTEGER,
    revision INTEGER NOT NULL,
    PRIMARY KEY (matrix_id, column_id, row_id)
  ) STRICT;
  CREATE INDEX matrix_cells_changed ON matrix_cells (matrix_id, revision);
  CREATE INDEX matrix_cells_wanted ON matrix_cells (matrix_id) WHERE wanted = 1;

  -- Cells have their own revisions. Lists of tables show only titles.
  CREATE TRIGGER matrices_told_insert AFTER INSERT ON matrices BEGIN
    UPDATE told_changes SET count = count + 1;
  END;
  CREATE TRIGGER matrices_told_update AFTER UPDATE OF title ON matrices BEGIN
    UPDATE told_changes SET count = count + 1;
  END;
  CREATE TRIGGER matrices_told_delete AFTER DELETE ON matrices BEGIN
    UPDATE told_changes SET count = count + 1;
  END;
  `,
  `
  -- Template of a note, and the start of the changes that it describes.
  ALTER TABLE made_notes ADD COLUMN template TEXT;

  -- Cache of a model's notes on parts of the sources. "task" identifies the request, and "key" the text.
  CREATE TABLE made_parts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL,
    key TEXT NOT NULL,
    places TEXT NOT NULL,
    notes TEXT NOT NULL,
    UNIQUE (task, key)
  ) STRICT;
  -- A part is deleted with its documents.
  CREATE TABLE made_part_documents (
    part_id INTEGER NOT NULL REFERENCES made_parts (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (part_id, document_id)
  ) STRICT;
  CREATE INDEX made_parts_of_document ON made_part_documents (document_id);
  CREATE TRIGGER made_parts_of_gone AFTER DELETE ON made_part_documents BEGIN
    DELETE FROM made_parts WHERE id = old.part_id;
  END;

  -- Generated notes that were started but aren't finished.
  CREATE TABLE unfinished_writings (
    title TEXT PRIMARY KEY,
    wish TEXT NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    begun_at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Team notebook that this one syncs with; at most one row. "applying" is 1 while the team's changes are written, and the
  -- revisions are the last downloaded ones. One window at a time syncs.
  CREATE TABLE team (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    team_id TEXT NOT NULL,
    notebook_id TEXT NOT NULL,
    applying INTEGER NOT NULL DEFAULT 0,
    sources_revision INTEGER NOT NULL DEFAULT 0,
    documents_revision INTEGER NOT NULL DEFAULT 0,
    notes_revision INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    claimed_at INTEGER
  ) STRICT;

  -- Local changes to send, and the reason if the team's database rejected one. A further change gets a new number.
  CREATE TABLE team_outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    refused TEXT,
    UNIQUE (kind, id)
  ) STRICT;

  -- Documents of the team, each with a hash of its data.
  CREATE TABLE team_documents (id TEXT PRIMARY KEY, stamp TEXT NOT NULL) STRICT;

  -- The team's versions of notes that the local ones are based on.
  CREATE TABLE team_notes (
    note_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  ${sentToTeam('sources', 'source', { changed: 'title, origin', id: (row) => `${row}.id` })}
  ${sentToTeam('documents', 'document', { changed: 'source_id, key, title, uri, text, hash', id: (row) => `${row}.source_id || char(10) || ${row}.key` })}
  ${sentToTeam('notes', 'note', { changed: 'title, text', id: (row) => `${row}.id` })}
  ${sentToTeam('bibliographies', 'document', { changed: 'edited', id: (row) => `(SELECT source_id || char(10) || key FROM documents WHERE id = ${row}.document_id)`, deeds: ['UPDATE'] })}
  ${sentToTeam('note_citations', 'note', { id: (row) => `${row}.note_id`, deeds: ['INSERT'] })}
  `,
  `
  -- Conversations stay on this machine unless the user shares them. "shared_by" and "asked_by" are null for the user's own.
  ALTER TABLE conversations ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE conversations ADD COLUMN shared_by TEXT;
  ALTER TABLE turns ADD COLUMN asked_by TEXT;

  ALTER TABLE team ADD COLUMN things_revision INTEGER NOT NULL DEFAULT 0;

  -- The team's versions of other entities that the local ones are based on, packed.
  CREATE TABLE team_things (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT;

  -- Workspace paths of files and folders that another member added, and who added and changed which entity when.
  CREATE TABLE team_places (source_id TEXT PRIMARY KEY, path TEXT NOT NULL) STRICT;
  CREATE TABLE team_deeds (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    added_by TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    changed_by TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT;
  -- Downloads everything again to get the members.
  UPDATE team SET sources_revision = 0, notes_revision = 0;
  ${sentToTeam('file_annotations', 'annotations', { changed: 'annotations', id: (row) => `${row}.uri` })}
  ${sentToTeam('researches', 'research', { changed: 'goal, scope, bounds, options, report, plan_number', id: (row) => `${row}.id` })}
  ${sentToTeam('research_comments', 'research', { changed: 'is_heard', id: (row) => `${row}.research_id`, deeds: ['INSERT', 'UPDATE'] })}
  ${sentToTeam('research_products', 'step', { changed: 'text, statements, citations', id: (row) => `${row}.research_id || '/' || ${row}.step_id`, deeds: ['INSERT', 'UPDATE'] })}
  ${sentToTeam('bibliographies', 'document', { id: (row) => `(SELECT source_id || char(10) || key FROM documents WHERE id = ${row}.document_id)`, deeds: ['INSERT'] })}
  CREATE TRIGGER research_comments_sent_delete AFTER DELETE ON research_comments
  WHEN EXISTS (SELECT 1 FROM team WHERE applying = 0) AND EXISTS (SELECT 1 FROM researches WHERE id = old.research_id) BEGIN
    DELETE FROM team_outbox WHERE kind = 'research' AND id = old.research_id;
    INSERT INTO team_outbox (kind, id) VALUES ('research', old.research_id);
  END;
  CREATE TRIGGER research_steps_sent AFTER UPDATE OF state ON research_steps
  WHEN EXISTS (SELECT 1 FROM team WHERE applying = 0) AND new.state <> old.state
    AND (new.state IN ('done', 'failed') OR old.state IN ('done', 'failed')) BEGIN
    DELETE FROM team_outbox WHERE kind = 'step' AND id = new.research_id || '/' || new.id;
    INSERT INTO team_outbox (kind, id) VALUES ('step', new.research_id || '/' || new.id);
  END;
  CREATE TRIGGER conversations_sent AFTER UPDATE OF title, shared ON conversations
  WHEN EXISTS (SELECT 1 FROM team WHERE applying = 0) AND (new.shared = 1 OR old.shared = 1) BEGIN
    DELETE FROM team_outbox WHERE kind = 'conversation' AND id = new.id;
    INSERT INTO team_outbox (kind, id) VALUES ('conversation', new.id);
    DELETE FROM team_outbox WHERE kind = 'turn' AND new.shared <> old.shared
      AND id IN (SELECT id FROM turns WHERE conversation_id = new.id);
    INSERT INTO team_outbox (kind, id)
      SELECT 'turn', id FROM turns WHERE conversation_id = new.id AND new.shared > old.shared;
  END;
  CREATE TRIGGER conversations_sent_delete AFTER DELETE ON conversations
  WHEN EXISTS (SELECT 1 FROM team WHERE applying = 0) AND old.shared = 1 BEGIN
    DELETE FROM team_outbox WHERE kind = 'conversation' AND id = old.id;
    INSERT INTO team_outbox (kind, id) VALUES ('conversation', old.id);
  END;
  ${['INSERT', 'UPDATE OF question, state, answer, rating', 'DELETE']
    .map((deed) => {
      const row = deed === 'DELETE' ? 'old' : 'new';
      return `CREATE TRIGGER turns_sent_${deed.slice(0, 6).toLowerCase()} AFTER ${deed} ON turns
  WHEN EXISTS (SELECT 1 FROM team WHERE applying = 0)
    AND (SELECT shared FROM conversations WHERE id = ${row}.conversation_id) = 1 BEGIN
    DELETE FROM team_outbox WHERE kind = 'turn' AND id = ${row}.id;
    INSERT INTO team_outbox (kind, id) VALUES ('turn', ${row}.id);
  END;`;
    })
    .join('\n  ')}
  `,
  `
  -- Documents of a team that were downloaded for a question, with the time of their last use in milliseconds since 1970.
  CREATE TABLE team_brought (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    used_at INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Last known rights in the team's notebook: 1 can view, 2 can edit, 3 can manage.
  ALTER TABLE team ADD COLUMN level INTEGER NOT NULL DEFAULT 2;

  -- Notes that contain conflicting versions, so that no search through all texts is needed.
  CREATE TABLE torn_notes (note_id TEXT PRIMARY KEY REFERENCES notes (id) ON DELETE CASCADE) STRICT;
  INSERT INTO torn_notes SELECT id FROM notes WHERE text GLOB '${TORN}';
  CREATE TRIGGER notes_torn_insert AFTER INSERT ON notes WHEN new.text GLOB '${TORN}' BEGIN
    INSERT INTO torn_notes VALUES (new.id);
  END;
  CREATE TRIGGER notes_torn_update AFTER UPDATE OF text ON notes WHEN new.text <> old.text BEGIN
    DELETE FROM torn_notes WHERE note_id = new.id;
    INSERT INTO torn_notes SELECT new.id WHERE new.text GLOB '${TORN}';
  END;

  -- Tables, decks, and quizzes are shared with the team. Review history, quiz answers, and pending cells stay on this
  -- machine, so changes of their columns aren't recorded.
  ${sentToTeam('matrices', 'matrix', { changed: 'title, source_ids, columns', id: (row) => `${row}.id` })}
  ${sentToTeam('card_decks', 'deck', { changed: 'title, source_ids, made_of', id: (row) => `${row}.id` })}
  ${sentToTeam('quizzes', 'quiz', { changed: 'title, questions', id: (row) => `${row}.id` })}
  ${sentToTeam('made_notes', 'note', { changed: 'thing, source_ids, made_of, text, made_at, template', id: (row) => `${row}.note_id`, deeds: ['INSERT', 'UPDATE'] })}
  ${sentToTeam('cards', 'card', { id: cardId, deeds: ['INSERT'] })}
  ${sentToTeam('cards', 'card', {
    changed: 'place, front, back, citation, document_hash, is_stale, is_edited, removed_at',
    id: cardId,
    deeds: ['UPDATE'],
    where: `(old.place, old.front, old.back, old.citation, old.document_hash, old.is_stale, old.is_edited, old.removed_at) IS NOT
      (new.place, new.front, new.back, new.citation, new.document_hash, new.is_stale, new.is_edited, new.removed_at)`,
  })}
  ${sentToTeam('matrix_cells', 'cell', { id: cellId, deeds: ['INSERT'], where: 'coalesce(new.answer, new.edited) IS NOT NULL' })}
  ${sentToTeam('matrix_cells', 'cell', {
    changed: 'answer, asked, version, edited',
    id: cellId,
    deeds: ['UPDATE'],
    where:
      '(old.answer, old.asked, old.version, old.edited) IS NOT (new.answer, new.asked, new.version, new.edited)',
  })}
  ${sentToTeam('matrix_cells', 'cell', {
    id: cellId,
    deeds: ['DELETE'],
    where:
      'coalesce(old.answer, old.edited) IS NOT NULL AND EXISTS (SELECT 1 FROM matrices WHERE id = old.matrix_id)',
  })}
  -- Sends existing entities, and downloads those that the earlier version skipped.
  INSERT INTO team_outbox (kind, id)
    SELECT kind, id FROM (
      SELECT 'matrix' AS kind, id FROM matrices
      UNION ALL SELECT 'cell', ${cellId('matrix_cells')} FROM matrix_cells WHERE coalesce(answer, edited) IS NOT NULL
      UNION ALL SELECT 'deck', id FROM card_decks
      UNION ALL SELECT 'card', ${cardId('cards')} FROM cards
      UNION ALL SELECT 'quiz', id FROM quizzes
      UNION ALL SELECT 'note', note_id FROM made_notes)
    WHERE EXISTS (SELECT 1 FROM team)
    ON CONFLICT DO NOTHING;
  UPDATE team SET things_revision = 0;
  `,
  `
  -- Number of the team's documents in a source, if this machine doesn't store all.
  ALTER TABLE team_deeds ADD COLUMN documents INTEGER;
  CREATE TRIGGER team_deeds_told_update AFTER UPDATE OF documents ON team_deeds
  WHEN old.documents IS NOT new.documents BEGIN
    UPDATE told_changes SET count = count + 1;
  END;
  `,
  `
  -- Sources of a quiz, as for decks and notes. Quizzes, and decks by a model, for which they weren't recorded get the
  -- sources that they cite.
  ALTER TABLE quizzes ADD COLUMN source_ids TEXT;
  ALTER TABLE quizzes ADD COLUMN made_of TEXT;
  ALTER TABLE quizzes ADD COLUMN maker TEXT;
  UPDATE quizzes SET
    maker = iif(instr(questions, '**\\\\_\\\\_\\\\_'), 'definition', 'model'),
    source_ids = (SELECT json_group_array(DISTINCT d.source_id)
      FROM json_each(iif(json_valid(questions), questions, '[]')) q
        JOIN documents d ON d.id = json_extract(questions, q.fullkey || '.citation.documentId'));
  UPDATE quizzes SET made_of = ${versionsNow('quizzes')};
  UPDATE card_decks SET source_ids = (SELECT json_group_array(DISTINCT d.source_id)
      FROM cards c JOIN documents d ON d.id = c.document_id WHERE c.deck_id = card_decks.id AND c.maker = 'model')
    WHERE made_of IS NULL AND EXISTS (SELECT 1 FROM cards c WHERE c.deck_id = card_decks.id AND c.maker = 'model');
  UPDATE card_decks SET made_of = ${versionsNow('card_decks')} WHERE made_of IS NULL AND source_ids IS NOT NULL;
  -- Previous text of a cell, until the user has seen the new one.
  ALTER TABLE matrix_cells ADD COLUMN was TEXT;
  DROP TRIGGER quizzes_sent_update;
  ${sentToTeam('quizzes', 'quiz', {
    changed: 'title, questions, source_ids, made_of, maker',
    id: (row) => `${row}.id`,
    deeds: ['UPDATE'],
  })}
  `,
  `
  -- Time until which a downloaded document waits for the team's vectors, in milliseconds since 1970.
  CREATE TABLE team_awaited (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    until INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Local files whose highlights the user shares although another member added their source.
  CREATE TABLE team_shared_files (uri TEXT PRIMARY KEY) STRICT;
  -- Highlights from before another member added their document. They are never sent.
  CREATE TABLE team_private_marks (uri TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (uri, key)) STRICT;
  -- Detaches documents from local files that were matched only by path. Now their contents are compared first.
  UPDATE team SET applying = 1;
  UPDATE documents SET uri = '', text = text WHERE uri GLOB 'file:*' AND EXISTS (SELECT 1 FROM team)
    AND source_id IN (SELECT id FROM sources WHERE json_valid(origin) AND origin ->> '$.kind' = 'copy');
  UPDATE team SET applying = 0;
  `,
  `
  -- Place of the text that was selected for a question, as JSON; null without a selection.
  ALTER TABLE turns ADD COLUMN selection TEXT;

  -- Hidden answers of a turn, each with its question. The row of the turn has the visible one.
  ALTER TABLE turns ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  CREATE TABLE turn_versions (
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    question TEXT NOT NULL,
    state TEXT NOT NULL,
    answer TEXT,
    rating TEXT,
    scope TEXT,
    usage TEXT,
    PRIMARY KEY (turn_id, version)
  ) STRICT;
  `,
  `
  -- Counts the passages by format without the rows of the documents, which contain their texts.
  CREATE INDEX documents_by_format ON documents (format, passages);
  `,
  `
  -- Documents are looked up by the file in the editor and by PDFs with annotations, of which there may be many.
  CREATE INDEX documents_by_uri ON documents (uri);

  -- Counts the passages and unrecognized pages of the sources without the rows of the documents.
  CREATE INDEX documents_by_source ON documents (source_id, passages, unrecognised);
  `,
];

/** Returns SQL for the current versions of the documents in a row's sources, in the format of generated content. */
function versionsNow(table: string): string {
  return `(SELECT json_group_array(json_object('documentId', d.id, 'hash', substr(d.hash, 1, 16)))
    FROM documents d WHERE d.source_id IN (SELECT value FROM json_each(${table}.source_ids)))`;
}

/** Returns SQL for the ID of a card among the pending changes. */
function cardId(row: string): string {
  return `${row}.deck_id || char(10) || ${row}.key`;
}
function cellId(row: string): string {
  return `${row}.matrix_id || char(10) || ${row}.column_id || char(10) || ${row}.row_id`;
}

/**
 * Returns triggers that add to the pending changes for the team. `changed` has the columns to watch, and `where` is a
 * condition.
 */
function sentToTeam(
  table: string,
  kind:
    | 'annotations'
    | 'card'
    | 'cell'
    | 'deck'
    | 'document'
    | 'matrix'
    | 'note'
    | 'quiz'
    | 'research'
    | 'source'
    | 'step',
  {
    changed = '',
    id,
    deeds = ['INSERT', 'UPDATE', 'DELETE'],
    where,
  }: {
    readonly changed?: string;
    readonly id: (row: 'new' | 'old') => string;
    readonly deeds?: readonly ('DELETE' | 'INSERT' | 'UPDATE')[];
    readonly where?: string;
  },
): string {
  return deeds
    .map((deed) => {
      const rows =
        deed === 'UPDATE'
          ? (['old', 'new'] as const)
          : [deed === 'DELETE' ? ('old' as const) : ('new' as const)];
      const noted = rows.map(
        (row) => `DELETE FROM team_outbox WHERE kind = '${kind}' AND id = ${id(row)};
    INSERT INTO team_outbox (kind, id) VALUES ('${kind}', ${id(row)});`,
      );
      return `CREATE TRIGGER ${table}_sent_${deed.toLowerCase()} AFTER ${deed}${deed === 'UPDATE' ? ` OF ${changed}` : ''} ON ${table}
  WHEN EXISTS (SELECT 1 FROM team WHERE applying = 0)${where === undefined ? '' : ` AND ${where}`} BEGIN
    ${[...new Set(noted)].join('\n    ')}
  END;`;
    })
    .join('\n  ');
}

/** Returns triggers that count the changes of these tables. */
function changeCounters(tables: readonly string[]): string {
  return tables
    .flatMap((table) =>
      ['INSERT', 'UPDATE', 'DELETE'].map(
        (deed) =>
          `CREATE TRIGGER ${table}_told_${deed.toLowerCase()} AFTER ${deed} ON ${table} BEGIN
    UPDATE told_changes SET count = count + 1;
  END;`,
      ),
    )
    .join('\n  ');
}
