import * as vscode from 'vscode';
import { fileName } from '../../../core/domain/note.ts';
import { tableAsNote, asPlainTables, selectRows, type ExportedTable } from '../model/export.ts';
import { showNote } from '../../chat/editor/save-as-note.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { NoteExporter } from '../../notes/editor/note-exporter.ts';
import { verdictMarkStyle } from '../../../platform/settings.ts';
import { askWhereToWrite } from '../../../platform/dialogs.ts';

/**
 * Asks for a format, and exports an extraction table: as a note with live citations, or as a file of another program.
 * @param rowIds the rows to export, in order; all by default
 * @throws NotebookError
 */
export async function exportExtractionTable(
  notebook: NotebookClient,
  exporter: NoteExporter,
  whole: ExportedTable,
  rowIds?: readonly string[],
): Promise<void> {
  const { title } = whole.header;
  const table = rowIds === undefined ? whole : selectRows(whole, rowIds);
  const formats = [
    {
      format: 'note',
      label: vscode.l10n.t('Note'),
      detail: vscode.l10n.t('Markdown table with linked citations'),
    },
    {
      format: 'xlsx',
      label: 'Excel',
      detail: vscode.l10n.t('.xlsx file with the cited text on a separate sheet'),
    },
    {
      format: 'csv',
      label: 'CSV',
      detail: vscode.l10n.t('Text for any spreadsheet, with the source locations in each cell'),
    },
  ] as const;
  const chosen = await vscode.window.showQuickPick([...formats], {
    title: vscode.l10n.t('Export “{0}”', title),
    placeHolder:
      table.rows.length < whole.rows.length
        ? vscode.l10n.t('Select a format for {0} of {1} rows', table.rows.length, whole.rows.length)
        : vscode.l10n.t('Select a format'),
  });
  if (chosen === undefined) return;
  if (chosen.format === 'note') {
    const note = await notebook.call('addNote', { title, ...tableAsNote(table, verdictMarkStyle()) });
    await showNote(notebook, note.title, 'start');
    return;
  }
  const { format, label: kind } = chosen;
  const file = { kind, name: fileName(title, 'Extraction Table'), ending: format };
  const uri = await askWhereToWrite(vscode.l10n.t('Export Extraction Table'), file);
  if (uri === undefined) return;
  await exporter.exportTable(uri, format, asPlainTables(table, chosen.format === 'csv'), title);
}
