import * as vscode from 'vscode';
import { audioFormatOfName, type AudioFormat } from '../../recordings/service/audio-file.ts';
import { StoredSegments } from '../../recordings/service/stored-segments.ts';
import { readScript } from '../service/script.ts';
import { countSpoken, speakScript, type Speaking } from '../service/speak-script.ts';
import { scriptCaptions } from '../service/script-captions.ts';
import { writeCaptions } from '../../recordings/service/write-captions.ts';
import { saveTranscript } from '../../recordings/editor/save-transcript.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';
import { lastSegment, readContent } from '../../../platform/workspace-files.ts';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import { fileName } from '../../../core/domain/note.ts';
import { askForServerModel } from '../../models/editor/ask-for-server.ts';
import { askForApiKey } from '../../models/editor/enter-api-key.ts';
import type { ModelChoices } from '../../models/editor/model-choice.ts';
import type { ModelProviders } from '../../models/editor/model-providers.ts';
import { noteUri } from '../../notes/editor/note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { withNotification, isAgreed } from '../../../platform/dialogs.ts';
import { setSpeechModel, speechModel, speechVoices } from '../../../platform/settings.ts';
import { number } from '../../../platform/shown-number.ts';
import { writeAt } from '../../../platform/write-file.ts';
import { showFailure } from '../../artifacts/editor/show-failure.ts';

/** Maximum time to speak a few sentences, in milliseconds. */
const TIMEOUT = 180_000;
const RETRIES = 2;

interface AudioParts {
  readonly models: Pick<ModelChoices, 'of'>;
  readonly providers: ModelProviders;
  readonly readers: Pick<ReaderPool, 'hashRecording'>;
  /** Folder of the cached speech. */
  readonly folder: string;
  /** Folder with the transcripts of recordings. */
  readonly transcripts: string;
  /** Opens the audio in the player. */
  readonly play: (uri: vscode.Uri) => Promise<void>;
}

/**
 * Generates audio from a note that is a script, saves it, and plays it with its text. Failures are shown with a button that helps.
 */
export async function makeAudio(notebook: NotebookClient, parts: AudioParts, title: string): Promise<void> {
  try {
    await speakNote(notebook, parts, title);
  } catch (error) {
    showFailure(error, () => makeAudio(notebook, parts, title), {
      openSettings: () =>
        vscode.commands.executeCommand('workbench.action.openSettings', 'openNotebook.speech'),
      setApiKey: () => askForApiKey(parts.providers.secrets, { address: speechModel()?.baseUrl ?? '' }),
    });
  }
}

async function speakNote(notebook: NotebookClient, parts: AudioParts, title: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(noteUri(title, notebook));
  const chapters = await readScript(document.getText());
  if (chapters.length === 0)
    throw new NotebookError(
      'empty',
      vscode.l10n.t(
        'This note has no dialog. Use “Generate from Sources…” to create an audio script, or start each turn with a name, such as **Ada:**.',
      ),
    );
  const endpoint = speechModel() ?? (await askForSpeechModel(parts));
  if (endpoint === undefined) return;
  const target = await askForFile(title);
  if (target === undefined) return;
  const { uri, format } = target;
  const { baseUrl, name } = endpoint;
  const speaking = { title, chapters, baseUrl, model: name, voices: speechVoices(), format };
  const segments = new StoredSegments(parts.folder);
  const before = await countSpoken(speaking, segments);
  if (!(await maySend(speaking, before))) return;
  try {
    const speak = parts.providers.speech(baseUrl);
    await withNotification(vscode.l10n.t('Generating audio for “{0}”', title), async (signal, report) => {
      const audio = await speakScript(speaking, {
        ...{ segments, signal },
        speak: (request) => speak(name, request, { signal, timeout: TIMEOUT, retries: RETRIES }),
        onProgress: ({ done, total, speaker }) => {
          const message = vscode.l10n.t('Segment {0} of {1}: {2}', done, total, speaker);
          report(message, (100 * (done - before.done)) / total);
        },
      });
      await writeAt(uri, audio.bytes);
      const origin = vscode.l10n.t('Script of “{0}”', title);
      const captions = writeCaptions(scriptCaptions(chapters, audio.ends), origin);
      const recording = { content: await readContent(uri), name: lastSegment(uri) };
      const file = await parts.readers.hashRecording(recording, signal);
      await saveTranscript(parts.transcripts, file, captions);
    });
  } catch (error) {
    if (!isCanceled(error) && !(error instanceof NotebookError)) throw error;
    const { done: now, total } = await countSpoken(speaking, segments);
    const progressLines = now === 0 ? [] : [vscode.l10n.t('Saved segments: {0} of {1}.', now, total)];
    const { code, message, action } =
      error instanceof NotebookError && !isCanceled(error)
        ? error
        : new NotebookError('cancelled', vscode.l10n.t('Stopped generating audio for “{0}”.', title), {
            action: 'tryAgain',
          });
    throw new NotebookError(code, [message, ...progressLines].join(' '), {
      ...(action && { action }),
      cause: error,
    });
  }
  await parts.play(uri);
}

/** Asks for the text-to-speech endpoint and model, and saves them; undefined if the user cancels. */
async function askForSpeechModel({
  models,
  providers,
}: Pick<AudioParts, 'models' | 'providers'>): Promise<ReturnType<typeof speechModel>> {
  const { current } = await models.of('');
  const model = await askForServerModel(providers, {
    title: vscode.l10n.t('Generate Audio'),
    current: providers.find(current)?.server,
    isSuitable: ({ speak }) => speak !== undefined,
    placeHolder: vscode.l10n.t('Select a text-to-speech endpoint'),
    prompt: (label) =>
      vscode.l10n.t(
        'Enter the name of the text-to-speech model on {0}. You can change the model and the voices later in Settings.',
        label,
      ),
    example: 'gpt-4o-mini-tts',
  });
  if (model !== undefined) await setSpeechModel(model.name, model.baseUrl);
  return model;
}

/** Asks where to save the audio. The file extension determines the format. @throws NotebookError `unsupported` */
async function askForFile(
  title: string,
): Promise<{ readonly uri: vscode.Uri; readonly format: AudioFormat } | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Generate Audio'),
    filters: { MP3: ['mp3'], WAV: ['wav'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${fileName(title, 'Audio')}.mp3`) }),
  });
  if (uri === undefined) return undefined;
  const format = audioFormatOfName(uri.path);
  if (format === undefined)
    throw new NotebookError('unsupported', vscode.l10n.t('Use a file name that ends in .mp3 or .wav.'), {
      action: 'tryAgain',
    });
  return { uri, format };
}

/** Asks whether the text may be sent; `true` if all of it is spoken already. */
async function maySend(
  { title, baseUrl, model, voices }: Speaking,
  { done, total, characters }: Awaited<ReturnType<typeof countSpoken>>,
): Promise<boolean> {
  if (done === total) return true;
  const detail = [
    vscode.l10n.t(
      'Segments to generate: {0} ({1} characters). Open Notebook sends them to {2}, where {3} generates speech with the voices {4}.',
      ...[number(total - done), number(characters), URL.parse(baseUrl)?.host ?? baseUrl, model],
      voices.join(', '),
    ),
    ...(done > 0 ? [vscode.l10n.t('Saved segments: {0} of {1}.', done, total)] : []),
  ].join('\n');
  return await isAgreed(vscode.l10n.t('Generate audio for “{0}”?', title), vscode.l10n.t('Generate'), detail);
}
