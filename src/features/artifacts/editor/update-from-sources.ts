import * as vscode from 'vscode';
import { mergeLines } from '../../../core/language/merged-lines.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { GeneratedNote } from '../../../core/domain/artifact.ts';
import { noteUri } from '../../notes/editor/note-files.ts';
import { isChangeAccepted, replaceInNote } from '../../notes/editor/shown-change.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { withGenerationProgress } from './generate-artifact.ts';
import type { FreshNote, WritingParts } from './generate-from-template.ts';
import { inform } from '../../../platform/dialogs.ts';

/**
 * Updates a generated note from its current sources, shows the changes beside it, and saves them if the user agrees.
 * The user's edits are kept.
 * @throws NotebookError `not-found` if the note wasn't generated, `conflict` if it was changed meanwhile
 */
export async function updateNoteFromSources(
  notebook: NotebookClient,
  parts: WritingParts,
  title: string,
): Promise<void> {
  const generated = await notebook.call('generatedNote', { title });
  if (generated === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('This note wasn’t generated from sources, so it can’t be updated from them.'),
    );
  const uri = noteUri(title, notebook);
  const document = await vscode.workspace.openTextDocument(uri);
  const before = document.getText();
  const written = await rewrite(notebook, parts, title, generated);
  if (written === undefined) return;
  const { text: fresh, citations } = written;
  const text = mergeLines(generated.text, fresh, before);
  const saveGenerated = (): Promise<void> =>
    notebook.call('saveGeneratedNote', {
      title,
      generated: {
        ...(written.generated ?? generated),
        documents: written.documents,
        text: fresh,
        generatedAt: Date.now(),
      },
    });
  if (text === before) {
    await saveGenerated();
    inform(vscode.l10n.t('“{0}” is already up to date.', title));
    return;
  }
  if (!(await isChangeAccepted(uri, text, vscode.l10n.t('{0} (Keep Update?)', title)))) return;
  const openDocument = await vscode.workspace.openTextDocument(uri);
  if (openDocument.getText() !== before)
    throw new NotebookError(
      'conflict',
      vscode.l10n.t(
        'The note changed in the meantime, so the update wasn’t applied. Update it from its sources again.',
      ),
    );
  await replaceInNote(notebook, title, { start: 0, end: before.length, text, citations });
  await saveGenerated();
}

async function rewrite(
  notebook: NotebookClient,
  parts: WritingParts,
  title: string,
  generated: GeneratedNote,
): Promise<FreshNote | undefined> {
  if (generated.kind === 'template') {
    const { regenerateFromTemplate } = await import('./generate-from-template.ts');
    return await regenerateFromTemplate(notebook, parts, { title, generated }, () =>
      updateNoteFromSources(notebook, parts, title),
    );
  }
  const { kind: artifact, sourceIds } = generated;
  return await withGenerationProgress(vscode.l10n.t('Updating “{0}”', title), (options) =>
    notebook.call('writeArtifact', { artifact, sourceIds, before: title }, options),
  );
}
