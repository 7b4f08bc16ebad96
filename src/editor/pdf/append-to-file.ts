import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../notebook/errors.ts';
import { replaceFile } from '../../notebook/write-file.ts';
import { tellWriting } from '../write-file.ts';

/** What tells whether a file is still the one that was looked at: its length in bytes, and when it was changed, in milliseconds. */
interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
}

/** How a file of this machine stands now. */
export async function fileState(path: string): Promise<FileState> {
  const { size, mtimeMs } = await stat(path);
  return { size, mtimeMs };
}

/** Whether a file of this machine can be written. */
export async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Puts bytes behind what a file holds, and the whole in the place of `to`. What stands there stays until all is written, so
 * that whatever ends this half-way loses nothing. The system makes the copy, by reference where it can.
 *
 * To append in place would write less. But whatever ends that half-way leaves a file that other programs take for damaged
 * until this one has looked at it; a record of how long it was before helps nobody who opens it on another machine, or
 * without us, and what another program repaired meanwhile would be cut off by it.
 * @throws NotebookError `conflict` where the file is not the one that `state` tells of, `disk-full`, `forbidden`
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
  // What a link leads to is changed, and the link stays.
  const target = await realpath(to).catch(() => to);
  const confirm = async (): Promise<void> => {
    const now = await fileState(from);
    if (now.size !== state.size || now.mtimeMs !== state.mtimeMs)
      throw new NotebookError(
        'conflict',
        t('Can’t save {0} because another program just changed it. Save again.', name),
      );
  };
  try {
    await replaceFile(target, { copyOf: from, tail }, { confirm });
  } catch (error) {
    throw tellWriting(error, name);
  }
}
