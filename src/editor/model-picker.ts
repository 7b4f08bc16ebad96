import * as vscode from 'vscode';
import type { OfferedModel } from '../answering/models/list-models.ts';
import { NotebookError } from '../notebook/errors.ts';
import type { ModelChoice } from '../notebook/settings.ts';
import { apiKeyFor, askForApiKey } from './api-key.ts';
import { editorModels } from './editor-models.ts';
import { addEndpoint, baseUrl, endpoints } from './settings.ts';

const OPENAI = 'https://api.openai.com/v1';

/** Where model servers listen when nobody tells them otherwise. */
const USUAL_SERVERS: readonly (readonly [name: string, address: string])[] = [
  ['Ollama', 'http://127.0.0.1:11434/v1'],
  ['LM Studio', 'http://127.0.0.1:1234/v1'],
  ['llama.cpp', 'http://127.0.0.1:8080/v1'],
];

/** How long a server on this machine, and any other, has to say what it offers, in milliseconds. */
const LOCAL_TIMEOUT = 1_500;
const TIMEOUT = 8_000;

interface Endpoint {
  readonly name: string;
  readonly address: string;
  readonly isLocal: boolean;
}

type Action =
  | { readonly kind: 'pick'; readonly choice: ModelChoice }
  | { readonly kind: 'setKey' | 'typeName'; readonly endpoint: Endpoint }
  | { readonly kind: 'addEndpoint' };

interface Item extends vscode.QuickPickItem {
  readonly action?: Action;
}

/** Lets the user pick what writes the answers, from what is really there; undefined where nothing was picked. */
export async function pickModel(
  current: ModelChoice,
  secrets: vscode.SecretStorage,
): Promise<ModelChoice | undefined> {
  for (;;) {
    const action = await chooseAction(current, secrets);
    switch (action?.kind) {
      case undefined:
        return undefined;
      case 'pick':
        return action.choice;
      case 'setKey':
        await askForApiKey(secrets, action.endpoint.address);
        break;
      case 'typeName': {
        const name = await askForName(action.endpoint);
        if (name !== undefined) return { kind: 'endpoint', baseUrl: action.endpoint.address, name };
        break;
      }
      case 'addEndpoint':
        await askForEndpoint(secrets);
        break;
    }
  }
}

async function chooseAction(
  current: ModelChoice,
  secrets: vscode.SecretStorage,
): Promise<Action | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = vscode.l10n.t('Pick Model');
  picker.placeholder = vscode.l10n.t('What writes the answers?');
  picker.matchOnDescription = true;
  const controller = new AbortController();
  const groups = [
    editorGroup(),
    ...knownEndpoints().map((endpoint) => endpointGroup(endpoint, secrets, controller.signal)),
  ];
  // In the order in which they answer, so that nothing moves under the pointer.
  const found: Item[] = [];
  let waiting = groups.length;
  const show = (): void => {
    picker.items = [...firstGroup(), ...found].map((item) => marked(item, current));
    picker.busy = waiting > 0;
  };
  for (const group of groups)
    void group
      .catch(() => [])
      .then((items) => {
        found.push(...items);
        waiting--;
        if (!controller.signal.aborted) show();
      });
  show();
  try {
    return await new Promise<Action | undefined>((resolve) => {
      // The list may grow between the choice and its acceptance, which would find nothing chosen.
      picker.onDidChangeSelection(([item]) => {
        if (item?.action !== undefined) resolve(item.action);
      });
      picker.onDidHide(() => {
        resolve(undefined);
      });
      picker.show();
    });
  } finally {
    controller.abort();
    picker.dispose();
  }
}

function firstGroup(): Item[] {
  return [
    {
      label: vscode.l10n.t('Quotes only'),
      description: vscode.l10n.t('The best quotes from your sources; nothing leaves this machine'),
      action: { kind: 'pick', choice: { kind: 'quotes' } },
    },
    {
      label: `$(add) ${vscode.l10n.t('Add Endpoint…')}`,
      description: vscode.l10n.t('Any server that speaks OpenAI’s protocol'),
      action: { kind: 'addEndpoint' },
    },
  ];
}

async function editorGroup(): Promise<Item[]> {
  const models = await editorModels();
  if (models.length === 0) return [];
  return [
    { label: vscode.l10n.t('This editor'), kind: vscode.QuickPickItemKind.Separator },
    ...models.map((choice): Item => ({
      label: choice.name,
      description: choice.vendor,
      action: { kind: 'pick', choice },
    })),
  ];
}

/** OpenAI, what the user set up, and the usual servers of this machine, each address once. */
function knownEndpoints(): Endpoint[] {
  const named = new Map<string, string>([[OPENAI, 'OpenAI']]);
  for (const [name, address] of endpoints()) named.set(address, name);
  if (!named.has(baseUrl())) named.set(baseUrl(), URL.parse(baseUrl())?.host ?? baseUrl());
  const own = Array.from(named, ([address, name]) => ({ name, address, isLocal: false }));
  const usual = USUAL_SERVERS.filter(([, address]) => !named.has(address));
  return [...own, ...usual.map(([name, address]) => ({ name, address, isLocal: true }))];
}

async function endpointGroup(
  endpoint: Endpoint,
  secrets: vscode.SecretStorage,
  signal: AbortSignal,
): Promise<Item[]> {
  const { name, address, isLocal } = endpoint;
  const heading: Item = { label: name, kind: vscode.QuickPickItemKind.Separator };
  const apiKey = await apiKeyFor(secrets, address);
  const setKey = (label: string): Item[] => [
    heading,
    { label: `$(key) ${label}`, description: name, action: { kind: 'setKey', endpoint } },
  ];
  if (address === OPENAI && apiKey === undefined) return setKey(vscode.l10n.t('Set API Key…'));
  const { listModels } = await import('../answering/models/list-models.ts');
  try {
    const timeout = isLocal ? LOCAL_TIMEOUT : TIMEOUT;
    const models = await listModels({ baseUrl: address, apiKey, fetch, signal, timeout });
    return [heading, ...models.map((model) => modelItem(endpoint, model)), typeNameItem(endpoint)];
  } catch (error) {
    // A usual server that is not running is nothing to speak of.
    if (isLocal) return [];
    if (error instanceof NotebookError && error.code === 'unauthorized')
      return setKey(vscode.l10n.t('The key was refused. Set API Key…'));
    return [heading, { ...typeNameItem(endpoint), detail: error instanceof Error ? error.message : '' }];
  }
}

function modelItem({ name: endpoint, address }: Endpoint, { name, windowTokens }: OfferedModel): Item {
  return {
    label: name,
    description:
      windowTokens === undefined
        ? endpoint
        : vscode.l10n.t('{0}, {1} tokens', endpoint, windowTokens.toLocaleString(vscode.env.language)),
    action: { kind: 'pick', choice: { kind: 'endpoint', baseUrl: address, name, windowTokens } },
  };
}

function typeNameItem(endpoint: Endpoint): Item {
  return {
    label: `$(edit) ${vscode.l10n.t('Another model of {0}…', endpoint.name)}`,
    action: { kind: 'typeName', endpoint },
  };
}

/** The item with a tick where it is what writes the answers now. */
function marked(item: Item, current: ModelChoice): Item {
  if (item.action?.kind !== 'pick' || !isSame(item.action.choice, current)) return item;
  return { ...item, label: `$(check) ${item.label}` };
}

function isSame(a: ModelChoice, b: ModelChoice): boolean {
  switch (a.kind) {
    case 'quotes':
      return b.kind === 'quotes';
    case 'endpoint':
      return b.kind === 'endpoint' && a.name === b.name && a.baseUrl === b.baseUrl;
    case 'editor':
      return b.kind === 'editor' && a.id === b.id && a.vendor === b.vendor;
  }
}

async function askForName({ name }: Endpoint): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Pick Model'),
    prompt: vscode.l10n.t('The model’s name, as {0} calls it', name),
    ignoreFocusOut: true,
  });
  return typed?.trim() === '' ? undefined : typed?.trim();
}

async function askForEndpoint(secrets: vscode.SecretStorage): Promise<void> {
  const address = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Endpoint (1 of 3)'),
    prompt: vscode.l10n.t('Its address, which often ends in /v1'),
    placeHolder: 'https://example.com/v1',
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:$/.test(URL.parse(value.trim())?.protocol ?? '')
        ? undefined
        : vscode.l10n.t('Type an address such as https://example.com/v1.'),
  });
  if (address === undefined) return;
  const host = URL.parse(address.trim())?.host ?? '';
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Endpoint (2 of 3)'),
    prompt: vscode.l10n.t('A name for it'),
    value: host,
    ignoreFocusOut: true,
  });
  if (name === undefined) return;
  await addEndpoint(name.trim() || host, address.trim().replace(/\/+$/, ''));
  const yes = vscode.l10n.t('Set API Key…');
  const needsKey = await vscode.window.showQuickPick([vscode.l10n.t('It needs no key'), yes], {
    title: vscode.l10n.t('Add Endpoint (3 of 3)'),
    ignoreFocusOut: true,
  });
  if (needsKey === yes) await askForApiKey(secrets, address.trim().replace(/\/+$/, ''));
}
