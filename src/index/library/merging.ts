import type { Answer, Citation } from '../../core/domain/answer.ts';
import { portableFeatures } from '../../features/store.ts';
import type { Scope } from '../../core/domain/scope.ts';
import type { Statements } from '../store/database/statements.ts';
import type { AddedToNotebook, DocumentNumbers, LibraryProgress } from './library-api.ts';
import { renumberOrigin } from './portable-origins.ts';
import type { Renumbering } from './portable-feature.ts';
import { copySources, removeSources, matchSources } from './transfer.ts';

/** Numbers and IDs of a notebook's documents and sources in another notebook. */
interface Names {
  readonly documents: DocumentNumbers;
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Adds all sources and entities of features to another notebook, in one transaction. Existing ones stay: sources with
 * the same ID or origin, and what each feature recognizes. Citations get the document numbers of the other notebook.
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
        entities: addFeatureEntities(origin, target, names),
      };
    }),
  );
}

/**
 * Removes the entities added to a notebook from another one. Entities of features that were changed since stay.
 */
export function unmergeNotebook(sql: Statements, added: AddedToNotebook): void {
  sql.transaction(() => {
    removeSources(sql, added.sources);
    // Undo in the reverse order, since later entities may belong to earlier ones.
    for (const { field, unmerge } of portableFeatures.toReversed()) unmerge(sql, added.entities[field] ?? []);
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
      const row = target.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', there, String(key));
      if (row !== undefined) yield [Number(id), Number(row['id'])];
    }
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
