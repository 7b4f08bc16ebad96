import { createHash } from 'node:crypto';
import { access, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isHashOfRecording, isRecordingName } from '../../../core/domain/recordings.ts';
import { isWithin, uriBelow } from '../../../index/library/portable-places.ts';
import { openRegularFile, readRegularFile } from '../../../core/domain/regular-file.ts';
import { isLeftOut } from '../../../parsers/folder-walker.ts';
import { IGNORE_FILES, type ParentIgnore } from '../../../parsers/ignore-rules.ts';

/** Maximum size of files to hash, in bytes. A row of another member decides which file is hashed. */
const MAX_HASHED_BYTES = 256 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;
const MAX_IGNORE_FILE_BYTES = 1_000_000;

/** Hidden files and folders, and files that usually contain keys, whether or not ignore files name them. */
const SECRET_NAME = /^\.|\.(?:env|key|kdbx|p12|pem|pfx)$|^id_(?:dsa|ecdsa|ed25519|rsa)/i;

/** Content of a document as a row of the team's database describes it. That of a recording includes its captions. */
interface Content {
  /** SHA-256 in lower-case hexadecimal digits. */
  readonly hash: string;
  readonly size: number;
}

/** Path in a row, and the folders of this machine that may contain it, as URIs. */
export interface NamedFile {
  readonly path: string;
  readonly roots: readonly string[];
}

/** File hashes by path and modification time, so that a file that many rows name is only read once. */
export type FileHashes = Map<string, string>;

/**
 * Returns the URI of the file that a row names, if this machine has it with the same content. Never follows links out
 * of the folder. Ignores files that reading the folder would skip, and files that usually contain secrets.
 */
export async function findSameFile(
  { path, roots }: NamedFile,
  content: Content,
  hashes: FileHashes,
): Promise<string | undefined> {
  if (!isWithin(path) || content.size > MAX_HASHED_BYTES || hasSecretName(path)) return undefined;
  for (const root of roots) {
    if (!root.startsWith('file:')) continue;
    const folder = fileURLToPath(root);
    const isSame = await hasSameContent(folder, path, content, hashes).catch(() => false);
    if (isSame) return uriBelow(root, path);
  }
  return undefined;
}

async function hasSameContent(
  folder: string,
  path: string,
  { hash, size }: Content,
  hashes: FileHashes,
): Promise<boolean> {
  const root = await realpath(folder);
  const real = await realpath(join(folder, path));
  const below = relative(root, real).replaceAll(sep, '/');
  if (!isWithin(below) || hasSecretName(below)) return false;
  const file = await openRegularFile(real, { followsLink: false });
  try {
    const stats = await file.stat();
    const isRecording = isRecordingName(path);
    if (isRecording ? stats.size > size : stats.size !== size) return false;
    const ignores = await readIgnoresAbove(root);
    for (const candidatePath of new Set([path, below]))
      if (await isSkipped(root, candidatePath, ignores)) return false;
    const version = `${real}\n${String(stats.mtimeMs)}`;
    const known = hashes.get(version) ?? (await hashFile(file));
    hashes.set(version, known);
    return isRecording ? isHashOfRecording(hash, known) : known === hash;
  } finally {
    await file.close();
  }
}

function isSkipped(root: string, path: string, above: readonly ParentIgnore[]): Promise<boolean> {
  const readText = (name: string): Promise<string> => readIgnoreFile(join(root, name));
  return isLeftOut({ readText }, path, false, above);
}

/** Reads the ignore files between a folder and the root of its git repository, outermost first; none outside a repository. */
async function readIgnoresAbove(folder: string): Promise<ParentIgnore[]> {
  const ignoreFiles: ParentIgnore[] = [];
  for (let directory = folder; ; directory = dirname(directory)) {
    if (directory !== folder)
      for (const file of IGNORE_FILES.toReversed()) {
        // Most folders have no such file.
        const text = await readIgnoreFile(join(directory, file)).catch(() => undefined);
        const below = relative(directory, folder).replaceAll(sep, '/');
        if (text !== undefined) ignoreFiles.unshift({ text, file, folder: below });
      }
    const isRepository = await access(join(directory, '.git')).then(
      () => true,
      () => false,
    );
    if (isRepository) return ignoreFiles;
    if (dirname(directory) === directory) return [];
  }
}

async function readIgnoreFile(path: string): Promise<string> {
  return new TextDecoder().decode(await readRegularFile(path, { maxBytes: MAX_IGNORE_FILE_BYTES }));
}

async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/**
 * Reports whether a path may name a secret file. Windows treats text after a colon as a part of the file, and ignores
 * trailing dots and spaces.
 */
function hasSecretName(path: string): boolean {
  return path.split('/').some((name) => SECRET_NAME.test(name) || /:|[. ]$/.test(name));
}
