import { partId, readPartId, type ArtifactOrigin } from '../../core/domain/artifact.ts';

/** Replaces the document numbers and source IDs in the record of a note or deck with those in another notebook. */
export function renumberOrigin<Made extends ArtifactOrigin>(
  generated: Made,
  documents: ReadonlyMap<number, number>,
  sources: ReadonlyMap<string, string> = new Map(),
): Made {
  return {
    ...generated,
    sourceIds: generated.sourceIds?.map((id) => {
      const { sourceId, path } = readPartId(id);
      return partId(sources.get(sourceId) ?? sourceId, path);
    }),
    madeOf: generated.madeOf.flatMap(({ documentId, hash }) => {
      const newId = documents.get(documentId);
      return newId === undefined ? [] : [{ documentId: newId, hash }];
    }),
  };
}
