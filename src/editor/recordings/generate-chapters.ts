import * as vscode from 'vscode';
import type { LanguageModel } from '../../answering/models/language-model.ts';
import { countChapterRequests, proposeChapters } from '../../making/audio/propose-chapters.ts';
import { writeCaptions } from '../../making/audio/write-captions.ts';
import { NotebookError, unlessCanceled } from '../../notebook/errors.ts';
import type { DocumentEntry, Source } from '../../notebook/source.ts';
import type { ReadRequest } from '../../reading/api.ts';
import { inform, isAgreed, withNotification } from '../dialogs.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { number } from '../shown-number.ts';
import { lastSegment, readContent } from '../workspace-files.ts';
import { saveChapters } from './save-transcript.ts';

/** Dependencies of the command that generates chapters. */
interface GenerateChaptersParts {
  readonly notebook: NotebookClient;
  readonly readers: {
    readonly hashRecording: (
      file: Pick<ReadRequest, 'content' | 'name'>,
      signal: AbortSignal,
    ) => Promise<{ readonly hash: string; readonly size: number }>;
  };
  /** Returns the model that writes answers; undefined for excerpts only. @throws NotebookError */
  readonly model: () => Promise<LanguageModel | undefined>;
  /** Folder with the transcripts of recordings. */
  readonly transcripts: string;
  /** Reads a part of a source again. */
  readonly read: (source: Source, path: string) => Promise<void>;
}

/**
 * Has a model propose the chapters of a recording after the user agreed, stores those that fit its transcript, and reads
 * the recording again.
 * @throws NotebookError `model-missing`, `no-transcript`, and as the model does
 */
export async function generateChapters(
  { notebook, readers, model: findModel, transcripts, read }: GenerateChaptersParts,
  { sourceId, uri: address }: Pick<DocumentEntry, 'sourceId' | 'uri'>,
): Promise<void> {
  const uri = vscode.Uri.parse(address);
  const name = lastSegment(uri);
  const entry = (await notebook.call('documentsAt', { uri: address })).find(
    (one) => one.sourceId === sourceId,
  );
  const document = entry && (await notebook.call('document', { documentId: entry.id }));
  if (entry === undefined || document?.spoken === undefined)
    throw new NotebookError('no-transcript', vscode.l10n.t('{0} has no transcript.', name));
  const { text, spoken } = document;
  const model = await findModel();
  if (model === undefined)
    throw new NotebookError(
      'model-missing',
      vscode.l10n.t('Generating chapters requires a language model. Pick a model first.'),
      { action: 'pickModel' },
    );
  const requests = countChapterRequests({ text, spoken }, model);
  const detail = vscode.l10n.t(
    'Open Notebook sends the transcript to {0}. Requests: {1}.',
    model.name,
    number(requests),
  );
  const title = vscode.l10n.t('Generate chapters for “{0}”?', name);
  if (!(await isAgreed(title, vscode.l10n.t('Generate'), detail))) return;
  const chapters = await unlessCanceled(
    withNotification(vscode.l10n.t('Generating chapters for {0}', name), async (signal, report) =>
      proposeChapters(
        { text, spoken },
        {
          model,
          signal,
          onProgress: (done, total) =>
            report(vscode.l10n.t('Request {0} of {1}', done + 1, total), (100 * done) / total),
        },
      ),
    ),
  );
  if (chapters === undefined) return;
  if (chapters.length === 0) {
    inform(vscode.l10n.t('{0} proposed no chapters that fit the transcript.', model.name));
    return;
  }
  const end = spoken.to.at(-1) ?? 0;
  const captions = chapters.map(({ title: words, from }, i) => ({
    text: words,
    from,
    to: chapters[i + 1]?.from ?? Math.max(from, end),
  }));
  const file = await readers.hashRecording(
    { content: await readContent(uri), name },
    new AbortController().signal,
  );
  await saveChapters(
    transcripts,
    file,
    writeCaptions(captions, vscode.l10n.t('Chapters by {0}', model.name)),
  );
  // A time that no file has makes the next reading compare the content.
  await notebook.call('touchDocument', { documentId: entry.id, size: 0, modifiedAt: -1 });
  const source = (await notebook.call('sources', {})).find(({ id }) => id === sourceId);
  if (source !== undefined) await read(source, entry.key);
}
