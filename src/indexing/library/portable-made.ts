import * as v from 'valibot';
import type { DeckMade } from '../../notebook/cards.ts';
import { NOTE_THINGS, partId, readPartId, type MadeNote } from '../../notebook/studio.ts';
import { storedDocumentVersions, storedTexts, storedWritingWish } from '../store/database/stored-json.ts';
import { finite, optional } from './exported-values.ts';

const common = {
  sourceIds: optional(storedTexts),
  madeOf: storedDocumentVersions,
  text: v.string(),
  madeAt: finite,
};

/** Schema for the sources and settings of an exported note; undefined if it's invalid or a newer version wrote it. */
export const exportedMade = v.fallback(
  optional(
    v.union([
      v.object({ ...common, thing: v.picklist(NOTE_THINGS) }),
      v.pipe(
        v.object({ ...common, thing: v.literal('template'), wish: storedWritingWish }),
        v.transform(({ wish: { template, since }, ...made }) => ({ ...made, template, since })),
      ),
    ]),
  ),
  undefined,
);

/** Returns a note's sources and settings for its exported line. Documents have their exported numbers. */
export function portableMade(made: MadeNote): object {
  if (made.thing !== 'template') return made;
  const { template, since, ...others } = made;
  return { ...others, wish: { template, since } };
}

/** Replaces the document numbers and source IDs in the record of a note or deck with those in another notebook. */
export function renumberMade<Made extends DeckMade>(
  made: Made,
  documents: ReadonlyMap<number, number>,
  sources: ReadonlyMap<string, string> = new Map(),
): Made {
  return {
    ...made,
    sourceIds: made.sourceIds?.map((id) => {
      const { sourceId, path } = readPartId(id);
      return partId(sources.get(sourceId) ?? sourceId, path);
    }),
    madeOf: made.madeOf.flatMap(({ documentId, hash }) => {
      const there = documents.get(documentId);
      return there === undefined ? [] : [{ documentId: there, hash }];
    }),
  };
}
