import * as v from 'valibot';
import type { Turn } from '../../../core/domain/answer.ts';
import { conversationAsMarkdown } from '../../../core/domain/answer-markdown.ts';
import { pathRule } from '../../../core/domain/included-paths.ts';
import { finite, optional, title, wholeNumber } from '../../../index/library/exported-values.ts';
import type { AddedEntity } from '../../../index/library/library-api.ts';
import type { PortableFeature, Renumbering } from '../../../index/library/portable-feature.ts';
import { portableAnswer } from '../../../index/library/portable-places.ts';
import { readAnswer, type ImportedPlaces } from '../../../index/library/read-citations.ts';
import { optionalText, type Row } from '../../../index/store/database/database.ts';
import { readOptionalJson, storedAnswer, storedScope } from '../../../index/store/database/stored-json.ts';
import { optionalJson, type Statements } from '../../../index/store/database/statements.ts';
import { Conversations } from './conversations.ts';

const exportedTurn = v.object({
  id: v.string(),
  question: v.string(),
  askedAt: finite,
  state: v.union([
    v.object({ kind: v.literal('done'), milliseconds: finite }),
    v.pipe(
      v.object({ kind: v.string() }),
      v.transform(() => ({ kind: 'stopped' as const })),
    ),
  ]),
  answer: optional(v.unknown()),
  rating: optional(v.picklist(['bad', 'good'])),
  scope: optional(
    v.object({
      kind: v.literal('sources'),
      sourceIds: v.array(v.string()),
      mentioned: v.boolean(),
      paths: v.exactOptional(v.array(pathRule)),
    }),
  ),
});

const exportedLine = v.variant('type', [
  v.object({
    type: v.literal('conversation'),
    id: v.string(),
    createdAt: wholeNumber,
    title: optional(title),
  }),
  v.looseObject({ type: v.literal('turn') }),
]);

/** Returns a turn for export, with citations that are valid elsewhere. `roots` are URIs of workspace folders. */
export function portableTurn(
  { id, question, askedAt, state, answer, rating, scope }: Turn,
  roots: readonly string[],
): object {
  return {
    id,
    question,
    askedAt,
    // Errors don't matter elsewhere, and may name something local.
    state: state.kind === 'done' ? state : { kind: 'stopped' },
    answer: answer && portableAnswer(answer, roots),
    rating,
    scope: scope?.kind === 'sources' ? scope : undefined,
  };
}

/** Parses a turn of an exported conversation. @throws ValiError if it isn't valid */
export function readTurn(json: unknown, places: ImportedPlaces): Turn {
  const turn = v.parse(exportedTurn, json);
  return { ...turn, answer: turn.answer === undefined ? undefined : readAnswer(turn.answer, places) };
}

/** Yields the lines of all conversations with turns, each before its turns. */
function* exportedLines(sql: Statements, roots: readonly string[]): Generator<object> {
  const conversations = new Conversations(sql);
  for (const row of sql.all('SELECT id, title, created_at FROM conversations ORDER BY created_at, rowid')) {
    const id = String(row['id']);
    const turns = conversations.allTurns(id);
    if (turns.length === 0) continue;
    yield {
      type: 'conversation',
      id,
      title: optionalText(row['title']),
      createdAt: Number(row['created_at']),
    };
    for (const turn of turns) yield { type: 'turn', ...portableTurn(turn, roots) };
  }
}

/** Returns a function that adds the conversation of a line, or a turn of the last added one. */
function lineImporter(sql: Statements, places: ImportedPlaces): (json: unknown) => void {
  const conversations = new Conversations(sql);
  let conversationId: string | undefined;
  return (json) => {
    const entity = v.parse(exportedLine, json);
    if (entity.type === 'conversation') {
      const { id, createdAt, title: name } = entity;
      sql.transaction(() => sql.insert('conversations', { id, created_at: createdAt, title: name }));
      conversationId = id;
    } else {
      if (conversationId === undefined) throw new Error('A turn without a conversation.');
      conversations.putTurn(conversationId, readTurn(entity, places));
    }
  };
}

/** Adds the conversations that the other notebook lacks and that have turns to add, without their turns. */
function mergeConversations(origin: Statements, target: Statements): AddedEntity[] {
  return conversationRows(origin).flatMap((conversation) => {
    const isThere = has(target, 'conversations', conversation);
    if (isThere || turnsToAdd(origin, target, conversation).length === 0) return [];
    target.copyRow('conversations', conversation);
    return [{ id: String(conversation['id']) }];
  });
}

/** Adds the turns that the other notebook lacks, with all of their answers, to its conversations. */
function mergeTurns(origin: Statements, target: Statements, renumbering: Renumbering): AddedEntity[] {
  return conversationRows(origin)
    .flatMap((conversation) => turnsToAdd(origin, target, conversation))
    .map((turn) => {
      const id = String(turn['id']);
      target.copyRow('turns', mapTurn(turn, renumbering));
      for (const version of origin.all('SELECT * FROM turn_versions WHERE turn_id = ?', id))
        target.copyRow('turn_versions', mapTurn(version, renumbering));
      return { id };
    });
}

function conversationRows(sql: Statements): Row[] {
  return sql.all('SELECT * FROM conversations ORDER BY created_at, rowid');
}

/** Returns the rows of a conversation's turns that another notebook lacks. */
function turnsToAdd(origin: Statements, target: Statements, conversation: Row): Row[] {
  return origin
    .all('SELECT * FROM turns WHERE conversation_id = ? ORDER BY asked_at, rowid', String(conversation['id']))
    .filter((turn) => !has(target, 'turns', turn));
}

function has(sql: Statements, table: 'conversations' | 'turns', { id }: Row): boolean {
  return sql.has(`SELECT 1 FROM ${table} WHERE id = ?`, String(id));
}

/** Returns the row of a turn or of one of its answers, with references that are valid in the other notebook. */
function mapTurn(turn: Row, renumbering: Renumbering): Row {
  const answer = readOptionalJson(storedAnswer, turn['answer']);
  const scope = readOptionalJson(storedScope, turn['scope']);
  return {
    ...turn,
    answer: optionalJson(answer && renumbering.answer(answer)) ?? null,
    scope: optionalJson(scope && renumbering.scope(scope)) ?? null,
  };
}

/** Export, import, and merging of conversations. Only the merging of their turns is separate. */
export const portableConversations: PortableFeature = {
  field: 'conversations',
  lines: {
    limits: { conversation: 20_000, turn: 200_000 },
    exported: exportedLines,
    importer: lineImporter,
  },
  merge: mergeConversations,
  unmerge(sql, added) {
    for (const { id } of added)
      sql.run(
        'DELETE FROM conversations WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM turns WHERE conversation_id = ?1)',
        id,
      );
  },
  // Another notebook isn't shared with the team.
  resetCopy: (sql) => sql.run('UPDATE conversations SET shared = 0, shared_by = NULL'),
  *asMarkdown(sql, style) {
    const conversations = new Conversations(sql);
    for (const { id, title: name } of conversations.list('')) {
      const turns = conversations.allTurns(id);
      if (turns.length > 0)
        yield {
          folder: 'Conversations',
          title: name,
          text: conversationAsMarkdown(name, turns, style),
        };
    }
  },
};

/** Merging of turns, after that of their conversations. */
export const portableTurns: PortableFeature = {
  field: 'turns',
  merge: mergeTurns,
  unmerge(sql, added) {
    for (const { id } of added) sql.run('DELETE FROM turns WHERE id = ?', id);
  },
};
