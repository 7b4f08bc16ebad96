import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isDiskFull, NotebookError } from '../../../core/domain/errors.ts';
import { transcriptName } from '../../../core/domain/recordings.ts';
import { replaceFile } from '../../../core/domain/write-file.ts';

type RecordingFile = Parameters<typeof transcriptName>[0];

/**
 * Stores the transcript of a recording, as WebVTT, in a folder for all notebooks.
 * @throws NotebookError `disk-full`
 */
export async function saveTranscript(folder: string, file: RecordingFile, captions: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await replaceFile(join(folder, transcriptName(file)), captions);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new NotebookError(
      'disk-full',
      vscode.l10n.t('Can’t save the transcript because the disk is full. Free up some space, then resume.'),
      { cause: error },
    );
  }
}
