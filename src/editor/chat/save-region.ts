import * as vscode from 'vscode';
import { citationLink } from '../../notebook/citation-links.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { harmlessWords } from '../../notebook/harmless-markdown.ts';
import { noteTitle } from '../../notebook/note.ts';
import { citationId } from '../../notebook/note-markdown.ts';
import { PICTURE_LIMITS, pictureMarkdown } from '../../notebook/note-pictures.ts';
import type { PdfRegion } from '../../messages/viewer.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { addToNote } from './save-as-note.ts';

/** So many UTF-16 code units of a remark describe a picture. */
const LONGEST_WORDS = 300;

/**
 * Writes a region of a PDF's page as a picture into a note that the user chooses, with its citation.
 * @param uri the PDF's, of a copy its address @throws NotebookError `not-found` where it is no source, `too-large`
 */
export async function saveRegion(
  notebook: NotebookClient,
  uri: string,
  { region, remark, picture: { bytes, ...drawn } }: PdfRegion,
): Promise<void> {
  const cited = await notebook.call('citeRegion', { uri, region });
  if (cited === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t(
        'This PDF is no source of the notebook, so a note could not lead back to it. Add it first.',
      ),
    );
  if (bytes.length > PICTURE_LIMITS.bytes)
    throw new NotebookError('too-large', vscode.l10n.t('This part of the page is too large for a note.'));
  const citation = { ...cited, picture: { ...drawn, data: Buffer.from(bytes).toString('base64') } };
  const place = vscode.l10n.t('{0}, p. {1}', citation.title, region.page);
  const words = remark.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_WORDS) || place;
  const title = noteTitle(words) || vscode.l10n.t('Picture');
  const id = citationId(citation);
  await addToNote(notebook, { heading: vscode.l10n.t('Add Picture to Note'), title }, (below) => {
    const heading = below === undefined ? `# ${harmlessWords(title)}\n\n` : '';
    const link = citationLink(String((below?.before ?? 0) + 1), id, citation);
    const text = `${heading}${pictureMarkdown(words, id, citation.picture)} ${link}\n\n`;
    return { text, citations: [{ id, citation }] };
  });
}
