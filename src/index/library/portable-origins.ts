import * as v from 'valibot';
import {
  NOTE_ARTIFACTS,
  partId,
  readPartId,
  type ArtifactOrigin,
  type GeneratedNote,
} from '../../core/domain/artifact.ts';
import { storedDocumentVersions, storedTexts, storedWritingWish } from '../store/database/stored-json.ts';
import { finite, optional } from './exported-values.ts';

const common = {
  sourceIds: optional(storedTexts),
  madeOf: storedDocumentVersions,
  text: v.string(),
  madeAt: finite,
};

/** Schema for the sources and settings of an exported note; undefined if it's invalid or a newer version wrote it. */
export const exportedGeneratedNote = v.fallback(
  optional(
    v.union([
      v.object({ ...common, thing: v.picklist(NOTE_ARTIFACTS) }),
      v.pipe(
        v.object({ ...common, thing: v.literal('template'), wish: storedWritingWish }),
        v.transform(({ wish: { template, since }, ...made }) => ({ ...made, template, since })),
      ),
    ]),
  ),
  undefined,
);

/** Returns a note's sources and settings for its exported line. Documents have their exported numbers. */
export function portableGeneratedNote(generated: GeneratedNote): object {
  if (generated.thing !== 'template') return generated;
  const { template, since, ...others } = generated;
  return { ...others, wish: { template, since } };
}

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
