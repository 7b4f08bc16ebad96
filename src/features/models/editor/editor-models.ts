import * as vscode from 'vscode';
import type {
  ChatMessage,
  LanguageModel,
  ModelTool,
  StreamOptions,
} from '../../../answers/models/language-model.ts';
import { NotebookError, throwIfCanceled, type ErrorCode } from '../../../core/domain/errors.ts';

/** Language model of the editor: its vendor, its ID there, and its name. */
type EditorModel = Pick<vscode.LanguageModelChat, 'id' | 'name' | 'vendor'>;

/** Maximum time for a model to count the tokens of a prompt before the estimate is used, in milliseconds. */
const COUNTING_TIMEOUT_MS = 3_000;

/** Vendor of the model that Open Notebook offers in the editor's chat. */
export const OWN_VENDOR = 'open-notebook';

/** Returns the editor's own language models to pick from. Queries the editor, so call it only on a user's action. */
export async function editorModels(): Promise<(EditorModel & { readonly windowTokens: number })[]> {
  const models = await vscode.lm.selectChatModels();
  return models
    .filter(({ vendor }) => vendor !== OWN_VENDOR)
    .map(({ vendor, id, name, maxInputTokens }) => ({ vendor, id, name, windowTokens: maxInputTokens }));
}

/**
 * Returns a language model of the editor, which asks the user for consent itself.
 * @throws NotebookError `model-missing` if the editor no longer offers it.
 */
export async function editorModel({ vendor, id, name }: EditorModel): Promise<LanguageModel> {
  const [model] = await vscode.lm.selectChatModels({ vendor, id });
  if (model === undefined) throw missing(name);
  return asLanguageModel(model);
}

/** Wraps a language model of the editor in the interface of models that write answers. */
export function asLanguageModel(model: vscode.LanguageModelChat): LanguageModel {
  const key = `${model.vendor} ${model.id}`;
  return {
    name: model.name,
    windowTokens: model.maxInputTokens,
    get takesTools() {
      return withoutTools.has(key) ? false : undefined;
    },
    countTokens: (text, signal) => countTokens(model, text, signal),
    stream: (messages, options) => streamReply(model, messages, options),
  };
}

/** Models that turned out not to support tools, for the lifetime of the window, because VS Code doesn't report it. */
const withoutTools = new Set<string>();

/** Returns undefined if the model's extension fails to count or exceeds the time limit. */
async function countTokens(
  model: vscode.LanguageModelChat,
  text: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const cancellation = new vscode.CancellationTokenSource();
  const over = AbortSignal.any([signal, AbortSignal.timeout(COUNTING_TIMEOUT_MS)]);
  const waited = new Promise<undefined>((resolve) =>
    over.addEventListener('abort', () => {
      cancellation.cancel();
      resolve(undefined);
    }),
  );
  try {
    const counted = await Promise.race([model.countTokens(text, cancellation.token), waited]);
    return counted !== undefined && counted > 0 ? counted : undefined;
  } catch {
    // The caller estimates the count if the model can't count.
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
  const { signal, tools = [], onToolCall } = options;
  throwIfCanceled(signal);
  if (tools.length > 0 && withoutTools.has(`${model.vendor} ${model.id}`)) throw noTools(model.name);
  const cancellation = new vscode.CancellationTokenSource();
  const stop = (): void => cancellation.cancel();
  signal.addEventListener('abort', stop, { once: true });
  let arrived = false;
  try {
    const response =
      (await sendWithImages(model, messages, cancellation.token, options)) ??
      (await model.sendRequest(messages.map(plainMessage), requestOptions(tools), cancellation.token));
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) {
        arrived ||= part.value !== '';
        yield part.value;
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        arrived = true;
        onToolCall?.({ id: part.callId, name: part.name, input: { ...part.input } });
      }
    }
    throwIfCanceled(signal);
  } catch (error) {
    throwIfCanceled(signal);
    if (
      tools.length > 0 &&
      !arrived &&
      error instanceof Error &&
      /\btools?\b|tool[_-]|toolcall/i.test(error.message)
    ) {
      withoutTools.add(`${model.vendor} ${model.id}`);
      throw noTools(model.name, error);
    }
    throw toNotebookError(error, model.name, arrived);
  } finally {
    signal.removeEventListener('abort', stop);
    cancellation.dispose();
  }
}

/** Sends messages that contain images; returns undefined if none do, or if the model doesn't support images. */
async function sendWithImages(
  model: vscode.LanguageModelChat,
  messages: readonly ChatMessage[],
  token: vscode.CancellationToken,
  { signal, tools = [], onImagesRefused }: StreamOptions,
): Promise<vscode.LanguageModelChatResponse | undefined> {
  if (!messages.some(({ images = [] }) => images.length > 0)) return undefined;
  const { image } = (vscode as DataParts).LanguageModelDataPart ?? {};
  try {
    if (image !== undefined)
      return await model.sendRequest(
        messages.map((message) => messageWithImages(message, image)),
        requestOptions(tools),
        token,
      );
  } catch (error) {
    throwIfCanceled(signal);
    // A missing permission doesn't depend on the images.
    const isForbidden =
      error instanceof vscode.LanguageModelError &&
      error.code === vscode.LanguageModelError.NoPermissions.name;
    if (isForbidden) throw error;
  }
  onImagesRefused?.();
  return undefined;
}

/** Image part of a message, which the oldest supported versions of VS Code lack. */
interface DataParts {
  readonly LanguageModelDataPart?: {
    readonly image?: (bytes: Uint8Array, mediaType: string) => vscode.LanguageModelTextPart;
  };
}

type MakeImage = NonNullable<NonNullable<DataParts['LanguageModelDataPart']>['image']>;

/**
 * Converts a message. The editor's models have no system messages, so instructions become the user's first message.
 */
function plainMessage({ role, content, calls = [], resultOf }: ChatMessage): vscode.LanguageModelChatMessage {
  if (resultOf !== undefined)
    return vscode.LanguageModelChatMessage.User([
      new vscode.LanguageModelToolResultPart(resultOf, [new vscode.LanguageModelTextPart(content)]),
    ]);
  if (role !== 'assistant') return vscode.LanguageModelChatMessage.User(content);
  if (calls.length === 0) return vscode.LanguageModelChatMessage.Assistant(content);
  return vscode.LanguageModelChatMessage.Assistant([
    ...(content === '' ? [] : [new vscode.LanguageModelTextPart(content)]),
    ...calls.map(({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, input)),
  ]);
}

function requestOptions(tools: readonly ModelTool[]): vscode.LanguageModelChatRequestOptions {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, input }) => ({ name, description, inputSchema: input })),
    toolMode: vscode.LanguageModelChatToolMode.Auto,
  };
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
    vscode.l10n.t('VS Code no longer offers {0}. Pick another model.', name),
    { action: 'pickModel' },
  );
}

function noTools(name: string, cause?: unknown): NotebookError {
  return new NotebookError(
    'no-tools',
    vscode.l10n.t('{0} doesn’t support tools. Pick another model.', name),
    {
      action: 'pickModel',
      cause,
    },
  );
}

function toNotebookError(error: unknown, name: string, arrived: boolean): NotebookError {
  if (arrived)
    return new NotebookError(
      'stream-cut',
      vscode.l10n.t('The answer was interrupted. The partial answer is kept. Try again.'),
      { action: 'tryAgain', cause: error },
    );
  const failure = (code: ErrorCode, sentence: string): NotebookError =>
    new NotebookError(code, sentence, { action: 'pickModel', cause: error });
  switch (error instanceof vscode.LanguageModelError ? error.code : '') {
    case vscode.LanguageModelError.NotFound.name:
      return missing(name);
    case vscode.LanguageModelError.NoPermissions.name:
      return failure(
        'forbidden',
        vscode.l10n.t('{0} needs your permission. Ask again and allow access, or pick another model.', name),
      );
    case vscode.LanguageModelError.Blocked.name:
      return failure(
        'rate-limited',
        vscode.l10n.t('{0} is limiting requests. Wait a moment, or pick another model.', name),
      );
    default:
      return failure('server', vscode.l10n.t('{0} didn’t respond. Try again, or pick another model.', name));
  }
}
