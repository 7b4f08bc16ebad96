import * as vscode from 'vscode';
import type { OfferedModel } from '../../../answers/models/list-models.ts';
import type { ModelServer, ServerPlace } from '../../../answers/models/model-provider.ts';
import { errorMessage, isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { ModelChoice, ProvidedChoice } from '../../../core/domain/model-choice.ts';
import { isPrivateHost } from '../../../parsers/web/private-addresses.ts';
import { forgetApiKey, keyOrigin, renameApiKey, storeApiKey, type KeyStorage } from './api-key.ts';
import { accessTo, choose } from './endpoint-provider.ts';
import { askForApiKey, enterApiKey, removeApiKey } from './enter-api-key.ts';
import { hostOf, isSameServer, type ModelProviders } from './model-providers.ts';
import { endpoints, putEndpoint, rawEndpoint, removeEndpoint } from '../../../platform/settings.ts';
import { inform, isConfirmed, showError, withNotification } from '../../../platform/dialogs.ts';

/** Maximum time for an endpoint to accept or reject a key, in milliseconds. */
const TEST_TIMEOUT = 15_000;

type Step = 'edit' | 'remove' | 'removeKey' | 'rename' | 'setKey' | 'testKey';

/** Lists the endpoints with the states of their keys, and runs chosen actions until the user closes the list. */
export async function manageEndpoints(providers: ModelProviders, current: ModelChoice): Promise<void> {
  const { secrets } = providers;
  for (;;) {
    const endpoint = await chooseEndpoint(providers, vscode.l10n.t('Manage Endpoints and API Keys'));
    if (endpoint === undefined) return;
    const step = await chooseStep(secrets, endpoint);
    switch (step) {
      case undefined:
        break;
      case 'setKey':
        await askForApiKey(secrets, endpoint);
        break;
      case 'testKey':
        await testEndpointKey(providers, endpoint, current);
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

/** Lets the user choose one of the servers that accept an API key; undefined if they cancel. */
async function chooseEndpoint(providers: ModelProviders, title: string): Promise<ModelServer | undefined> {
  const { secrets } = providers;
  const known = providers.servers().filter(({ key }) => key !== undefined);
  const origins = await Promise.all(known.map((endpoint) => keyOrigin(secrets, endpoint)));
  const items = known.map((endpoint, i) => ({
    endpoint,
    label: endpoint.label,
    description: endpoint.address,
    detail: words(origins[i]),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Select an endpoint'),
    matchOnDescription: true,
  });
  return chosen?.endpoint;
}

function words(origin: Awaited<ReturnType<typeof keyOrigin>>): string {
  if (origin === undefined) return vscode.l10n.t('No API key set');
  return origin === 'stored'
    ? vscode.l10n.t('API key set')
    : vscode.l10n.t('API key from the environment variable OPENAI_API_KEY');
}

async function chooseStep(secrets: KeyStorage, endpoint: ModelServer): Promise<Step | undefined> {
  const isNamed = endpoint.isEditable && endpoint.name !== undefined;
  const isStored = (await keyOrigin(secrets, endpoint)) === 'stored';
  const steps: readonly (readonly [step: Step, label: string, isOffered: boolean])[] = [
    [
      'setKey',
      isStored ? `$(key) ${vscode.l10n.t('Replace API Key…')}` : `$(key) ${vscode.l10n.t('Set API Key…')}`,
      true,
    ],
    ['testKey', `$(pulse) ${vscode.l10n.t('Test API Key')}`, true],
    ['removeKey', `$(trash) ${vscode.l10n.t('Remove API Key')}`, isStored],
    ['rename', `$(edit) ${vscode.l10n.t('Rename Endpoint…')}`, isNamed],
    [
      'edit',
      `$(settings) ${vscode.l10n.t('Edit Headers, Prices, and Models in Settings')}`,
      endpoint.isEditable,
    ],
    ['remove', `$(close) ${vscode.l10n.t('Remove Endpoint')}`, isNamed],
  ];
  const items = steps.flatMap(([step, label, isOffered]) => (isOffered ? [{ step, label }] : []));
  const chosen = await vscode.window.showQuickPick(items, {
    title: endpoint.label,
    placeHolder: endpoint.address,
  });
  return chosen?.step;
}

/**
 * Tests the key of a server and shows the result.
 * @throws Error if anything other than the server fails
 */
export async function testEndpointKey(
  providers: ModelProviders,
  server: ModelServer,
  current: ModelChoice,
): Promise<void> {
  const { label, key } = server;
  const { secrets } = providers;
  const picked = providers.find(current);
  const model = isSameServer(picked?.server, server) ? picked?.choice.name : undefined;
  try {
    await withNotification(vscode.l10n.t('Testing the API key for {0}…', label), async (signal) => {
      await key?.test(model, { signal, timeout: TEST_TIMEOUT });
    });
  } catch (error) {
    if (isCanceled(error)) return;
    if (!(error instanceof NotebookError)) throw error;
    const setKey = vscode.l10n.t('Set API Key…');
    const ways = error.action === 'setApiKey' ? [setKey] : [];
    void showError(error.message, ways).then(async (way) => {
      if (way === setKey) await askForApiKey(secrets, server);
    });
    return;
  }
  const hasKey = (await keyOrigin(secrets, server)) !== undefined;
  inform(
    hasKey
      ? vscode.l10n.t('{0} accepts the API key.', label)
      : vscode.l10n.t('{0} responds without an API key.', label),
  );
}

/** Added endpoint, and the models that it lists; none if it doesn't list any. */
interface AddedEndpoint {
  readonly server: ModelServer | undefined;
  readonly models: readonly ProvidedChoice[];
}

/**
 * Asks for the address of a new endpoint, and for a key if the server wants one. A server that can't be reached is added
 * if the user enters its address again. Resolves to undefined if the user adds none.
 */
export async function addEndpoint(providers: ModelProviders): Promise<AddedEndpoint | undefined> {
  let failed: FailedAddress | undefined;
  for (;;) {
    const address = await askForAddress(failed);
    if (address === undefined) return undefined;
    const name = freeName(hostOf(address));
    try {
      return await saveEndpoint(providers, name, await reachWithKey(providers.secrets, { address, name }));
    } catch (error) {
      const reason = isCanceled(error) ? '' : errorMessage(error);
      if (reason !== '' && failed?.address === address && failed.reason !== '')
        return await saveEndpoint(providers, name, { address, models: [] });
      failed = { address, reason };
    }
  }
}

async function saveEndpoint(
  providers: ModelProviders,
  name: string,
  { address, models, key }: ReachedEndpoint,
): Promise<AddedEndpoint> {
  const known =
    key === undefined ? endpoints().find((endpoint) => endpoint.address === address)?.name : undefined;
  const place = { address, name: known ?? name };
  if (known === undefined) await putEndpoint(name, address);
  if (key !== undefined) await storeApiKey(providers.secrets, place, key);
  return {
    server: providers.serverAt(place),
    models: models.map((model) => choose(place, model.name, model)),
  };
}

/** Entered URL, and the reason why its server can't be used; '' if the user stopped the request. */
interface FailedAddress {
  readonly address: string;
  readonly reason: string;
}

async function askForAddress(failed: FailedAddress | undefined): Promise<string | undefined> {
  const { address: value = '', reason = '' } = failed ?? {};
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Endpoint'),
    value,
    prompt:
      reason === ''
        ? vscode.l10n.t('Enter the URL of the server, for example http://localhost:11434 for Ollama')
        : vscode.l10n.t('{0} Correct the URL, or press Enter to add it anyway.', reason),
    placeHolder: 'https://example.com/v1',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '')
        ? undefined
        : vscode.l10n.t('Enter a URL such as https://example.com/v1.'),
  });
  return typed?.trim().replace(/(?<!\/)\/+$/, '');
}

interface ReachedEndpoint {
  /** URL below which it lists its models: the entered one, or `/v1` below it. */
  readonly address: string;
  readonly models: readonly OfferedModel[];
  /** Key that the user entered. */
  readonly key?: string;
}

/** Requests a server's models, and asks the user for a key until the server accepts it or the user enters none. */
async function reachWithKey(secrets: KeyStorage, place: ServerPlace): Promise<ReachedEndpoint> {
  let key: string | undefined;
  for (;;) {
    const reached = await reachEndpoint(secrets, place, key);
    if (reached !== 'key-missing') return { ...reached, ...(key !== undefined && { key }) };
    const host = place.name ?? place.address;
    const why =
      key === undefined
        ? vscode.l10n.t('{0} requires an API key.', host)
        : vscode.l10n.t('{0} rejected the API key.', host);
    key = await enterApiKey({ address: place.address }, vscode.l10n.t('Add Endpoint'), why);
    // The key can be set later, from the list of models.
    if (key === undefined) return { address: place.address, models: [] };
  }
}

/**
 * Requests a server's models, at its URL or at `/v1` below it.
 * @throws NotebookError if neither lists any, for the reason that the URL itself returns
 */
async function reachEndpoint(
  secrets: KeyStorage,
  { address, name }: ServerPlace,
  key: string | undefined,
): Promise<ReachedEndpoint | 'key-missing'> {
  const { listModels } = await import('../../../answers/models/list-models.ts');
  const { testKey } = await import('../../../answers/models/test-key.ts');
  return await withNotification(vscode.l10n.t('Loading models from {0}…', address), async (signal) => {
    const options = { signal, timeout: TEST_TIMEOUT };
    const reach = async (at: string): Promise<ReachedEndpoint | 'key-missing'> => {
      const known = await accessTo(secrets, { address: at, name });
      const access = { ...known, apiKey: key ?? known.apiKey };
      try {
        const models = await listModels(access, options);
        // Some servers on the web list their models to everyone, but answer only with a key.
        if (!isPrivateHost(URL.parse(at)?.hostname ?? ''))
          await testKey(access, models[0]?.name, options).catch((error: unknown) => {
            if (isKeyMissing(error) || isCanceled(error)) throw error;
          });
        return { address: at, models };
      } catch (error) {
        if (isKeyMissing(error)) return 'key-missing';
        throw error;
      }
    };
    try {
      return await reach(address);
    } catch (error) {
      const isElsewhere = error instanceof NotebookError && /^(?:not-found|server)$/.test(error.code);
      if (!isElsewhere || /\/v\d+$/.test(address)) throw error;
      return await reach(`${address.replace(/\/$/, '')}/v1`).catch(() => Promise.reject(error));
    }
  });
}

function isKeyMissing(error: unknown): boolean {
  return (
    error instanceof NotebookError &&
    /^(?:forbidden|unauthorized)$/.test(error.code) &&
    error.action === 'setApiKey'
  );
}

/** Returns a name that no endpoint has yet. */
function freeName(desiredName: string): string {
  const usedNames = new Set(endpoints().map(({ name }) => name));
  for (let number = 1; ; number++) {
    const name = number === 1 ? desiredName : `${desiredName} (${String(number)})`;
    if (!usedNames.has(name)) return name;
  }
}

async function renameEndpoint(secrets: KeyStorage, endpoint: ModelServer): Promise<void> {
  const { name: old } = endpoint;
  if (old === undefined) return;
  const name = await askForFreeName(old);
  if (name === undefined || name === old) return;
  await renameApiKey(secrets, endpoint, name);
  await putEndpoint(name, rawEndpoint(old), old);
}

async function forgetEndpoint(secrets: KeyStorage, endpoint: ModelServer): Promise<void> {
  if (endpoint.name === undefined) return;
  const question = vscode.l10n.t('Remove the endpoint “{0}”?', endpoint.name);
  const detail = vscode.l10n.t('This removes its URL, settings, and API key.');
  if (!(await isConfirmed(question, vscode.l10n.t('Remove'), detail))) return;
  await forgetApiKey(secrets, endpoint);
  await removeEndpoint(endpoint.name);
}

async function askForFreeName(value: string): Promise<string | undefined> {
  const usedNames = endpoints().map(({ name }) => name);
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Endpoint'),
    prompt: vscode.l10n.t('Enter a name for the endpoint'),
    value,
    ignoreFocusOut: true,
    validateInput: (name) => {
      if (name.trim() === '') return vscode.l10n.t('Enter a name for the endpoint.');
      return name.trim() !== value && usedNames.includes(name.trim())
        ? vscode.l10n.t('Another endpoint already has this name.')
        : undefined;
    },
  });
  return typed?.trim();
}
