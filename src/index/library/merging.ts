import type { Answer, Citation } from '../../core/domain/answer.ts';
import { portableFeatures } from '../../features/store.ts';
import type { Scope } from '../../core/domain/scope.ts';
import { GeneratedNotes } from '../store/notes/generated-notes.ts';
import { Notes } from '../store/notes/notes.ts';
import type { Row } from '../store/database/database.ts';
import { storedAnswer, storedScope, readOptionalJson } from '../store/database/stored-json.ts';
import type { Statements } from '../store/database/statements.ts';
import type { AddedToNotebook, DocumentNumbers, LibraryProgress } from './library-api.ts';
import { renumberOrigin } from './portable-origins.ts';
import type { Renumbering } from './portable-feature.ts';
import { copySources, insert, removeSources, matchSources } from './transfer.ts';

/** Numbers and IDs of a notebook's documents and sources in another notebook. */
interface Names {
  readonly documents: DocumentNumbers;
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Adds all sources, notes, conversations, and entities of features to another notebook, in one transaction. Existing
 * ones stay: sources with the same ID or origin, notes with the same text, questions with the same ID, and what each
 * feature recognizes. Citations get the document numbers of the other notebook.
 */
export function mergeNotebook(
  origin: Statements,
  target: Statements,
  report: (progress: LibraryProgress) => void,
): AddedToNotebook {
  return origin.reading(() =>
    target.transaction(() => {
      const known = matchSources(origin, target);
      const sourceIds = origin.texts('SELECT id FROM sources');
      const { copied, numbers } = copySources(origin, target, { sourceIds, numbers: undefined }, report);
      const documents = new Map([...numbers, ...matchDocuments(origin, target, known)]);
      const names = { documents, sources: known };
      return {
        sources: copied,
        notes: addNotes(origin, target, names),
        ...addConversations(origin, target, names),
        entities: addFeatureEntities(origin, target, names),
      };
    }),
  );
}

/**
 * Removes the entities added to a notebook from another one. Notes and entities of features that were changed since
 * stay.
 */
export function unmergeNotebook(sql: Statements, added: AddedToNotebook): void {
  sql.transaction(() => {
    removeSources(sql, added.sources);
    for (const { id, changedAt } of added.notes)
      sql.run('DELETE FROM notes WHERE id = ? AND changed_at = ?', id, changedAt);
    for (const { field, unmerge } of portableFeatures) unmerge(sql, added.entities[field] ?? []);
    for (const id of added.turns) sql.run('DELETE FROM turns WHERE id = ?', id);
    for (const id of added.conversations)
      sql.run(
        'DELETE FROM conversations WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM turns WHERE conversation_id = ?1)',
        id,
      );
  });
}

/** Yields pairs of document numbers in both notebooks, for documents of known sources. */
function* matchDocuments(
  origin: Statements,
  target: Statements,
  known: ReadonlyMap<string, string>,
): Generator<[number, number]> {
  for (const [here, there] of known)
    for (const { id, key } of origin.all('SELECT id, key FROM documents WHERE source_id = ?', here)) {
      const found = target.get(
        'SELECT id FROM documents WHERE source_id = ? AND key = ?',
        there,
        String(key),
      );
      if (found !== undefined) yield [Number(id), Number(found['id'])];
    }
}

function addNotes(origin: Statements, target: Statements, names: Names): AddedToNotebook['notes'] {
  const [here, there] = [new Notes(origin), new Notes(target)];
  const [originNotes, targetNotes] = [new GeneratedNotes(origin), new GeneratedNotes(target)];
  // Add the oldest note first.
  const added = here
    .list()
    .reverse()
    .flatMap(({ title }) => {
      const { text, createdAt, changedAt, citations } = here.open(title);
      // A note whose title got a number is recognized by its creation time.
      const same = 'SELECT 1 FROM notes WHERE text = ? AND (title = ? OR created_at = ?)';
      if (target.get(same, text, title, createdAt) !== undefined) return [];
      const renamed = citations.map(({ id, citation }) => ({ id, citation: mapCitation(citation, names) }));
      const note = there.add({ title, text, createdAt, changedAt, citations: renamed });
      const of = originNotes.find(title);
      if (of !== undefined) targetNotes.keep(note.title, renumberOrigin(of, names.documents, names.sources));
      return [note];
    });
  return added.map(({ id, changedAt }) => ({ id, changedAt }));
}

/** Adds the entities of features. Returns the new ones by the features' fields. */
function addFeatureEntities(
  origin: Statements,
  target: Statements,
  names: Names,
): AddedToNotebook['entities'] {
  const renumbering: Renumbering = {
    citation: (citation) => mapCitation(citation, names),
    answer: (answer) => mapAnswer(answer, names),
    origin: (of) => renumberOrigin(of, names.documents, names.sources),
    scope: (scope) => mapScope(scope, names),
    sourceId: (id) => names.sources.get(id) ?? id,
    documentId: (id) => names.documents.get(id),
  };
  return Object.fromEntries(
    portableFeatures.map(({ field, merge }) => [field, merge(origin, target, renumbering)]),
  );
}

function addConversations(
  origin: Statements,
  target: Statements,
  names: Names,
): Pick<AddedToNotebook, 'conversations' | 'turns'> {
  const conversations: string[] = [];
  const turns: string[] = [];
  for (const conversation of origin.all('SELECT * FROM conversations ORDER BY created_at, rowid')) {
    const id = String(conversation['id']);
    const turnRows = origin.all('SELECT * FROM turns WHERE conversation_id = ? ORDER BY asked_at, rowid', id);
    const added = turnRows.filter((turn) => !has(target, 'turns', turn));
    if (added.length === 0) continue;
    if (!has(target, 'conversations', conversation)) {
      insert(target, 'conversations', conversation);
      conversations.push(id);
    }
    for (const turn of added) {
      insert(target, 'turns', mapTurn(turn, names));
      for (const version of origin.all('SELECT * FROM turn_versions WHERE turn_id = ?', String(turn['id'])))
        insert(target, 'turn_versions', mapTurn(version, names));
      turns.push(String(turn['id']));
    }
  }
  return { conversations, turns };
}

function has(sql: Statements, table: 'conversations' | 'turns', { id }: Row): boolean {
  return sql.has(`SELECT 1 FROM ${table} WHERE id = ?`, String(id));
}

function mapTurn(turn: Row, names: Names): Row {
  const answer = readOptionalJson(storedAnswer, turn['answer']);
  const scope = readOptionalJson(storedScope, turn['scope']);
  return {
    ...turn,
    answer: answer === undefined ? null : JSON.stringify(mapAnswer(answer, names)),
    scope: scope === undefined ? null : JSON.stringify(mapScope(scope, names)),
  };
}

function mapAnswer(answer: Answer, names: Names): Answer {
  return { ...answer, citations: answer.citations.map((citation) => mapCitation(citation, names)) };
}

function mapScope(scope: Scope, { sources }: Names): Scope {
  if (scope.kind !== 'sources') return scope;
  const mapId = (id: string): string => sources.get(id) ?? id;
  const { paths } = scope;
  return {
    ...scope,
    sourceIds: scope.sourceIds.map(mapId),
    ...(paths && { paths: paths.map((rule) => ({ ...rule, sourceId: mapId(rule.sourceId) })) }),
  };
}

/** Returns a citation for the other notebook. A document that wasn't copied has no number there. */
function mapCitation(citation: Citation, { documents, sources }: Names): Citation {
  const { documentId, sourceId } = citation;
  return {
    ...citation,
    documentId: documents.get(documentId) ?? 0,
    sourceId: sources.get(sourceId) ?? sourceId,
  };
}
