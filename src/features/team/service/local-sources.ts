import { sourceLine } from '../../../index/library/exporting.ts';
import { importedOrigin, readSourceLine } from '../../../index/library/importing.ts';
import { LOST_ORIGIN, readJson, storedOrigin } from '../../../index/store/database/stored-json.ts';
import { listPrivateHosts, recordingChanges, type SourceOrigin } from '../../../core/domain/source.ts';
import { saveSourcePath } from './document-files.ts';
import { pack, unpack } from './packed.ts';
import { applyRows, saveAuthorship, type Authorship, type Replica } from './replica.ts';
import { isWaiting } from './synced-entity.ts';

/** Rows of a team's database. Deleted ones have no value. */
interface SourceRow extends Authorship {
  readonly id: string;
  readonly revision: number;
  readonly value: Uint8Array | undefined;
}

/** Returns a source for upload; undefined if it was deleted. */
export function packSource(replica: Replica, id: string): Buffer | undefined {
  const source = replica.store.sources().find((candidate) => candidate.id === id);
  if (source === undefined) return undefined;
  const { origin } = source;
  const line = sourceLine(source, replica.roots);
  if (origin.kind !== 'copy' || (origin.of !== 'file' && origin.of !== 'folder')) return pack(line);
  // Sends the path of the original files again, because other members may have them too.
  const path = replica.sql.get('SELECT path FROM team_places WHERE source_id = ?', id)?.['path'];
  return pack(
    path === undefined ? line : { ...line, origin: { kind: origin.of, path, ...recordingChanges(origin) } },
  );
}

/** Saves downloaded changes of sources. Returns the number of unreadable rows. */
export function applySources(replica: Replica, rows: readonly SourceRow[]): number {
  return applyRows(replica, 'sources', rows, (row) => {
    if (row.value !== undefined) saveAuthorship(replica, 'source', row);
    const isPending = isWaiting(replica, 'source', row.id);
    if (row.value === undefined) {
      if (!isPending) replica.sql.run('DELETE FROM sources WHERE id = ?', row.id);
      return;
    }
    const line = readSourceLine(unpack(row.value));
    if (line.id !== row.id) throw new Error('A source of another name.');
    // A copy has no location.
    if (line.origin.kind !== 'copy')
      saveSourcePath(replica, row.id, 'path' in line.origin ? line.origin.path : undefined);
    if (isPending) return;
    const sourceRow = replica.sql.get('SELECT origin FROM sources WHERE id = ?', row.id);
    const from = importedOrigin(line.origin, new Map());
    const before = sourceRow && readJson(storedOrigin, sourceRow['origin'], LOST_ORIGIN);
    replica.sql.run(
      `INSERT INTO sources (id, title, origin, state, added_at, read_at, skipped) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, origin = excluded.origin`,
      row.id,
      line.title,
      JSON.stringify(before === undefined ? from : followedOrigin(before, from)),
      JSON.stringify({ kind: 'ready' }),
      line.addedAt,
      line.readAt ?? null,
      JSON.stringify(line.skipped),
    );
  });
}

/**
 * Returns the origin of an existing source with the team's changes. The location of its files and the consent to
 * private hosts stay as they are on this machine.
 */
function followedOrigin(before: SourceOrigin, from: SourceOrigin): SourceOrigin {
  if ((before.kind === 'file' || before.kind === 'folder' || before.kind === 'copy') && from.kind === 'copy')
    return { ...before, speakers: from.speakers, chapters: from.chapters };
  if (before.kind !== from.kind) return before;
  if (from.kind !== 'page' && from.kind !== 'site') return before;
  const privateHosts = listPrivateHosts(before);
  return from.kind === 'site' || privateHosts.length > 0 ? { ...from, privateHosts } : from;
}
