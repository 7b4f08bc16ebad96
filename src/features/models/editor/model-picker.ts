import * as vscode from 'vscode';
import type { ModelServer } from '../../../answers/models/model-provider.ts';
import type { ModelChoice } from '../../../core/domain/model-choice.ts';
import { addEndpoint, manageEndpoints } from './endpoint-manager.ts';
import { askForApiKey } from './enter-api-key.ts';
import { pickFactCheckModel } from './fact-check-model.ts';
import type { CurrentModels } from './model-choice.ts';
import { modelGroups, type Action, type Item } from './model-items.ts';
import { isSameServer, type ModelProviders } from './model-providers.ts';
import { chosenFrom } from '../../../platform/dialogs.ts';
import { factCheckModel } from '../../../platform/settings.ts';

/**
 * Picked model, for the conversation alone or for the notebook. Without a choice, the conversation uses the notebook's
 * model again.
 */
interface Pick {
  readonly choice: ModelChoice | undefined;
  readonly forConversation: boolean;
}

/** Lets the user pick the model that writes answers from the available ones; undefined if they cancel. */
export async function pickModel(models: CurrentModels, providers: ModelProviders): Promise<Pick | undefined> {
  let forConversation = models.isOfConversation;
  /** Server that the user has just set up. */
  let preferred: ModelServer | undefined;
  for (;;) {
    const action = await chooseAction({ models, forConversation, providers, preferred });
    switch (action?.kind) {
      case undefined:
        return undefined;
      case 'pick':
        return { choice: action.choice, forConversation };
      case 'inherit':
        return { choice: undefined, forConversation: true };
      case 'switchScope':
        forConversation = !forConversation;
        break;
      case 'setKey':
        if (await askForApiKey(providers.secrets, action.server)) preferred = action.server;
        break;
      case 'typeName': {
        const name = await askForName(action.server);
        const choice = name === undefined ? undefined : action.server.named?.(name);
        if (choice === undefined) break;
        return { choice, forConversation };
      }
      case 'addEndpoint': {
        const added = await addEndpoint(providers);
        const [first, second] = added?.models ?? [];
        if (first !== undefined && second === undefined) return { choice: first, forConversation };
        preferred = added?.server ?? preferred;
        break;
      }
      case 'factCheckModel':
        await pickFactCheckModel(providers);
        break;
      case 'findByMeaning':
        await vscode.commands.executeCommand('openNotebook.findByMeaning');
        return undefined;
      case 'manageEndpoints':
        await manageEndpoints(providers, models.current);
        break;
    }
  }
}

interface PickerParts {
  readonly models: CurrentModels;
  readonly forConversation: boolean;
  readonly providers: ModelProviders;
  /** Server whose models come first; its first model is active. */
  readonly preferred: ModelServer | undefined;
}

async function chooseAction({
  models,
  forConversation,
  providers,
  preferred,
}: PickerParts): Promise<Action | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = forConversation
    ? vscode.l10n.t('Pick Model for This Conversation')
    : vscode.l10n.t('Pick Model for This Notebook');
  picker.placeholder = vscode.l10n.t('Select the model that writes answers');
  picker.matchOnDescription = true;
  const inherits = forConversation && !models.isOfConversation;
  const ticked = inherits ? undefined : forConversation ? models.current : models.notebook;
  const tick = (item: Item): Item =>
    ticked !== undefined && item.action?.kind === 'pick' && providers.isSame(item.action.choice, ticked)
      ? { ...item, label: `${TICK} ${item.label}` }
      : item;
  const first = withoutModel(models, forConversation).map(tick);
  const last = otherActions(forConversation);
  const controller = new AbortController();
  const groups = modelGroups(providers, controller.signal, ticked);
  // Groups are in the order in which they answer, so that models don't move under the pointer.
  const listed: Item[] = [];
  let preferredItem: Item | undefined;
  let waiting = groups.length;
  let preset: Item | undefined;
  const show = (): void => {
    const items = [...first, ...listed, ...last];
    const [active] = picker.activeItems;
    // Stays on the row that the user moved to. Else selects the current model, or the first match of the entered
    // text.
    const isMoved = active !== undefined && active !== preset && active !== items[0];
    const begin = isMoved
      ? active
      : picker.value === ''
        ? (preferredItem ?? items.find(({ label }) => label.startsWith(TICK)))
        : undefined;
    picker.items = items;
    if (begin !== undefined) picker.activeItems = [begin];
    if (!isMoved) preset = begin;
    picker.busy = waiting > 0;
  };
  for (const { server, items: pending } of groups)
    void pending
      .catch((): Item[] => [])
      .then((offered) => {
        const items = offered.map(tick);
        if (isSameServer(preferred, server)) {
          listed.unshift(...items);
          preferredItem = items.find(({ action }) => action !== undefined);
        } else listed.push(...items);
        waiting--;
        if (!controller.signal.aborted) show();
      });
  let typed = '';
  picker.onDidChangeValue((value) => {
    // If the list grew before the first letter arrived, the selected row may be filtered out. Setting the items again
    // selects the first match.
    if (typed === '') picker.items = [...first, ...listed, ...last];
    typed = value;
  });
  show();
  try {
    return await chosenFrom<Action, Item>(picker, (choose) => {
      // The list may change between the selection and Enter, which would then find nothing selected.
      picker.onDidChangeSelection(([item]) => {
        if (item?.action !== undefined) choose(item.action);
      });
    });
  } finally {
    controller.abort();
  }
}

/** Returns the items that need no endpoint. */
function withoutModel(models: CurrentModels, forConversation: boolean): Item[] {
  const { notebook, isOfConversation } = models;
  const quotes = vscode.l10n.t('Excerpts only');
  return [
    {
      label: quotes,
      description: vscode.l10n.t('Top excerpts from your sources. Nothing leaves this machine.'),
      action: { kind: 'pick', choice: { kind: 'quotes' } },
    },
    ...(forConversation
      ? [
          {
            label: `${isOfConversation ? '$(discard)' : TICK} ${vscode.l10n.t('Same as the notebook')}`,
            description: notebook.name ?? quotes,
            action: { kind: 'inherit' } as const,
          },
        ]
      : []),
  ];
}

/** Returns the actions other than picking a model. */
function otherActions(forConversation: boolean): Item[] {
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: forConversation
        ? `$(notebook) ${vscode.l10n.t('Pick Model for This Notebook…')}`
        : `$(comment-discussion) ${vscode.l10n.t('Pick Model for This Conversation…')}`,
      action: { kind: 'switchScope' },
    },
    {
      label: `$(add) ${vscode.l10n.t('Add Endpoint…')}`,
      description: vscode.l10n.t('Any server with an OpenAI-compatible API'),
      action: { kind: 'addEndpoint' },
    },
    {
      label: `$(gear) ${vscode.l10n.t('Manage Endpoints and API Keys…')}`,
      description: vscode.l10n.t('Set, test, or remove keys and endpoints'),
      action: { kind: 'manageEndpoints' },
    },
    {
      label: `$(checklist) ${vscode.l10n.t('Pick Fact-Check Model…')}`,
      description: factCheckModel() || vscode.l10n.t('The model that writes the answer'),
      action: { kind: 'factCheckModel' },
    },
    {
      label: `$(telescope) ${vscode.l10n.t('Set Up Semantic Search…')}`,
      description: vscode.l10n.t('Finds passages by meaning with a small local model'),
      action: { kind: 'findByMeaning' },
    },
  ];
}

const TICK = '$(check)';

async function askForName({ label }: ModelServer): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Pick Model'),
    prompt: vscode.l10n.t('Enter the name of the model on {0}', label),
    ignoreFocusOut: true,
  });
  return typed?.trim() === '' ? undefined : typed?.trim();
}
