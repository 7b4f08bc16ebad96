import * as vscode from 'vscode';
import { editorModels, OWN_VENDOR } from '../../models/editor/editor-models.ts';

/** Delay before models are checked after a change, in milliseconds, and the maximum number of checks in a window. */
const CHECK_DELAY_MS = 1_000;
const MAX_CHECKS = 30;

/** Some versions of VS Code list a model in the chat only if it declares that users can select it. */
interface FallbackModel extends vscode.LanguageModelChatInformation {
  readonly isUserSelectable: true;
}

/**
 * Offers the editor's chat a model while it has no other: without any, VS Code rejects a question to `@notebook` before
 * it gets here. The participant then answers with the notebook's own model, or with excerpts.
 */
export function registerChatFallback(): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let isNeeded = false;
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const isNeededNow = (await editorModels()).length === 0;
    if (isNeededNow === isNeeded) return;
    isNeeded = isNeededNow;
    changed.fire();
  };
  // A check makes the editor query this model, too, which may itself be reported as a change. So checks are limited.
  const lookSoon = (): void => {
    if (looks === MAX_CHECKS) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      looks++;
      void look();
    }, CHECK_DELAY_MS);
  };
  const provider: vscode.LanguageModelChatProvider<FallbackModel> = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => {
      if (looks === 0) {
        looks++;
        void look();
      }
      return isNeeded ? [fallbackModel()] : [];
    },
    provideLanguageModelChatResponse: (_model, _messages, _options, progress) => {
      progress.report(
        new vscode.LanguageModelTextPart(
          vscode.l10n.t(
            'This model answers only questions that start with @notebook. Start your question with @notebook, or set up another model.',
          ),
        ),
      );
      return Promise.resolve();
    },
    provideTokenCount: (_model, text) =>
      Promise.resolve(Math.ceil((typeof text === 'string' ? text : JSON.stringify(text.content)).length / 4)),
  };
  const registered = vscode.Disposable.from(
    changed,
    new vscode.Disposable(() => {
      clearTimeout(timer);
    }),
    vscode.lm.onDidChangeChatModels(lookSoon),
    vscode.lm.registerLanguageModelChatProvider(OWN_VENDOR, provider),
  );
  // Some versions of VS Code query a provider only after it reports a change, or when the user lists the models.
  if (vscode.workspace.getConfiguration('chat').get('disableAIFeatures') !== true) changed.fire();
  return registered;
}

function fallbackModel(): FallbackModel {
  return {
    id: 'notebook',
    name: 'Open Notebook',
    family: 'notebook',
    version: '1',
    tooltip: vscode.l10n.t(
      'Answers @notebook questions with the model that you picked in Open Notebook, or with excerpts only',
    ),
    maxInputTokens: 100_000,
    maxOutputTokens: 8_000,
    // The chat's agent mode lists only models that support tools.
    capabilities: { toolCalling: true },
    isUserSelectable: true,
  };
}
