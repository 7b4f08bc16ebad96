import * as v from 'valibot';
import { optional } from '../../../index/library/exported-values.ts';
import {
  readOptionalJson,
  storedDocumentVersions,
  storedTexts,
} from '../../../index/store/database/stored-json.ts';
import type { Row } from '../../../index/store/database/database.ts';
import type { LocalContext } from './synced-entity.ts';

/** Source versions of an artifact, with documents by their shared names. */
export const sharedOrigin = v.object({
  sourceIds: optional(v.array(v.string())),
  madeOf: v.array(v.object({ sourceId: v.string(), key: v.string(), hash: v.string() })),
});
type SharedOrigin = v.InferOutput<typeof sharedOrigin>;

/** Returns the source versions of a row for upload; undefined if it has none. */
export function originToSend({ sql }: LocalContext, row: Row): SharedOrigin | undefined {
  const madeOf = readOptionalJson(storedDocumentVersions, row['made_of'])?.flatMap(({ documentId, hash }) => {
    const document = sql.get('SELECT source_id, key FROM documents WHERE id = ?', documentId);
    return document === undefined
      ? []
      : [{ sourceId: String(document['source_id']), key: String(document['key']), hash }];
  });
  return madeOf && { sourceIds: readOptionalJson(storedTexts, row['source_ids']), madeOf };
}

/** Turns downloaded source versions into the columns `source_ids` and `made_of`. */
export function originColumns(
  { sql }: LocalContext,
  origin: SharedOrigin | undefined,
): [sourceIds: string | null, madeOf: string | null] {
  if (origin === undefined) return [null, null];
  const madeOf = origin.madeOf.flatMap(({ sourceId, key, hash }) => {
    const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
    return row === undefined ? [] : [{ documentId: Number(row['id']), hash }];
  });
  return [origin.sourceIds === undefined ? null : JSON.stringify(origin.sourceIds), JSON.stringify(madeOf)];
}
