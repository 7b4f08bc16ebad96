import * as vscode from 'vscode';
import type { Span } from '../../../core/language/span.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { marksAsNote } from '../model/marked-note.ts';
import { noteTitle } from '../../../core/domain/note.ts';
import { lastNumber } from '../../../core/domain/note-markdown.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { addToNote } from './save-as-note.ts';

/**
 * Adds a part of a recording's transcript to a note that the user chooses, with a link to its time.
 * @throws NotebookError `not-found`
 */
export async function saveClip(notebook: NotebookClient, documentId: number, span: Span): Promise<void> {
  const { text } = await notebook.call('document', { documentId });
  const quote = text.slice(span.start, span.end);
  const requests = [{ number: 1, documentId, passage: span, span, quote }];
  const [citation] = await notebook.call('cite', { requests });
  if (citation === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('This recording is no longer in the notebook. Add it again, then save the clip.'),
    );
  const title = noteTitle(quote).replace(/[.,:;]$/, '') || citation.title;
  await addToNote(notebook, { heading: vscode.l10n.t('Save Clip as Note'), title }, (below) =>
    marksAsNote(
      below === undefined ? title : undefined,
      [{ words: '', remark: '', citation }],
      lastNumber(below?.above ?? ''),
    ),
  );
}
