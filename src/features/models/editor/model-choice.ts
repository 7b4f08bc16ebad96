import * as vscode from 'vscode';
import { parseModelChoice, type ModelChoice } from '../../../core/domain/model-choice.ts';
import { carryModelOver, forgetCarriedModel } from './carried-model.ts';
import type { ModelProviders } from './model-providers.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { modelSettings, onDidChange } from '../../../platform/settings.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Storage key of the model that was last selected for any notebook, shared by all windows. */
const LAST_KEY = 'lastModel';

/** Models that write answers, for the current conversation and the notebook. */
export interface CurrentModels {
  /** Model that writes the answers of the conversation. */
  readonly current: ModelChoice;
  /** Model of conversations that have no model of their own. */
  readonly notebook: ModelChoice;
  readonly isOfConversation: boolean;
  /** `true` if a model, or excerpts only, was selected here or for another notebook, or is named in the settings. */
  readonly isChosen: boolean;
}

/**
 * Finds the model that writes answers: the one selected for the conversation, else for the notebook, else the one in the
 * settings, else the one selected last for another notebook.
 */
export class ModelChoices extends Disposable {
  readonly #notebook: NotebookClient;
  readonly #providers: ModelProviders;
  readonly #workspaceState: vscode.Memento;
  readonly #everywhere: vscode.Memento;
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = this._register(new vscode.EventEmitter<void>());

  readonly onDidChange = this.#changed.event;

  /**
   * `memento` is the workspace's storage for the notebook, which may hold the model picked in an earlier version;
   * `everywhere` is shared by all windows.
   */
  constructor(
    notebook: NotebookClient,
    providers: ModelProviders,
    memento: vscode.Memento,
    everywhere: vscode.Memento,
    log: vscode.LogOutputChannel,
  ) {
    super();
    this.#notebook = notebook;
    this.#providers = providers;
    this.#workspaceState = memento;
    this.#everywhere = everywhere;
    this.#log = log;
    const changed = (): void => {
      // A changed setting replaces the picked model.
      this.pick(undefined).catch((error: unknown) =>
        this.#log.error('Forgetting the model that was picked:', String(error)),
      );
    };
    this._register(
      onDidChange('model.name', changed),
      onDidChange('model.baseUrl', changed),
      onDidChange('endpoints', () => this.#changed.fire()),
    );
  }

  async of(conversationId: string): Promise<CurrentModels> {
    await carryModelOver(this.#workspaceState, this.#notebook).catch((error: unknown) =>
      this.#log.warn('Carrying over the model that was picked before:', String(error)),
    );
    const picked = await this.#notebook.call('pickedModels', { conversationId });
    const chosen = this.#omitUnknown(picked.notebook) ?? modelSettings() ?? this.#readLast();
    const notebook = chosen ?? { kind: 'quotes' };
    const conversation = this.#omitUnknown(picked.conversation);
    return {
      notebook,
      current: conversation ?? notebook,
      isChosen: (conversation ?? chosen) !== undefined,
      isOfConversation: conversation !== undefined,
    };
  }

  /** Saves the picked model, for one conversation or else for the notebook; undefined resets it. */
  async pick(choice: ModelChoice | undefined, conversationId?: string): Promise<void> {
    if (conversationId === undefined) await forgetCarriedModel(this.#workspaceState);
    await this.#notebook.call('pickModel', { choice, conversationId });
    if (conversationId === undefined && choice !== undefined) await this.#everywhere.update(LAST_KEY, choice);
    this.#changed.fire();
  }

  /** Returns a stored choice, unless its provider is unknown, as that of a later version, or can't read it. */
  #omitUnknown(choice: ModelChoice | undefined): ModelChoice | undefined {
    return choice?.kind === 'quotes' || (choice && this.#providers.find(choice)) ? choice : undefined;
  }

  /** Returns the model that was selected last, unless its endpoint has been removed. */
  #readLast(): ModelChoice | undefined {
    const last = this.#omitUnknown(parseModelChoice(this.#everywhere.get<unknown>(LAST_KEY)));
    const address = last && this.#providers.find(last)?.server.address;
    const isRemoved =
      address !== undefined && !this.#providers.servers().some((server) => server.address === address);
    return isRemoved ? undefined : last;
  }
}
