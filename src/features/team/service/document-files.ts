import { statSync } from 'node:fs';
import { LOST_ORIGIN, readJson, storedOrigin } from '../../../index/store/database/stored-json.ts';
import type { SourceOrigin } from '../../../core/domain/source.ts';
import { placeAnnotations } from '../../sync.ts';
import { findSameFile, type NamedFile } from './local-files.ts';
import { applyChanges, type Replica } from './replica.ts';

/** Maximum duration of one search for files before other work continues. */
const FINDING_FILES_MS = 500;

/** Queues all documents without a file, or whose file is missing or changed, for `findFiles`. */
export function queueMissingFiles(replica: Replica): void {
  applyChanges(replica, () => {
    for (const row of replica.sql.all(
      `SELECT d.id, d.uri, d.size FROM documents d JOIN team_places p ON p.source_id = d.source_id
       JOIN sources s ON s.id = d.source_id AND json_valid(s.origin) AND s.origin ->> '$.kind' = 'copy'`,
    )) {
      const [id, uri] = [Number(row['id']), String(row['uri'])];
      if (uri === '' || !isFileOfSize(uri, Number(row['size']))) unlinkFile(replica, id);
    }
  });
}

/**
 * Searches for local files with the same content as documents of the team, for citations to open. Returns whether
 * there is more to search.
 */
export async function findFiles(replica: Replica): Promise<boolean> {
  const until = Date.now() + FINDING_FILES_MS;
  for (const number of replica.unplaced) {
    replica.unplaced.delete(number);
    await findFile(replica, number);
    if (Date.now() >= until) break;
  }
  return replica.unplaced.size > 0;
}

async function findFile(replica: Replica, number: number): Promise<void> {
  const row = replica.sql.get(
    `SELECT d.source_id, d.key, d.hash, d.size, s.origin, p.path FROM documents d JOIN sources s ON s.id = d.source_id
     LEFT JOIN team_places p ON p.source_id = s.id WHERE d.id = ? AND d.uri = ''`,
    number,
  );
  if (row === undefined) return;
  const [key, hash] = [String(row['key']), String(row['hash'])];
  const named = nameFile(replica, readJson(storedOrigin, row['origin'], LOST_ORIGIN), key, row['path']);
  const content = { hash, size: Number(row['size']) };
  const uri = named && (await findSameFile(named, content, replica.fileHashes));
  if (uri === undefined) return;
  applyChanges(replica, () => {
    const isPlaced = replica.sql.run(
      "UPDATE documents SET uri = ?, text = text WHERE id = ? AND hash = ? AND uri = ''",
      ...[uri, number, hash],
    );
    if (isPlaced > 0) placeAnnotations(replica, `${String(row['source_id'])}\n${key}`);
  });
}

/** Returns where a document's file may be; undefined if it has none. */
function nameFile(replica: Replica, origin: SourceOrigin, key: string, path: unknown): NamedFile | undefined {
  switch (origin.kind) {
    case 'folder':
      return { path: key, roots: [origin.uri] };
    case 'file': {
      const [folder, name] = splitUri(origin.uri);
      return { path: name, roots: [folder] };
    }
    case 'copy':
      if (typeof path !== 'string') return undefined;
      return { path: key === '' ? path : path === '.' ? key : `${path}/${key}`, roots: replica.roots };
    default:
      return undefined;
  }
}

/** Saves the path of a source's original files in the workspace, and queues its documents for `findFiles`. */
export function saveSourcePath(replica: Replica, sourceId: string, path: string | undefined): void {
  const before = replica.sql.get('SELECT path FROM team_places WHERE source_id = ?', sourceId)?.['path'];
  if (before === path) return;
  replica.sql.run('DELETE FROM team_places WHERE source_id = ?', sourceId);
  if (path === undefined) return;
  replica.sql.insert('team_places', { source_id: sourceId, path });
  for (const row of replica.sql.all(
    `SELECT d.id FROM documents d JOIN sources s ON s.id = d.source_id
     WHERE s.id = ? AND json_valid(s.origin) AND s.origin ->> '$.kind' = 'copy'`,
    sourceId,
  ))
    unlinkFile(replica, Number(row['id']));
}

/** Unlinks a document from its file until a file with the same content is found. */
function unlinkFile(replica: Replica, number: number): void {
  // Assigning `text` makes the index follow.
  replica.sql.run("UPDATE documents SET uri = '', text = text WHERE id = ? AND uri <> ''", number);
  replica.unplaced.add(number);
}

function isFileOfSize(uri: string, size: number): boolean {
  return statSync(new URL(uri), { throwIfNoEntry: false })?.size === size;
}

function splitUri(uri: string): [folder: string, name: string] {
  const at = uri.lastIndexOf('/');
  return [uri.slice(0, at), decodeURIComponent(uri.slice(at + 1))];
}
