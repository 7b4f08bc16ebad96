import * as vscode from 'vscode';
import type { CitationCard } from '../../messages/panel.ts';
import type { Citation } from '../../notebook/answer.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** What a citation stands on, with what is around it; its words alone where the source has them no longer. */
export async function citationCard(notebook: NotebookClient, cited: Citation): Promise<CitationCard> {
  const { documentId, sourceId, span, quote, title, place } = cited;
  const around = await notebook.call('surroundings', { documentId, sourceId, span, quote });
  if (around !== undefined) return { title, place, ...around, note: undefined };
  return {
    title,
    place,
    text: quote,
    mark: { start: 0, end: quote.length },
    format: 'prose',
    languageId: undefined,
    note: vscode.l10n.t(
      'The source has changed or was removed since; these are the words as they were cited.',
    ),
  };
}
