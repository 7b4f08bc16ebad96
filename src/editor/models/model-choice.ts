import * as vscode from 'vscode';
import type { ModelChoice } from '../../notebook/model-choice.ts';
import { carryModelOver, forgetCarriedModel } from './carried-model.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { modelSettings, onDidChange } from '../settings.ts';

/** What was picked to write answers, and what holds therefore. */
export interface CurrentModels {
  /** What writes the answers of the conversation. */
  readonly current: ModelChoice;
  /** What writes those of conversations that have no model of their own. */
  readonly notebook: ModelChoice;
  readonly isOfConversation: boolean;
  /** Whether anything was picked or named in the settings, quotes only included. */
  readonly isChosen: boolean;
}

/** What writes answers: what was picked for the conversation, else for the notebook, else what the settings name. */
export class ModelChoices implements vscode.Disposable {
  readonly #notebook: NotebookClient;
  readonly #kept: vscode.Memento;
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #settings: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  /** `kept` is what the workspace keeps of the notebook, among it what was picked in an earlier version. */
  constructor(notebook: NotebookClient, kept: vscode.Memento, log: vscode.LogOutputChannel) {
    this.#notebook = notebook;
    this.#kept = kept;
    this.#log = log;
    const changed = (): void => {
      // Who changes the settings wants them to hold.
      this.pick(undefined).catch((error: unknown) =>
        this.#log.error('Forgetting the model that was picked:', String(error)),
      );
    };
    this.#settings = vscode.Disposable.from(
      onDidChange('model.name', changed),
      onDidChange('model.baseUrl', changed),
      onDidChange('endpoints', () => this.#changed.fire()),
    );
  }

  async of(conversationId: string): Promise<CurrentModels> {
    await carryModelOver(this.#kept, this.#notebook).catch((error: unknown) =>
      this.#log.warn('Carrying over the model that was picked before:', String(error)),
    );
    const picked = await this.#notebook.call('pickedModels', { conversationId });
    const chosen = picked.notebook ?? modelSettings();
    const notebook = chosen ?? { kind: 'quotes' };
    return {
      notebook,
      current: picked.conversation ?? notebook,
      isChosen: (picked.conversation ?? chosen) !== undefined,
      isOfConversation: picked.conversation !== undefined,
    };
  }

  /** Keeps what was picked, for one conversation or else for the notebook; undefined takes it back. */
  async pick(choice: ModelChoice | undefined, conversationId?: string): Promise<void> {
    if (conversationId === undefined) await forgetCarriedModel(this.#kept);
    await this.#notebook.call('pickModel', { choice, conversationId });
    this.#changed.fire();
  }

  dispose(): void {
    this.#settings.dispose();
    this.#changed.dispose();
  }
}
