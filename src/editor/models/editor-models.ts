import * as vscode from 'vscode';
import type { ChatMessage, LanguageModel, StreamOptions } from '../../answering/models/language-model.ts';
import { NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import type { ModelChoice } from '../../notebook/model-choice.ts';

type EditorChoice = Extract<ModelChoice, { kind: 'editor' }>;

/** How long a model may take to count the tokens of a prompt before the estimate holds, in milliseconds. */
const COUNTING_PATIENCE = 3_000;

/** What the editor's own language models are, as they can be picked. Asks the editor, so only on a user's action. */
export async function editorModels(): Promise<(EditorChoice & { readonly windowTokens: number })[]> {
  const models = await vscode.lm.selectChatModels();
  return models.map(({ vendor, id, name, maxInputTokens }) => ({
    kind: 'editor',
    vendor,
    id,
    name,
    windowTokens: maxInputTokens,
  }));
}

/**
 * A language model of the editor's own, which asks the user for consent itself.
 * @throws NotebookError `model-missing` where the editor no longer offers it.
 */
export async function editorModel({ vendor, id, name }: EditorChoice): Promise<LanguageModel> {
  const [model] = await vscode.lm.selectChatModels({ vendor, id });
  if (model === undefined) throw missing(name);
  return asLanguageModel(model);
}

/** A language model of the editor's as those that answers are written by. */
export function asLanguageModel(model: vscode.LanguageModelChat): LanguageModel {
  return {
    name: model.name,
    windowTokens: model.maxInputTokens,
    countTokens: (text, signal) => countTokens(model, text, signal),
    stream: (messages, options) => streamReply(model, messages, options),
  };
}

/** Undefined where the model's extension fails at it, or takes too long. */
async function countTokens(
  model: vscode.LanguageModelChat,
  text: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const cancellation = new vscode.CancellationTokenSource();
  const over = AbortSignal.any([signal, AbortSignal.timeout(COUNTING_PATIENCE)]);
  const waited = new Promise<undefined>((resolve) => {
    over.addEventListener('abort', () => {
      cancellation.cancel();
      resolve(undefined);
    });
  });
  try {
    const counted = await Promise.race([model.countTokens(text, cancellation.token), waited]);
    return counted !== undefined && counted > 0 ? counted : undefined;
  } catch {
    return undefined;
  } finally {
    cancellation.dispose();
  }
}

async function* streamReply(
  model: vscode.LanguageModelChat,
  messages: readonly ChatMessage[],
  options: StreamOptions,
): AsyncIterable<string> {
  const { signal } = options;
  throwIfCancelled(signal);
  const cancellation = new vscode.CancellationTokenSource();
  const stop = (): void => {
    cancellation.cancel();
  };
  signal.addEventListener('abort', stop, { once: true });
  let arrived = false;
  try {
    const response =
      (await sendWithImages(model, messages, cancellation.token, options)) ??
      (await model.sendRequest(messages.map(plainMessage), {}, cancellation.token));
    for await (const piece of response.text) {
      arrived ||= piece !== '';
      yield piece;
    }
    throwIfCancelled(signal);
  } catch (error) {
    throwIfCancelled(signal);
    throw toNotebookError(error, model.name, arrived);
  } finally {
    signal.removeEventListener('abort', stop);
    cancellation.dispose();
  }
}

/** Sends messages of which some have pictures; undefined where none has, or the model does not take them. */
async function sendWithImages(
  model: vscode.LanguageModelChat,
  messages: readonly ChatMessage[],
  token: vscode.CancellationToken,
  { signal, onImagesRefused }: StreamOptions,
): Promise<vscode.LanguageModelChatResponse | undefined> {
  if (!messages.some(({ images = [] }) => images.length > 0)) return undefined;
  const { image } = (vscode as DataParts).LanguageModelDataPart ?? {};
  try {
    if (image !== undefined)
      return await model.sendRequest(
        messages.map((message) => messageWithImages(message, image)),
        {},
        token,
      );
  } catch (error) {
    throwIfCancelled(signal);
    // That the user allows none of it is no matter of images.
    const isForbidden =
      error instanceof vscode.LanguageModelError &&
      error.code === vscode.LanguageModelError.NoPermissions.name;
    if (isForbidden) throw error;
  }
  onImagesRefused?.();
  return undefined;
}

/** A part of a message that is a picture; versions of VS Code have it that are newer than the oldest we run in. */
interface DataParts {
  readonly LanguageModelDataPart?: {
    readonly image?: (bytes: Uint8Array, mediaType: string) => vscode.LanguageModelTextPart;
  };
}

type MakeImage = NonNullable<NonNullable<DataParts['LanguageModelDataPart']>['image']>;

/** The editor's models know no system messages; instructions come first, as the user's. */
function plainMessage({ role, content }: ChatMessage): vscode.LanguageModelChatMessage {
  return role === 'assistant'
    ? vscode.LanguageModelChatMessage.Assistant(content)
    : vscode.LanguageModelChatMessage.User(content);
}

function messageWithImages(message: ChatMessage, image: MakeImage): vscode.LanguageModelChatMessage {
  const { content, images = [] } = message;
  if (images.length === 0) return plainMessage(message);
  return vscode.LanguageModelChatMessage.User([
    new vscode.LanguageModelTextPart(content),
    ...images.map(({ mediaType, base64 }) => image(Buffer.from(base64, 'base64'), mediaType)),
  ]);
}

function missing(name: string): NotebookError {
  return new NotebookError(
    'model-missing',
    vscode.l10n.t('The editor no longer offers {0}. Pick another model.', name),
    { action: 'pickModel' },
  );
}

function toNotebookError(error: unknown, name: string, arrived: boolean): NotebookError {
  if (arrived)
    return new NotebookError(
      'stream-cut',
      vscode.l10n.t('The answer broke off. What had arrived is kept; try again.'),
      { action: 'tryAgain', cause: error },
    );
  switch (error instanceof vscode.LanguageModelError ? error.code : '') {
    case vscode.LanguageModelError.NotFound.name:
      return missing(name);
    case vscode.LanguageModelError.NoPermissions.name:
      return new NotebookError(
        'forbidden',
        vscode.l10n.t('{0} may be used once you allow it. Ask again, or pick another model.', name),
        { action: 'pickModel', cause: error },
      );
    case vscode.LanguageModelError.Blocked.name:
      return new NotebookError(
        'rate-limited',
        vscode.l10n.t('{0} takes no more questions for now. Wait a little, or pick another model.', name),
        { action: 'pickModel', cause: error },
      );
    default:
      return new NotebookError(
        'server',
        vscode.l10n.t('{0} did not answer. Try again, or pick another model.', name),
        { action: 'pickModel', cause: error },
      );
  }
}
