import * as vscode from 'vscode';
import type { Source } from '../../notebook/source.ts';
import type { StoredCopies } from './stored-copies.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { SourceReader } from './source-reader.ts';
import { isConfirmed } from '../dialogs.ts';
import type { Passwords } from '../pdf/with-password.ts';

/** What has to do with a source that goes. */
export interface RemovalParts {
  readonly notebook: NotebookClient;
  readonly reader: SourceReader;
  readonly passwords: Passwords;
  readonly copies: Pick<StoredCopies, 'sourcesRemoved'>;
}

/** Removes sources with what belongs to them: what is being read of them ends, their passwords are forgotten, and copies that were kept of them alone go. */
export async function removeSources(
  { notebook, reader, passwords, copies }: RemovalParts,
  sources: readonly Source[],
): Promise<void> {
  for (const { id } of sources) reader.stop(id);
  await notebook.call('removeSources', { sourceIds: sources.map(({ id }) => id) });
  for (const { origin } of sources) if (origin.kind === 'file') await passwords.forget(origin.uri);
  void copies.sourcesRemoved();
}

/** Asks in a dialog whether sources shall go. */
export async function confirmed(question: string, action: string): Promise<boolean> {
  const detail = vscode.l10n.t('The originals are not touched. Conversations keep what they quoted.');
  return isConfirmed(question, action, detail);
}
