import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { markWords, marksAsNote, type CitedMark } from '../model/marked-note.ts';
import { noteTitle } from '../../../core/domain/note.ts';
import { lastNumber } from '../../../core/domain/note-markdown.ts';
import { PICTURE_LIMITS } from '../../../core/domain/note-pictures.ts';
import type { PdfMarked } from '../../pdf/protocol.ts';
import { withNotification } from '../../../platform/dialogs.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { addToNote } from './save-as-note.ts';

/** Maximum number of highlights that are looked up without showing progress. */
const MAX_SILENT_LOOKUPS = 20;

/**
 * Adds highlights of a PDF to a note that the user chooses: text as quotations, boxes as images, each with its
 * citation.
 * @param uri the PDF's URI, or the URL if it is a copy
 * @throws NotebookError `not-found` if it isn't a source, `too-large`
 */
export async function saveMarked(
  notebook: NotebookClient,
  uri: string,
  marked: readonly PdfMarked[],
): Promise<void> {
  const find = (signal?: AbortSignal): Promise<CitedMark[]> => findMarks(notebook, uri, marked, signal);
  const marks =
    marked.length <= MAX_SILENT_LOOKUPS
      ? await find()
      : await withNotification(vscode.l10n.t('Loading highlights'), find);
  const [first] = marks;
  if (first === undefined) return;
  const fileName = first.citation.title.split('/').at(-1) ?? '';
  const isPicture = marks.length === 1 && first.citation.picture !== undefined;
  const words = isPicture ? markWords(first) : vscode.l10n.t('Highlights in {0}', fileName);
  const title = noteTitle(words).replace(/[.,:;]$/, '') || vscode.l10n.t('Highlights');
  const heading = isPicture ? vscode.l10n.t('Add Image to Note') : vscode.l10n.t('Add to Note');
  await addToNote(notebook, { heading, title }, (below) =>
    marksAsNote(below === undefined ? title : undefined, marks, lastNumber(below?.above ?? '')),
  );
}

/** Returns nothing if the user cancels. */
async function findMarks(
  notebook: NotebookClient,
  uri: string,
  marked: readonly PdfMarked[],
  signal: AbortSignal | undefined,
): Promise<CitedMark[]> {
  const marks: CitedMark[] = [];
  for (const { region, words, remark, picture } of marked) {
    if (signal?.aborted === true) return [];
    const citation = await notebook.call('citeRegion', { uri, region, words });
    if (citation === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t(
          'This PDF isn’t a source in the notebook, so a note can’t link to it. Add the PDF first.',
        ),
      );
    if (picture === undefined) {
      marks.push({ words, remark, citation });
      continue;
    }
    const { bytes, ...drawn } = picture;
    if (bytes.length > PICTURE_LIMITS.bytes)
      throw new NotebookError(
        'too-large',
        vscode.l10n.t('This part of the page is too large for a note. Select a smaller area.'),
      );
    const data = Buffer.from(bytes).toString('base64');
    marks.push({ words, remark, citation: { ...citation, picture: { ...drawn, data } } });
  }
  return marks;
}
