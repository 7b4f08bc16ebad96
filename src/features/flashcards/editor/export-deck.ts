import * as vscode from 'vscode';
import { fileName } from '../../../core/domain/note.ts';
import { withNotification, askWhereToWrite } from '../../../platform/dialogs.ts';
import { showWritten, type NoteExporter } from '../../notes/editor/note-exporter.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { writeAt } from '../../../platform/write-file.ts';

/** Asks for the format and the location, and writes a deck there. @throws NotebookError */
export async function exportDeck(
  { notebook, exporter }: { readonly notebook: NotebookClient; readonly exporter: NoteExporter },
  deckId: string,
): Promise<void> {
  const whole = await notebook.call('wholeDeck', { deckId });
  const { title } = whole.deck;
  const items = [
    {
      format: 'apkg' as const,
      label: 'Anki',
      detail: vscode.l10n.t('Package with formulas, sources, and review history'),
    },
    {
      format: 'csv' as const,
      label: 'CSV',
      detail: vscode.l10n.t('One row per card, for spreadsheets and other apps'),
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Export “{0}”', title),
    placeHolder: vscode.l10n.t('Select a format'),
  });
  if (chosen === undefined) return;
  const { format, label: kind } = chosen;
  const file = { kind, name: fileName(title, 'Cards'), ending: format };
  const uri = await askWhereToWrite(vscode.l10n.t('Export Deck'), file);
  if (uri === undefined) return;
  await withNotification(vscode.l10n.t('Exporting “{0}”', title), async (signal) => {
    await writeAt(uri, await exporter.deck({ ...whole, format, now: Date.now() }, signal));
  });
  showWritten(uri, title);
}
