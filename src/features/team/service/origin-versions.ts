import * as v from 'valibot';
import { optional } from '../../../index/library/exported-values.ts';
import {
  readOptionalJson,
  storedDocumentVersions,
  storedTexts,
} from '../../../index/store/database/stored-json.ts';
import type { Row } from '../../../index/store/database/database.ts';
import type { LocalContext } from './synced-entity.ts';

/** Schema for the source versions of an artifact, with documents by their shared names. */
export const sharedOrigin = v.pipe(
  v.object({
    sourceIds: optional(v.array(v.string())),
    madeOf: v.array(v.object({ sourceId: v.string(), key: v.string(), hash: v.string() })),
  }),
  v.transform(({ madeOf: documents, ...origin }) => ({ ...origin, documents })),
);
type SharedOrigin = v.InferOutput<typeof sharedOrigin>;

/** Returns the source versions of a row, with documents by their shared names; undefined if it has none. */
export function findSharedOrigin({ sql }: LocalContext, row: Row): SharedOrigin | undefined {
  const documents = readOptionalJson(storedDocumentVersions, row['made_of'])?.flatMap(
    ({ documentId, hash }) => {
      const document = sql.get('SELECT source_id, key FROM documents WHERE id = ?', documentId);
      return document === undefined
        ? []
        : [{ sourceId: String(document['source_id']), key: String(document['key']), hash }];
    },
  );
  return documents && { sourceIds: readOptionalJson(storedTexts, row['source_ids']), documents };
}

/** Converts source versions to the form that team members exchange. */
export function toSharedOrigin({ sourceIds, documents }: SharedOrigin): object {
  return { sourceIds, madeOf: documents };
}

/** Turns downloaded source versions into the columns `source_ids` and `made_of`. */
export function originColumns(
  { sql }: LocalContext,
  origin: SharedOrigin | undefined,
): [sourceIds: string | null, documents: string | null] {
  if (origin === undefined) return [null, null];
  const documents = origin.documents.flatMap(({ sourceId, key, hash }) => {
    const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
    return row === undefined ? [] : [{ documentId: Number(row['id']), hash }];
  });
  return [
    origin.sourceIds === undefined ? null : JSON.stringify(origin.sourceIds),
    JSON.stringify(documents),
  ];
}
