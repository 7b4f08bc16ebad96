import { partId, readPartId, type ArtifactOrigin } from '../../core/domain/artifact.ts';

/** Replaces the document numbers and source IDs in the origin of a note or deck with those in another notebook. */
export function renumberOrigin<Origin extends ArtifactOrigin>(
  origin: Origin,
  documentIds: ReadonlyMap<number, number>,
  sources: ReadonlyMap<string, string> = new Map(),
): Origin {
  return {
    ...origin,
    sourceIds: origin.sourceIds?.map((id) => {
      const { sourceId, path } = readPartId(id);
      return partId(sources.get(sourceId) ?? sourceId, path);
    }),
    documents: origin.documents.flatMap(({ documentId, hash }) => {
      const newId = documentIds.get(documentId);
      return newId === undefined ? [] : [{ documentId: newId, hash }];
    }),
  };
}
