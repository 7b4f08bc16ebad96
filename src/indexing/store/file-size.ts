import { stat } from 'node:fs/promises';

/** The size of a file in bytes; 0 where it is not there. */
export async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
