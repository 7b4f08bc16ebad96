import {
  count,
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
import { storedCardUndo, storedQuestions, storedReplies, storedSchedule } from './stored-json.ts';

/** Decks and quizzes in a damaged database. */
export const recoverableFlashcards: RecoverableRows = {
  rules: {
    card_decks: {
      id: text,
      title: text,
      source_ids: maybe(json(storedTexts)),
      made_of: maybe(json(storedDocumentVersions)),
      created_at: or(integer, 0),
    },
    cards: {
      id: text,
      deck_id: text,
      key: text,
      place: or(count, 0),
      kind: text,
      maker: or(text, 'hand'),
      front: text,
      back: or(text, ''),
      citation: maybe(json(storedCitation)),
      document_id: maybe(count),
      document_hash: maybe(text),
      is_stale: or(count, 0),
      is_suspended: or(count, 0),
      is_edited: or(count, 0),
      removed_at: maybe(integer),
      state: or(count, 0),
      due: or(count, 0),
      schedule: maybe(json(storedSchedule)),
    },
    card_deeds: {
      id: count,
      card_id: text,
      deed: text,
      grade: maybe(count),
      at: or(integer, 0),
      before: json(storedCardUndo),
    },
    quizzes: {
      id: text,
      title: text,
      questions: json(storedQuestions),
      replies: or(json(storedReplies), '[]'),
      made_at: or(integer, 0),
    },
  },
  restore: (title) => `
    INSERT INTO card_decks (id, title, created_at)
      SELECT DISTINCT deck_id, ${title} || ' ' || substr(deck_id, 1, 8), 0 FROM cards
      WHERE deck_id NOT IN (SELECT id FROM card_decks);
    DELETE FROM card_deeds WHERE card_id NOT IN (SELECT id FROM cards);
    UPDATE cards SET state = 0, due = 0 WHERE schedule IS NULL;`,
};
