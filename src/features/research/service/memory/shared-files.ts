import { errorMessage } from '../../../../core/domain/errors.ts';
import type { ResearchMemory } from '../../model/project.ts';
import { MAX_MEMORY_FILE_LENGTH, MAX_MEMORY_FILES, readMemory } from './memory-file.ts';

/** Folder of memories shared by others. */
export interface MemoryFolder {
  /** Returns the names of its files, in order. */
  readonly names: () => Promise<readonly string[]>;
  /** Returns the size of a file, in bytes. */
  readonly size: (name: string) => Promise<number>;
  readonly read: (name: string) => Promise<Uint8Array>;
}

/**
 * Reads the memories of folders, up to a maximum number of files in total. Keeps the first memory of each ID. Skips a
 * file with a problem and reports it.
 */
export async function memoriesIn(
  folders: readonly MemoryFolder[],
  onWrong: (problem: string) => void,
): Promise<readonly ResearchMemory[]> {
  const memories = new Map<string, ResearchMemory>();
  let remainingFiles = MAX_MEMORY_FILES;
  for (const folder of folders)
    for (const name of (await folder.names()).slice(0, remainingFiles)) {
      remainingFiles--;
      try {
        // A file above the maximum length isn't a memory, so skip reading it.
        const isTooLong = (await folder.size(name)) > MAX_MEMORY_FILE_LENGTH;
        const bytes = isTooLong ? new Uint8Array() : await folder.read(name);
        const memory = readMemory(new TextDecoder().decode(bytes), name);
        if (!memories.has(memory.id)) memories.set(memory.id, memory);
      } catch (error) {
        onWrong(errorMessage(error));
      }
    }
  return [...memories.values()];
}
