import { errorMessage } from '../../notebook/errors.ts';
import type { ResearchMemory } from '../../notebook/research.ts';
import { LONGEST_MEMORY_FILE, MOST_MEMORY_FILES, readMemory } from './memory-file.ts';

/** A folder whose files are memories that others shared. */
export interface MemoryFolder {
  /** The names of its files, in their order. */
  readonly names: () => Promise<readonly string[]>;
  /** How long a file is, in bytes. */
  readonly size: (name: string) => Promise<number>;
  readonly read: (name: string) => Promise<Uint8Array>;
}

/**
 * The memories of folders, the first of each id, so many files of all together at most. What is wrong with one is told, and
 * it is left out.
 */
export async function memoriesIn(
  folders: readonly MemoryFolder[],
  onWrong: (problem: string) => void,
): Promise<readonly ResearchMemory[]> {
  const memories = new Map<string, ResearchMemory>();
  let left = MOST_MEMORY_FILES;
  for (const folder of folders)
    for (const name of (await folder.names()).slice(0, left)) {
      left--;
      try {
        // A longer one is none, which is told without reading it.
        const isTooLong = (await folder.size(name)) > LONGEST_MEMORY_FILE;
        const bytes = isTooLong ? new Uint8Array() : await folder.read(name);
        const memory = readMemory(new TextDecoder().decode(bytes), name);
        if (!memories.has(memory.id)) memories.set(memory.id, memory);
      } catch (error) {
        onWrong(errorMessage(error));
      }
    }
  return [...memories.values()];
}
