import * as vscode from 'vscode';
import type { OfferedModel } from '../../answering/models/list-models.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { factsAbout } from '../../notebook/endpoint.ts';
import { isSameModel, type ModelAbilities, type ModelChoice } from '../../notebook/model-choice.ts';
import { literalText } from '../literal-text.ts';
import { editorModels } from './editor-models.ts';
import type { EndpointPlace } from './api-key.ts';
import { accessTo, clientSettings } from './endpoints.ts';
import { baseUrl, endpoints } from '../settings.ts';

const OPENAI = 'https://api.openai.com/v1';

/** Default addresses of model servers. */
const USUAL_SERVERS: readonly (readonly [label: string, address: string])[] = [
  ['Ollama', 'http://127.0.0.1:11434/v1'],
  ['LM Studio', 'http://127.0.0.1:1234/v1'],
  ['llama.cpp', 'http://127.0.0.1:8080/v1'],
];

/** Maximum time for a server on this machine, and for any other server, to list its models, in milliseconds. */
const LOCAL_TIMEOUT = 1_500;
const TIMEOUT = 8_000;

/** Endpoint that offers models. */
export interface Endpoint extends EndpointPlace {
  /** Label of an endpoint that the user hasn't named. */
  readonly label: string;
  /** `true` if the endpoint isn't set up but is looked for on this machine. */
  readonly isUsual: boolean;
}

type EndpointChoice = Extract<ModelChoice, { kind: 'endpoint' }>;

/** Action of an item in the list of models. */
export type Action =
  | { readonly kind: 'pick'; readonly choice: ModelChoice }
  | { readonly kind: 'setKey' | 'typeName'; readonly endpoint: Endpoint }
  | {
      readonly kind:
        | 'addEndpoint'
        | 'factCheckModel'
        | 'findByMeaning'
        | 'inherit'
        | 'manageEndpoints'
        | 'switchScope';
    };

export interface Item extends vscode.QuickPickItem {
  readonly action?: Action;
}

interface ModelItem extends Item {
  readonly action: Extract<Action, { kind: 'pick' }>;
}

/** Returns OpenAI, the user's endpoints, and the default servers of this machine, each unnamed URL once. */
export function knownEndpoints(): Endpoint[] {
  const named = endpoints().map(({ name, address }): Endpoint => ({
    name,
    label: name,
    address,
    isUsual: false,
  }));
  const known: Endpoint[] = [...named];
  const add = (label: string, address: string, isUsual: boolean): void => {
    if (!known.some((endpoint) => endpoint.address === address)) known.push({ label, address, isUsual });
  };
  add('OpenAI', OPENAI, false);
  add(URL.parse(baseUrl())?.host ?? baseUrl(), baseUrl(), false);
  for (const [label, address] of USUAL_SERVERS) add(label, address, true);
  return known;
}

/** Returns the known endpoints, and that of the current model for answers, which may have been removed since. */
export function endpointsWith(current: ModelChoice | undefined): Endpoint[] {
  const known = knownEndpoints();
  if (current?.kind !== 'endpoint' || known.some((endpoint) => isChosen(endpoint, current))) return known;
  const { baseUrl: address, endpoint: name } = current;
  return [...known, { name, label: name ?? URL.parse(address)?.host ?? address, address, isUsual: false }];
}

function isChosen({ address, name }: Endpoint, choice: EndpointChoice): boolean {
  return address === choice.baseUrl && name === choice.endpoint;
}

/** Returns the editor's own language models. Queries the editor. */
export async function editorGroup(): Promise<Item[]> {
  const models = await editorModels();
  if (models.length === 0) return [];
  return [
    { label: vscode.l10n.t('VS Code'), kind: vscode.QuickPickItemKind.Separator },
    ...models.map(({ windowTokens, ...choice }): Item => ({
      label: literalText(choice.name),
      description: described(choice.vendor, { windowTokens }),
      action: { kind: 'pick', choice },
    })),
  ];
}

/**
 * Queries an endpoint and returns its models, or its message. The current model for answers is always included: it may
 * have been entered by name, or the endpoint may not be running.
 */
export async function endpointGroup(
  endpoint: Endpoint,
  secrets: vscode.SecretStorage,
  signal: AbortSignal,
  current: ModelChoice | undefined,
): Promise<Item[]> {
  const items = await offeredBy(endpoint, secrets, signal);
  const isListed = items.some(
    ({ action }) => action?.kind === 'pick' && current !== undefined && isSameModel(action.choice, current),
  );
  if (isListed || current?.kind !== 'endpoint' || !isChosen(endpoint, current)) return items;
  return [makeHeading(endpoint), modelItem(endpoint, current), ...items.slice(1)];
}

/** Returns a heading and its items; empty if there is nothing to show. */
async function offeredBy(
  endpoint: Endpoint,
  secrets: vscode.SecretStorage,
  signal: AbortSignal,
): Promise<Item[]> {
  const { label, address, isUsual } = endpoint;
  const heading = makeHeading(endpoint);
  const setKey = (words: string): Item[] => [
    heading,
    { label: `$(key) ${words}`, description: label, action: { kind: 'setKey', endpoint } },
  ];
  const access = await accessTo(secrets, endpoint);
  if (address === OPENAI && access.apiKey === undefined) return setKey(vscode.l10n.t('Set API Key…'));
  const { listModels } = await import('../../answering/models/list-models.ts');
  try {
    const models = await listModels(access, { signal, timeout: isUsual ? LOCAL_TIMEOUT : TIMEOUT });
    return [heading, ...models.map((model) => modelItem(endpoint, model)), typeNameItem(endpoint)];
  } catch (error) {
    // A default server that isn't running isn't shown.
    if (isUsual) return [];
    if (error instanceof NotebookError && error.code === 'unauthorized')
      return setKey(
        access.apiKey === undefined
          ? vscode.l10n.t('Set API Key…')
          : vscode.l10n.t('The API key was rejected. Set API Key…'),
      );
    return [
      heading,
      { ...typeNameItem(endpoint), detail: literalText(error instanceof Error ? error.message : '') },
    ];
  }
}

function makeHeading({ label }: Endpoint): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Returns the item of a model that an endpoint offers. */
export function modelItem(endpoint: Endpoint, offered: OfferedModel): ModelItem {
  const { name, prices } = offered;
  const facts = factsAbout(clientSettings(endpoint), name);
  const abilities: ModelAbilities = {
    windowTokens: facts.windowTokens ?? offered.windowTokens,
    tools: facts.tools ?? offered.tools,
    images: facts.images ?? offered.images,
  };
  return {
    label: literalText(name),
    description: described(endpoint.label, abilities),
    action: {
      kind: 'pick',
      choice: {
        kind: 'endpoint',
        baseUrl: endpoint.address,
        endpoint: endpoint.name,
        name,
        windowTokens: offered.windowTokens,
        prices,
      },
    },
  };
}

/** Returns the provider of a model and its known abilities. */
function described(label: string, { windowTokens, tools, images }: ModelAbilities): string {
  return [
    label,
    ...(windowTokens === undefined
      ? []
      : [vscode.l10n.t('{0} tokens', windowTokens.toLocaleString(vscode.env.language))]),
    ...(tools === true ? [vscode.l10n.t('tools')] : []),
    ...(images === true ? [vscode.l10n.t('images')] : []),
  ].join(' · ');
}

function typeNameItem(endpoint: Endpoint): Item {
  return {
    label: `$(edit) ${vscode.l10n.t('Another model from {0}…', endpoint.label)}`,
    action: { kind: 'typeName', endpoint },
  };
}
