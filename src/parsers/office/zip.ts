import { crc32, inflateRawSync } from 'node:zlib';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';

/** Limits of a container, so that a small file can't fill the memory. Sizes are in bytes after decompression. */
const MAX_ENTRIES = 20_000;
const MAX_ENTRY_BYTES = 96 * 1024 * 1024;
const MAX_TOTAL_BYTES = 384 * 1024 * 1024;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;

/** Parts of a ZIP container, which are decompressed only when read. */
export interface Container {
  readonly names: readonly string[];
  /** Returns a part's bytes, or undefined if no part has this name in any letter case. @throws NotebookError `damaged` or `too-large`. */
  readonly part: (name: string) => Uint8Array | undefined;
}

interface Entry {
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly compressed: number;
  readonly offset: number;
}

/**
 * Opens a ZIP container by its directory, without decompressing anything yet.
 * @throws NotebookError `damaged` if it is truncated or not a ZIP file, `too-large` if it holds too many parts.
 */
export function openContainer(bytes: Uint8Array, name: string): Container {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(view, bytes, name);
  let inflated = 0;
  // Names differ only in letter case in files that programs wrote on Windows.
  let lowerCase: Map<string, string> | undefined;
  const findEntry = (partName: string): Entry | undefined => {
    lowerCase ??= new Map([...entries.keys()].reverse().map((name) => [name.toLowerCase(), name]));
    return entries.get(lowerCase.get(partName.toLowerCase()) ?? '');
  };
  return {
    names: [...entries.keys()],
    part(partName) {
      const entry = entries.get(partName) ?? findEntry(partName);
      if (entry === undefined) return undefined;
      const part = inflate(view, bytes, entry, name, Math.min(MAX_ENTRY_BYTES, MAX_TOTAL_BYTES - inflated));
      inflated += part.length;
      return part;
    },
  };
}

/** Returns the error for a container that can't be decompressed. */
export function damagedError(name: string, cause?: unknown): NotebookError {
  return new NotebookError(
    'damaged',
    t('Can’t read {0} because it’s damaged or incomplete. Add another copy.', name),
    { cause },
  );
}

function readDirectory(view: DataView, bytes: Uint8Array, name: string): Map<string, Entry> {
  const end = findEnd(view);
  if (end === undefined) throw damagedError(name);
  const count = view.getUint16(end + 10, true);
  if (count > MAX_ENTRIES) throw tooLarge(name);
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw damagedError(name);
    const nameLength = view.getUint16(at + 28, true);
    const entryName = Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength)).toString('utf8');
    entries.set(entryName.replaceAll('\\', '/'), {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      compressed: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** Returns the position of the end record: before a comment of at most 65,535 bytes. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - 22;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  return undefined;
}

function inflate(view: DataView, bytes: Uint8Array, entry: Entry, name: string, limit: number): Uint8Array {
  const { offset, method, compressed } = entry;
  if ((entry.flags & 1) !== 0)
    throw new NotebookError(
      'encrypted',
      t('{0} is password-protected. Add a copy without a password.', name),
    );
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL_HEADER) throw damagedError(name);
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const packed = bytes.subarray(start, start + compressed);
  if (packed.length < compressed || (method !== 0 && method !== 8)) throw damagedError(name);
  if (compressed > limit || limit <= 0) throw tooLarge(name);
  if (method === 0) return packed;
  let part: Uint8Array;
  try {
    part = inflateRawSync(packed, { maxOutputLength: limit });
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLong ? tooLarge(name) : damagedError(name, error);
  }
  if (crc32(part) !== entry.crc) throw damagedError(name);
  return part;
}

function tooLarge(name: string): NotebookError {
  return new NotebookError(
    'too-large',
    t('{0} is too large when decompressed. Add a smaller file, or split it and add the parts.', name),
  );
}
