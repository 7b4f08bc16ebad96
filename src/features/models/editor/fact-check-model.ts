import * as vscode from 'vscode';
import type { ModelChoice } from '../../../core/domain/model-choice.ts';
import { chosenFrom } from '../../../platform/dialogs.ts';
import { baseUrl, factCheckModel, setFactCheckModel } from '../../../platform/settings.ts';
import { modelGroups, type Item } from './model-items.ts';
import type { ModelProviders } from './model-providers.ts';

/**
 * Returns the model that checks another model's text: the one that the setting names, as `ENDPOINT/MODEL`,
 * `ADDRESS#MODEL`, `vscode/VENDOR/ID`, or a model of the same server; by default the model that wrote it.
 */
export function factCheckChoice(writer: ModelChoice, providers: ModelProviders): ModelChoice {
  const settingName = factCheckModel();
  if (settingName === '' || writer.kind === 'quotes') return writer;
  const server = providers.find(writer)?.server;
  const { named } = server?.named === undefined ? (providers.serverAt({ address: baseUrl() }) ?? {}) : server;
  return providers.modelInSetting(settingName) ?? named?.(settingName) ?? writer;
}

/** Lets the user pick the model that checks answers, and saves it in the settings. */
export async function pickFactCheckModel(providers: ModelProviders): Promise<void> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = vscode.l10n.t('Pick Fact-Check Model');
  picker.placeholder = vscode.l10n.t('Select the model that checks answers against their sources');
  picker.matchOnDescription = true;
  const first: Item = {
    label: vscode.l10n.t('The model that writes the answer'),
    description: vscode.l10n.t('Default'),
    action: { kind: 'pick', choice: { kind: 'quotes' } },
  };
  const controller = new AbortController();
  const groups = modelGroups(providers, controller.signal);
  picker.items = [first];
  picker.busy = true;
  let waiting = groups.length;
  for (const { items: pending } of groups)
    void pending
      .catch(() => [])
      .then((items) => {
        waiting--;
        if (controller.signal.aborted) return;
        const models = items.filter(({ kind, action }) => kind !== undefined || action?.kind === 'pick');
        if (models.some(({ action }) => action !== undefined)) picker.items = [...picker.items, ...models];
        picker.busy = waiting > 0;
      });
  try {
    const choice = await chosenFrom<ModelChoice, Item>(picker, (choose) => {
      picker.onDidChangeSelection(([item]) => {
        if (item?.action?.kind === 'pick') choose(item.action.choice);
      });
    });
    if (choice !== undefined) await setFactCheckModel(providers.find(choice)?.settingName ?? '');
  } finally {
    controller.abort();
  }
}
