import * as vscode from 'vscode';
import { recordingKey, type RecordingChapter } from '../../../core/domain/recordings.ts';
import { recordingChanges, type DocumentEntry, type Source } from '../../../core/domain/source.ts';
import { inform, isConfirmed } from '../../../platform/dialogs.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';

/** Recording of a notebook. */
export type Recording = Pick<DocumentEntry, 'sourceId' | 'uri'>;

/** Dependencies of the commands that change chapters. */
export interface ChapterParts {
  readonly notebook: NotebookClient;
  /** Reads a part of a source again. */
  readonly read: (source: Source, path: string) => Promise<void>;
}

/** Removes the generated chapters of a recording after the user confirmed it, and reads the recording again. */
export async function removeChapters(parts: ChapterParts, recording: Recording): Promise<void> {
  const name = nameOf(recording);
  if (!(await hasGeneratedChapters(parts.notebook, recording))) {
    inform(vscode.l10n.t('{0} has no generated chapters.', name));
    return;
  }
  const isSure = await isConfirmed(
    vscode.l10n.t('Remove the generated chapters of “{0}”?', name),
    vscode.l10n.t('Remove'),
    vscode.l10n.t('The chapters that the recording itself contains appear again.'),
  );
  if (isSure) await setChapters(parts, recording, []);
}

/** Reports whether a recording of a notebook has generated chapters. */
export async function hasGeneratedChapters(
  notebook: Pick<NotebookClient, 'call'>,
  recording: Recording,
): Promise<boolean> {
  const source = await sourceOf(notebook, recording);
  const { chapters } = source === undefined ? {} : recordingChanges(source.origin);
  if (chapters === undefined) return false;
  const entry = await entryOf(notebook, recording);
  return entry !== undefined && Object.hasOwn(chapters, await keyOf(notebook, entry));
}

/** Stores generated chapters with the source, and reads the recording again. */
export async function setChapters(
  { notebook, read }: ChapterParts,
  recording: Recording,
  chapters: readonly RecordingChapter[],
): Promise<void> {
  const { sourceId } = recording;
  const entry = await entryOf(notebook, recording);
  if (entry === undefined) return;
  await notebook.call('setChapters', { sourceId, recording: await keyOf(notebook, entry), chapters });
  const source = await sourceOf(notebook, recording);
  if (source !== undefined) await read(source, entry.key);
}

/** Returns the key of a recording's chapters. */
async function keyOf(
  notebook: Pick<NotebookClient, 'call'>,
  { id, sourceId }: DocumentEntry,
): Promise<string> {
  const stamps = await notebook.call('stamps', { sourceId });
  return recordingKey(stamps.find((stamp) => stamp.id === id)?.hash ?? '');
}

async function sourceOf(
  notebook: Pick<NotebookClient, 'call'>,
  { sourceId }: Recording,
): Promise<Source | undefined> {
  return (await notebook.call('sources', {})).find(({ id }) => id === sourceId);
}

/** Returns the document of a recording; undefined if it was removed. */
export async function entryOf(
  notebook: Pick<NotebookClient, 'call'>,
  recording: Recording,
): Promise<DocumentEntry | undefined> {
  const entries = await notebook.call('documentsAt', { uri: recording.uri });
  return entries.find(({ sourceId }) => sourceId === recording.sourceId);
}

/** Returns the file name of a recording. */
export function nameOf({ uri }: Recording): string {
  return lastSegment(vscode.Uri.parse(uri));
}
