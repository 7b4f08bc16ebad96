import * as v from 'valibot';
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
  storedAnswer,
  storedRating,
  storedScope,
  storedSelection,
  storedTurnState,
  storedUsage,
} from '../../../index/store/database/stored-json.ts';

/** Conversations in a damaged database. */
export const recoverableConversations: RecoverableRows = {
  rules: {
    conversations: {
      id: text,
      created_at: or(integer, 0),
      draft: or(text, ''),
      title: maybe(text),
      model: maybe(json(v.looseObject({}))),
      // A recovered notebook no longer syncs with its team.
      shared: { fits: (value) => value === 0, instead: 0 },
      shared_by: { fits: (value) => value === null, instead: null },
    },
    turns: {
      id: text,
      conversation_id: text,
      question: text,
      asked_at: or(integer, 0),
      state: or(json(storedTurnState), '{"kind":"interrupted"}'),
      answer: maybe(json(storedAnswer)),
      rating: maybe({ fits: (value) => v.is(storedRating, value) }),
      scope: maybe(json(storedScope)),
      usage: maybe(json(storedUsage)),
      asked_by: maybe(text),
      selection: maybe(json(storedSelection)),
      version: or(count, 1),
    },
    turn_versions: {
      turn_id: text,
      version: count,
      question: text,
      state: or(json(storedTurnState), '{"kind":"interrupted"}'),
      answer: json(storedAnswer),
      rating: maybe({ fits: (value) => v.is(storedRating, value) }),
      scope: maybe(json(storedScope)),
      usage: maybe(json(storedUsage)),
    },
  },
  restore: () => `
    INSERT INTO conversations (id, created_at)
      SELECT conversation_id, min(asked_at) FROM turns
      WHERE conversation_id NOT IN (SELECT id FROM conversations) GROUP BY conversation_id;
    DELETE FROM turn_versions WHERE turn_id NOT IN (SELECT id FROM turns);`,
};
