import * as vscode from 'vscode';
import type { Embedder, EmbedderState } from '../../semantic-search/editor/embedder.ts';
import { setContextKey } from '../../../platform/menu-contexts.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { TextRecognition } from '../../ocr/editor/text-recognition.ts';
import type { Transcription } from '../../recordings/editor/transcription.ts';
import type { SourceReader } from './source-reader.ts';
import { recognising, transcribing } from './source-words.ts';

interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Shows in the status bar and the Sources view that sources are being read; a click stops it. */
export function showActivity(
  notebook: NotebookClient,
  reader: SourceReader,
  embedder: Embedder,
  recognition: TextRecognition,
  transcription: Transcription,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('openNotebook.activity', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('Open Notebook');
  let resplitting: Progress | undefined;
  let indexing: Progress | undefined;
  let embedding: EmbedderState = { kind: 'idle' };
  let endProgress: (() => void) | undefined;

  const update = (): void => {
    const reading = reader.working > 0;
    const transcriptionState = transcription.state();
    void vscode.commands.executeCommand('setContext', 'openNotebook.reading', reading);
    if (reading) {
      item.text = `$(sync~spin) ${reader.working === 1 ? vscode.l10n.t('Reading 1 source') : vscode.l10n.t('Reading {0} sources', reader.working)}`;
      item.tooltip = vscode.l10n.t(
        'Open Notebook is reading sources. Select to stop. Finished documents are kept.',
      );
      item.command = 'openNotebook.stopReading';
    } else if (resplitting !== undefined) {
      item.text = `$(sync~spin) ${vscode.l10n.t('Splitting documents: {0} of {1}', resplitting.done, resplitting.total)}`;
      item.tooltip = vscode.l10n.t(
        'The passage settings changed. Open Notebook is splitting your documents again.',
      );
      item.command = undefined;
    } else if (indexing !== undefined) {
      item.text = `$(sync~spin) ${vscode.l10n.t('Indexing documents: {0} of {1}', indexing.done, indexing.total)}`;
      item.tooltip = vscode.l10n.t(
        'Open Notebook is rebuilding its index from saved data. You can still ask questions.',
      );
      item.command = undefined;
    } else if (embedding.kind === 'embedding') {
      item.text = `$(sync~spin) ${vscode.l10n.t('Generating embeddings: {0} of {1}', embedding.done, embedding.total)}`;
      item.tooltip = vscode.l10n.t(
        'Open Notebook is generating embeddings. Select to stop. Finished passages are kept.',
      );
      item.command = 'openNotebook.stopEmbedding';
    } else if (recognition.isWorking) {
      item.text = `$(sync~spin) ${recognising(recognition.left())}`;
      item.tooltip = vscode.l10n.t(
        'Open Notebook is recognizing text in images of pages. Select to pause. Finished pages are kept.',
      );
      item.command = 'openNotebook.pauseRecognition';
    } else if (transcriptionState?.isPaused === false) {
      item.text = `$(sync~spin) ${transcribing(transcriptionState)}`;
      item.tooltip = transcriptionState.isElsewhere
        ? vscode.l10n.t(
            'Another window is transcribing the recording. Select to stop waiting for the transcript in this window.',
          )
        : vscode.l10n.t(
            'Open Notebook is transcribing recordings. Select to pause. Finished parts are kept.',
          );
      item.command = 'openNotebook.pauseTranscription';
    } else if (embedding.kind === 'paused') {
      item.text = `$(warning) ${vscode.l10n.t('Embeddings paused')}`;
      item.tooltip = vscode.l10n.t('{0} Select to try again. You can still ask questions.', embedding.reason);
      item.command = 'openNotebook.embedSources';
    }
    void vscode.commands.executeCommand(
      'setContext',
      'openNotebook.embedding',
      embedding.kind === 'embedding',
    );
    const working =
      reading || resplitting !== undefined || indexing !== undefined || embedding.kind === 'embedding';
    void setContextKey('recognises', recognition.isWorking);
    const isTranscribing = transcriptionState?.isPaused === false;
    void setContextKey('transcribes', isTranscribing);
    void setContextKey('hasTranscriptions', transcriptionState !== undefined);
    item[
      working || recognition.isWorking || isTranscribing || embedding.kind === 'paused' ? 'show' : 'hide'
    ]();
    if (!working) {
      endProgress?.();
      endProgress = undefined;
      return;
    }
    if (endProgress === undefined)
      void vscode.window.withProgress(
        { location: { viewId: 'openNotebook.sources' } },
        () =>
          new Promise<void>((resolve) => {
            endProgress = resolve;
          }),
      );
  };

  return vscode.Disposable.from(
    item,
    reader.onDidChangeActivity(update),
    recognition.onDidChange(update),
    transcription.onDidChange(update),
    notebook.onDidIndex((progress) => {
      indexing = progress.done < progress.total ? progress : undefined;
      update();
    }),
    notebook.onDidResplit((progress) => {
      resplitting = progress.done < progress.total ? progress : undefined;
      update();
    }),
    embedder.onDidChangeState((state) => {
      embedding = state;
      update();
    }),
    {
      dispose: () => endProgress?.(),
    },
  );
}
