import * as vscode from 'vscode';
import { isCancelled, NotebookError } from '../../notebook/errors.ts';
import type { ModelChoice } from '../../notebook/model-choice.ts';
import { askForApiKey, forgetApiKey, keyOrigin, removeApiKey, renameApiKey } from './api-key.ts';
import { accessTo, asNamedNow } from './endpoints.ts';
import { knownEndpoints, type Endpoint } from './model-items.ts';
import { endpoints, putEndpoint, rawEndpoint, removeEndpoint } from '../settings.ts';
import { inform, isConfirmed, showError, withNotification } from '../dialogs.ts';

/** How long an endpoint has to show whether it takes a key, in milliseconds. */
const TEST_TIMEOUT = 15_000;

type Step = 'edit' | 'remove' | 'removeKey' | 'rename' | 'setKey' | 'testKey';

/** Lists the endpoints with their keys' states; what is chosen is done, until nothing is. */
export async function manageEndpoints(secrets: vscode.SecretStorage, current: ModelChoice): Promise<void> {
  for (;;) {
    const endpoint = await chooseEndpoint(secrets, vscode.l10n.t('Endpoints and Keys'));
    if (endpoint === undefined) return;
    const step = await chooseStep(secrets, endpoint);
    switch (step) {
      case undefined:
        break;
      case 'setKey':
        await askForApiKey(secrets, endpoint);
        break;
      case 'testKey':
        await testEndpointKey(secrets, endpoint, current);
        break;
      case 'removeKey':
        await removeApiKey(secrets, endpoint);
        break;
      case 'rename':
        await renameEndpoint(secrets, endpoint);
        break;
      case 'remove':
        await forgetEndpoint(secrets, endpoint);
        break;
      case 'edit':
        await vscode.commands.executeCommand('workbench.action.openSettingsJson', {
          revealSetting: { key: 'openNotebook.endpoints', edit: true },
        });
        return;
    }
  }
}

/** Lets the user choose one of the endpoints that were set up; undefined where none was chosen. */
async function chooseEndpoint(secrets: vscode.SecretStorage, title: string): Promise<Endpoint | undefined> {
  const known = knownEndpoints();
  const origins = await Promise.all(known.map((endpoint) => keyOrigin(secrets, endpoint)));
  const items = known.map((endpoint, i) => ({
    endpoint,
    label: endpoint.label,
    description: endpoint.address,
    detail: words(origins[i]),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Choose an endpoint'),
    matchOnDescription: true,
  });
  return chosen?.endpoint;
}

function words(origin: Awaited<ReturnType<typeof keyOrigin>>): string {
  if (origin === undefined) return vscode.l10n.t('No key is set.');
  return origin === 'stored'
    ? vscode.l10n.t('A key is set.')
    : vscode.l10n.t('The key is that of the environment, OPENAI_API_KEY.');
}

async function chooseStep(secrets: vscode.SecretStorage, endpoint: Endpoint): Promise<Step | undefined> {
  const isStored = (await keyOrigin(secrets, endpoint)) === 'stored';
  const steps: readonly (readonly [step: Step, label: string, isOffered: boolean])[] = [
    [
      'setKey',
      isStored ? `$(key) ${vscode.l10n.t('Replace API Key…')}` : `$(key) ${vscode.l10n.t('Set API Key…')}`,
      true,
    ],
    ['testKey', `$(pulse) ${vscode.l10n.t('Test API Key')}`, true],
    ['removeKey', `$(trash) ${vscode.l10n.t('Remove API Key')}`, isStored],
    ['rename', `$(edit) ${vscode.l10n.t('Rename Endpoint…')}`, endpoint.name !== undefined],
    ['edit', `$(settings) ${vscode.l10n.t('Edit Headers, Prices and Models in Settings')}`, true],
    ['remove', `$(close) ${vscode.l10n.t('Remove Endpoint')}`, endpoint.name !== undefined],
  ];
  const items = steps.flatMap(([step, label, isOffered]) => (isOffered ? [{ step, label }] : []));
  const chosen = await vscode.window.showQuickPick(items, {
    title: endpoint.label,
    placeHolder: endpoint.address,
  });
  return chosen?.step;
}

/**
 * Asks an endpoint whether it takes its key, and says what it says.
 * @throws Error where something else than the endpoint fails
 */
export async function testEndpointKey(
  secrets: vscode.SecretStorage,
  endpoint: Endpoint,
  current: ModelChoice,
): Promise<void> {
  const { address, name, label } = endpoint;
  const picked = asNamedNow(current);
  const model =
    picked.kind === 'endpoint' && picked.baseUrl === address && picked.endpoint === name
      ? picked.name
      : undefined;
  try {
    await withNotification(vscode.l10n.t('Asking {0} whether it takes the key…', label), async (signal) => {
      const { testKey } = await import('../../answering/models/test-key.ts');
      await testKey(await accessTo(secrets, endpoint), model, { signal, timeout: TEST_TIMEOUT });
    });
  } catch (error) {
    if (isCancelled(error)) return;
    if (!(error instanceof NotebookError)) throw error;
    const setKey = vscode.l10n.t('Set API Key…');
    const ways = error.action === 'setApiKey' ? [setKey] : [];
    void showError(error.message, ways).then(async (way) => {
      if (way === setKey) await askForApiKey(secrets, endpoint);
    });
    return;
  }
  const hasKey = (await keyOrigin(secrets, endpoint)) !== undefined;
  inform(
    hasKey ? vscode.l10n.t('{0} takes the key.', label) : vscode.l10n.t('{0} answers without a key.', label),
  );
}

/** Asks for the address, the name and the key of a new endpoint. */
export async function askForEndpoint(secrets: vscode.SecretStorage): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Endpoint (1 of 3)'),
    prompt: vscode.l10n.t('Its address, which often ends in /v1'),
    placeHolder: 'https://example.com/v1',
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:$/.test(URL.parse(value.trim())?.protocol ?? '')
        ? undefined
        : vscode.l10n.t('Type an address such as https://example.com/v1.'),
  });
  if (typed === undefined) return;
  const address = typed.trim().replace(/(?<!\/)\/+$/, '');
  const name = await askForFreeName(vscode.l10n.t('Add Endpoint (2 of 3)'), URL.parse(address)?.host ?? '');
  if (name === undefined) return;
  await putEndpoint(name, address);
  const yes = vscode.l10n.t('Set API Key…');
  const needsKey = await vscode.window.showQuickPick([vscode.l10n.t('It needs no key'), yes], {
    title: vscode.l10n.t('Add Endpoint (3 of 3)'),
    ignoreFocusOut: true,
  });
  if (needsKey === yes) await askForApiKey(secrets, { address, name });
}

async function renameEndpoint(secrets: vscode.SecretStorage, endpoint: Endpoint): Promise<void> {
  const { name: old } = endpoint;
  if (old === undefined) return;
  const name = await askForFreeName(vscode.l10n.t('Rename Endpoint'), old);
  if (name === undefined || name === old) return;
  await renameApiKey(secrets, endpoint, name);
  await putEndpoint(name, rawEndpoint(old), old);
}

async function forgetEndpoint(secrets: vscode.SecretStorage, endpoint: Endpoint): Promise<void> {
  if (endpoint.name === undefined) return;
  const question = vscode.l10n.t('Remove the endpoint {0}?', endpoint.name);
  const detail = vscode.l10n.t('Its address, its settings and its key are forgotten.');
  if (!(await isConfirmed(question, vscode.l10n.t('Remove'), detail))) return;
  await forgetApiKey(secrets, endpoint);
  await removeEndpoint(endpoint.name);
}

async function askForFreeName(title: string, value: string): Promise<string | undefined> {
  const taken = endpoints().map(({ name }) => name);
  const typed = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('A name for it'),
    value,
    ignoreFocusOut: true,
    validateInput: (name) => {
      if (name.trim() === '') return vscode.l10n.t('An endpoint needs a name.');
      return name.trim() !== value && taken.includes(name.trim())
        ? vscode.l10n.t('Another endpoint has this name.')
        : undefined;
    },
  });
  return typed?.trim();
}
