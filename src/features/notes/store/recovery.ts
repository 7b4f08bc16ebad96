import {
  integer,
  json,
  maybe,
  or,
  text,
  type RecoverableRows,
} from '../../../index/store/database/column-rules.ts';
import {
  storedCitation,
  storedDocumentVersions,
  storedTexts,
} from '../../../index/store/database/stored-json.ts';

/** Notes in a damaged database. */
export const recoverableNotes: RecoverableRows = {
  rules: {
    notes: { id: text, title: text, text, created_at: or(integer, 0), changed_at: or(integer, 0) },
    note_citations: { note_id: text, id: text, citation: json(storedCitation) },
    made_notes: {
      note_id: text,
      thing: text,
      source_ids: maybe(json(storedTexts)),
      made_of: json(storedDocumentVersions),
      text,
      made_at: or(integer, 0),
      template: maybe(json()),
    },
  },
  restore: () => `
    DELETE FROM note_citations WHERE note_id NOT IN (SELECT id FROM notes);
    DELETE FROM made_notes WHERE note_id NOT IN (SELECT id FROM notes);`,
};
