import * as vscode from 'vscode';
import { NotebookError, throwIfCanceled, unlessCanceled } from '../../../core/domain/errors.ts';
import { isRecordingName, type RecordingDetails } from '../../../core/domain/recordings.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { ReadRequest } from '../../../parsers/api.ts';
import { isPrivateHost } from '../../../parsers/web/private-addresses.ts';
import { inform, isAgreed, showError, withNotification } from '../../../platform/dialogs.ts';
import { askForServerModel } from '../../models/editor/ask-for-server.ts';
import { askForApiKey } from '../../models/editor/enter-api-key.ts';
import type { ModelChoices } from '../../models/editor/model-choice.ts';
import type { ModelProviders } from '../../models/editor/model-providers.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { setTranscriptionModel, transcriptionModel, transcriptionPrice } from '../../../platform/settings.ts';
import { number } from '../../../platform/shown-number.ts';
import { lastSegment, readContent } from '../../../platform/workspace-files.ts';
import { transcriptionJob, type Transcription, type TranscriptionJob } from './transcription.ts';

type Recording = Pick<TranscriptionJob, 'sourceId' | 'path' | 'uri' | 'seconds'>;

/** Dependencies of the question about a transcription. */
export interface TranscribeParts {
  readonly notebook: NotebookClient;
  readonly transcription: Pick<Transcription, 'add'>;
  readonly models: Pick<ModelChoices, 'of'>;
  readonly providers: ModelProviders;
  readonly readers: {
    readonly describeRecording: (file: Pick<ReadRequest, 'content' | 'name'>) => Promise<RecordingDetails>;
  };
}

/**
 * Asks once whether the recordings of some sources may be transcribed, with their length, the server, and the cost, and
 * starts. Only recordings without a transcript count.
 * @throws NotebookError if the only recording can't be transcribed
 */
export async function askToTranscribe(parts: TranscribeParts, sources: readonly Source[]): Promise<void> {
  const recordings = await findUntranscribed(parts.notebook, sources);
  if (recordings.length === 0) {
    inform(vscode.l10n.t('All recordings in the selected sources have transcripts.'));
    return;
  }
  const model = transcriptionModel() ?? (await askForModel(parts));
  if (model === undefined) return;
  const measured = await unlessCanceled(
    withNotification(vscode.l10n.t('Calculating the length of the recordings'), (signal, report) =>
      measure(recordings, parts.readers, signal, report),
    ),
  );
  const [first] = measured ?? [];
  if (measured === undefined || first === undefined) return;
  const question =
    measured.length === 1
      ? vscode.l10n.t('Transcribe “{0}”?', lastSegment(vscode.Uri.parse(first.uri)))
      : vscode.l10n.t('Transcribe {0} recordings?', number(measured.length));
  const unreadableCount = recordings.length - measured.length;
  const detail = [
    describeRequest(measured, model),
    ...(unreadableCount === 0 ? [] : [vscode.l10n.t('Unreadable recordings: {0}.', number(unreadableCount))]),
  ].join('\n');
  if (await isAgreed(question, vscode.l10n.t('Transcribe'), detail))
    await parts.transcription.add(measured.map((recording) => transcriptionJob(recording, model)));
}

/** Returns the recordings of sources that have no transcript. */
export async function findUntranscribed(
  notebook: Pick<NotebookClient, 'call'>,
  sources: readonly Source[],
): Promise<Omit<Recording, 'seconds'>[]> {
  const untranscribed: Omit<Recording, 'seconds'>[] = [];
  for (const { id: sourceId, origin, state, skipped } of sources)
    if (origin.kind === 'file' && state.kind === 'failed' && state.code === 'no-transcript')
      untranscribed.push({ sourceId, path: '', uri: origin.uri });
    else if (origin.kind === 'folder' && skipped.binary > 0) {
      const folder = vscode.Uri.parse(origin.uri);
      for (const { path, kind } of await notebook.call('skippedFiles', { sourceId }))
        if (kind === 'binary' && isRecordingName(path))
          untranscribed.push({ sourceId, path, uri: vscode.Uri.joinPath(folder, path).toString() });
    }
  // Files are read in no particular order.
  return untranscribed.sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** Shows why transcription is paused, with a button that helps. */
export function showTranscriptionProblem(
  { message, action }: NotebookError,
  { uri, seconds, done, model }: TranscriptionJob,
  { providers, resume }: { readonly providers: ModelProviders; readonly resume: () => Promise<void> },
): void {
  const name = lastSegment(vscode.Uri.parse(uri));
  const sentences = [
    vscode.l10n.t('Transcription of {0} is paused.', name),
    message,
    ...(done === 0
      ? []
      : [vscode.l10n.t('Saved: {0} of {1} minutes.', Math.floor(done / 60), Math.ceil(seconds / 60))]),
  ];
  const button =
    action === 'setApiKey'
      ? vscode.l10n.t('Set API Key')
      : action === 'openSettings'
        ? vscode.l10n.t('Open Settings')
        : vscode.l10n.t('Resume');
  void showError(sentences.join(' '), [button]).then(async (chosen) => {
    if (chosen === undefined) return;
    if (action === 'openSettings') {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'openNotebook.transcription');
      return;
    }
    if (action === 'setApiKey' && !(await askForApiKey(providers.secrets, { address: model.baseUrl })))
      return;
    await resume();
  });
}

/** Asks for the speech-to-text endpoint and model, and saves them; undefined if the user cancels. */
async function askForModel({
  models,
  providers,
}: Pick<TranscribeParts, 'models' | 'providers'>): Promise<ReturnType<typeof transcriptionModel>> {
  const { current } = await models.of('');
  const model = await askForServerModel(providers, {
    title: vscode.l10n.t('Transcribe'),
    current: providers.find(current)?.server,
    isSuitable: ({ transcribe }) => transcribe !== undefined,
    placeHolder: vscode.l10n.t('Select a speech-to-text endpoint'),
    prompt: (label) =>
      vscode.l10n.t(
        'Enter the name of the speech-to-text model on {0}. You can change the model later in Settings.',
        label,
      ),
    example: 'whisper-1',
  });
  if (model !== undefined) await setTranscriptionModel(model.name, model.baseUrl);
  return model;
}

/** Returns the recordings that can be transcribed, with their length. @throws NotebookError if the only one can't be */
async function measure(
  recordings: readonly Omit<Recording, 'seconds'>[],
  readers: TranscribeParts['readers'],
  signal: AbortSignal,
  report: (message: string, percent: number) => void,
): Promise<Recording[]> {
  const measured: Recording[] = [];
  let problem: unknown;
  for (const [i, recording] of recordings.entries()) {
    throwIfCanceled(signal);
    const uri = vscode.Uri.parse(recording.uri);
    const name = lastSegment(uri);
    report(name, (100 * i) / recordings.length);
    try {
      const { duration, codecs } = await readers.describeRecording({ content: await readContent(uri), name });
      if (codecs.audio === undefined)
        throw new NotebookError('unsupported', vscode.l10n.t('{0} has no audio to transcribe.', name));
      measured.push({ ...recording, seconds: duration });
    } catch (error) {
      problem = error;
    }
  }
  if (measured.length === 0) throw problem;
  return measured;
}

function describeRequest(recordings: readonly Recording[], model: { name: string; baseUrl: string }): string {
  const minutes = Math.ceil(recordings.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const url = URL.parse(model.baseUrl);
  const host = url?.host ?? model.baseUrl;
  const price = transcriptionPrice() * minutes;
  const sent = vscode.l10n.t(
    'Length: {0} minutes. Open Notebook sends the audio to {1}, where {2} transcribes it.',
    ...[number(minutes), host, model.name],
  );
  if (price > 0) {
    const shown = price.toLocaleString(vscode.env.language, { maximumSignificantDigits: 2 });
    return `${sent} ${vscode.l10n.t('This costs about ${0}.', shown)}`;
  }
  return url !== null && isPrivateHost(url.hostname)
    ? sent
    : `${sent} ${vscode.l10n.t('{0} may charge for each minute.', host)}`;
}
