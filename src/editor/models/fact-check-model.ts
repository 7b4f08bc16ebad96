import * as vscode from 'vscode';
import type { ModelChoice } from '../../notebook/model-choice.ts';
import { chosenFrom } from '../dialogs.ts';
import { baseUrl, endpoints, factCheckModel, setFactCheckModel } from '../settings.ts';
import { editorGroup, endpointGroup, knownEndpoints, type Item } from './model-items.ts';

/** Prefix of the editor's own models in the setting: `vscode/VENDOR/ID`. */
const EDITOR_PREFIX = 'vscode/';

/** Separator between the URL of an unnamed endpoint and its model: `http://127.0.0.1:11434/v1#MODEL`. */
const ADDRESS_END = '#';

/**
 * Returns the model that checks another model's text: the one that the setting names, as `ENDPOINT/MODEL`,
 * `ADDRESS#MODEL`, `vscode/VENDOR/ID`, or a model of the same endpoint; by default the model that wrote it.
 */
export function factCheckChoice(writer: ModelChoice): ModelChoice {
  const named = factCheckModel();
  if (named === '' || writer.kind === 'quotes') return writer;
  if (named.startsWith(EDITOR_PREFIX)) {
    const [vendor = '', ...id] = named.slice(EDITOR_PREFIX.length).split('/');
    return { kind: 'editor', vendor, id: id.join('/'), name: id.join('/') };
  }
  const endpoint = endpoints().find(({ name }) => named.startsWith(`${name}/`));
  if (endpoint !== undefined)
    return {
      kind: 'endpoint',
      baseUrl: endpoint.address,
      endpoint: endpoint.name,
      name: named.slice(endpoint.name.length + 1),
    };
  const [address = '', ...rest] = named.split(ADDRESS_END);
  if (rest.length > 0 && /^https?:/i.test(address))
    return { kind: 'endpoint', baseUrl: address, name: rest.join(ADDRESS_END) };
  return writer.kind === 'endpoint'
    ? { kind: 'endpoint', baseUrl: writer.baseUrl, endpoint: writer.endpoint, name: named }
    : { kind: 'endpoint', baseUrl: baseUrl(), name: named };
}

/** Returns the value of the setting that names a model; empty for the model that writes answers. */
function nameInSetting(choice: ModelChoice): string {
  switch (choice.kind) {
    case 'quotes':
      return '';
    case 'editor':
      return `${EDITOR_PREFIX}${choice.vendor}/${choice.id}`;
    case 'endpoint':
      return choice.endpoint === undefined
        ? `${choice.baseUrl}${ADDRESS_END}${choice.name}`
        : `${choice.endpoint}/${choice.name}`;
  }
}

/** Lets the user pick the model that checks answers, and saves it in the settings. */
export async function pickFactCheckModel(secrets: vscode.SecretStorage): Promise<void> {
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
  const groups = [
    editorGroup(),
    ...knownEndpoints().map((endpoint) => endpointGroup(endpoint, secrets, controller.signal, undefined)),
  ];
  picker.items = [first];
  picker.busy = true;
  let waiting = groups.length;
  for (const group of groups)
    void group
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
    if (choice !== undefined) await setFactCheckModel(nameInSetting(choice));
  } finally {
    controller.abort();
  }
}
