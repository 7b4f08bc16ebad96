import { t } from '@vscode/l10n';
import type { DroppedFile } from '../../src/features/chat/protocol.ts';
import { isInExcludedFolder } from '../../src/core/domain/excluded-folders.ts';

/** Maximum total size of files whose bytes are transferred. */
const MAX_BYTES = 50_000_000;

/** Maximum number of files in a drop. More is a whole project, which is better read in place. */
const MAX_FILES = 2000;

/** File with its path relative to the dropped item. */
interface FoundFile {
  readonly path: string;
  readonly file: File;
}

/**
 * Returns the files of a drop without addresses, including those in folders. Reads the drop before waiting for
 * anything, because it expires.
 * @throws Error with a sentence for the user if there are none, or they are too many or too large
 */
export async function readDropped({ items }: Pick<DataTransfer, 'items'>): Promise<DroppedFile[]> {
  const dropped = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files: FoundFile[] = [];
  for (const { entry, file } of dropped) {
    if (isFolder(entry)) await collect(entry, entry.name, files);
    else if (file !== null) files.push({ path: file.name, file });
  }
  if (files.length === 0) throw new Error(t('The dropped items don’t contain any files.'));
  if (files.reduce((sum, { file }) => sum + file.size, 0) > MAX_BYTES)
    throw new Error(t('These files are too large to drop here. Run “Add Files or Folders…” instead.'));
  return Promise.all(
    files.map(async ({ path, file }) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
}

/** Adds the files in a folder and in those below it. */
async function collect(folder: FileSystemDirectoryEntry, path: string, files: FoundFile[]): Promise<void> {
  for (const entry of await entriesIn(folder)) {
    if (isInExcludedFolder(entry.name)) continue;
    const inner = `${path}/${entry.name}`;
    if (isFolder(entry)) await collect(entry, inner, files);
    else if (isFile(entry))
      files.push({ path: inner, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
    if (files.length > MAX_FILES)
      throw new Error(t('This folder has too many files to drop here. Run “Add Files or Folders…” instead.'));
  }
}

async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  // The browser returns some entries at a time, and an empty list at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}

function isFolder(entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory === true;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
