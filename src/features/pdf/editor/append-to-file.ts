import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import { replaceFile } from '../../../core/domain/write-file.ts';
import { toWriteError } from '../../../platform/write-file.ts';

/** State by which a changed file is recognized: its size in bytes and its modification time in milliseconds. */
interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Returns the current state of a file on this machine. */
export async function fileState(path: string): Promise<FileState> {
  const { size, mtimeMs } = await stat(path);
  return { size, mtimeMs };
}

/** Reports whether a file on this machine is writable. */
export async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Appends bytes to a copy of a file and moves the copy to `to`. An existing file stays until everything is written, so
 * an interruption loses nothing. The system makes the copy, by reference if it can.
 *
 * Appending in place would write less. But an interrupted write would leave a file that other programs consider damaged
 * until Open Notebook repairs it. A record of the original length wouldn't help on another machine or without Open
 * Notebook, and using it could cut off the repairs of another program.
 * @throws NotebookError `conflict` if the file no longer has the state `state`, `disk-full`, `forbidden`
 */
export async function appendToFile(
  {
    from,
    to,
    state,
    name,
  }: { readonly from: string; readonly to: string; readonly state: FileState; readonly name: string },
  tail: Uint8Array,
): Promise<void> {
  // If the path is a link, replaces its target, so that the link stays.
  const target = await realpath(to).catch(() => to);
  const confirm = async (): Promise<void> => {
    const currentState = await fileState(from);
    if (currentState.size !== state.size || currentState.mtimeMs !== state.mtimeMs)
      throw new NotebookError(
        'conflict',
        t('Can’t save {0} because another program just changed it. Save again.', name),
      );
  };
  try {
    await replaceFile(target, { copyOf: from, tail }, { confirm });
  } catch (error) {
    throw toWriteError(error, name);
  }
}
