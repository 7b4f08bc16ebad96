import * as v from 'valibot';
import type { DeckMade } from '../../notebook/cards.ts';
import { NOTE_THINGS, type MadeNote } from '../../notebook/studio.ts';
import { storedDocumentVersions, storedTexts, storedWritingWish } from '../store/database/stored-json.ts';
import { finite, optional } from './exported-values.ts';

const common = {
  sourceIds: optional(storedTexts),
  madeOf: storedDocumentVersions,
  text: v.string(),
  madeAt: finite,
};

/** What an exported note was made of; undefined where a newer version made it, or where it is none. */
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

/** What a note was made of as its exported line tells it: documents by their numbers there. */
export function portableMade(made: MadeNote): object {
  if (made.thing !== 'template') return made;
  const { template, since, ...others } = made;
  return { ...others, wish: { template, since } };
}

/** What a note or a deck was made of, under the numbers and ids that documents and sources have in another notebook. */
export function renumberMade<Made extends DeckMade>(
  made: Made,
  documents: ReadonlyMap<number, number>,
  sources: ReadonlyMap<string, string> = new Map(),
): Made {
  return {
    ...made,
    sourceIds: made.sourceIds?.map((id) => sources.get(id) ?? id),
    madeOf: made.madeOf.flatMap(({ documentId, hash }) => {
      const there = documents.get(documentId);
      return there === undefined ? [] : [{ documentId: there, hash }];
    }),
  };
}
