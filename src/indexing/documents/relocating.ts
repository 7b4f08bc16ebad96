import type { SourceOrigin } from '../../notebook/source.ts';
import type { Statements } from '../store/statements.ts';

/**
 * Gives a source another title and place, because its file or folder was renamed or moved. Its documents stay the same
 * ones, so that what cites them still does. Nothing happens to a source without a place.
 */
export function relocateSource(
  sql: Statements,
  sourceId: string,
  {
    title,
    uri,
    within,
  }: { readonly title: string; readonly uri: string; readonly within: string | undefined },
): void {
  sql.transaction(() => {
    const row = sql.get('SELECT origin FROM sources WHERE id = ?', sourceId);
    const origin = row && (JSON.parse(String(row['origin'])) as SourceOrigin);
    if (origin === undefined || !('uri' in origin)) return;
    sql.run(
      'UPDATE sources SET title = ?, origin = ? WHERE id = ?',
      title,
      JSON.stringify({ ...origin, uri, ...('within' in origin && within !== undefined && { within }) }),
      sourceId,
    );
    // Texts are named so that other windows, which follow their changes, take in the new addresses.
    sql.run(
      `UPDATE documents SET uri = ?1 || substr(uri, length(?2) + 1), text = text
       WHERE source_id = ?3 AND (uri = ?2 OR substr(uri, 1, length(?2) + 1) = ?2 || '/')`,
      uri,
      origin.uri,
      sourceId,
    );
  });
}
