import * as vscode from 'vscode';
import type { ListedModel, ModelServer } from '../../../answers/models/model-provider.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { ModelAbilities, ModelChoice } from '../../../core/domain/model-choice.ts';
import { literalText } from '../../../platform/literal-text.ts';
import { keyOrigin, type KeyStorage } from './api-key.ts';
import { isSameServer, type ModelProviders } from './model-providers.ts';

/** Action of an item in the list of models. */
export type Action =
  | { readonly kind: 'pick'; readonly choice: ModelChoice }
  | { readonly kind: 'setKey' | 'typeName'; readonly server: ModelServer }
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

/** Items of a server, after they were requested from it. */
interface ModelGroup {
  readonly server: ModelServer;
  /** A heading and its items; empty if there is nothing to show. */
  readonly items: Promise<Item[]>;
}

/**
 * Queries all servers for their models. The current model is always included, because the user may have entered its
 * name, its server may not be running, or it may have been removed since.
 */
export function modelGroups(
  providers: ModelProviders,
  signal: AbortSignal,
  current?: ModelChoice,
): readonly ModelGroup[] {
  return providers
    .servers(current)
    .map((server) => ({ server, items: itemsOf(server, providers, signal, current) }));
}

async function itemsOf(
  server: ModelServer,
  providers: ModelProviders,
  signal: AbortSignal,
  current: ModelChoice | undefined,
): Promise<Item[]> {
  const items = await offeredBy(server, providers.secrets, signal);
  const model = current && providers.find(current);
  if (model === undefined || server.named === undefined || !isSameServer(model.server, server)) return items;
  const isListed = items.some(
    ({ action }) => action?.kind === 'pick' && providers.isSame(action.choice, model.choice),
  );
  return isListed ? items : [makeHeading(server), modelItem(model), ...items.slice(1)];
}

async function offeredBy(server: ModelServer, secrets: KeyStorage, signal: AbortSignal): Promise<Item[]> {
  const { label, isDetected, key } = server;
  const heading = makeHeading(server);
  const setKey = (text: string): Item[] => [
    heading,
    { label: `$(key) ${text}`, description: label, action: { kind: 'setKey', server } },
  ];
  const hasKey = (await keyOrigin(secrets, server)) !== undefined;
  if (key?.isRequired === true && !hasKey) return setKey(vscode.l10n.t('Set API Key…'));
  const others = server.named === undefined ? [] : [typeNameItem(server)];
  try {
    const items = [...(await server.list(signal)).map(modelItem), ...others];
    return items.length === 0 ? [] : [heading, ...items];
  } catch (error) {
    // A default server that isn't running isn't shown.
    if (isDetected) return [];
    if (key !== undefined && error instanceof NotebookError && error.code === 'unauthorized')
      return setKey(
        hasKey ? vscode.l10n.t('The API key was rejected. Set API Key…') : vscode.l10n.t('Set API Key…'),
      );
    const detail = literalText(error instanceof Error ? error.message : '');
    const [item = { label: `$(warning) ${label}` }] = others;
    return [heading, { ...item, detail }];
  }
}

function makeHeading({ label }: ModelServer): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function modelItem({ choice, offeredBy: provider, abilities }: ListedModel): Item {
  return {
    label: literalText(choice.name),
    description: describeItem(provider, abilities),
    action: { kind: 'pick', choice },
  };
}

/** Returns the provider of a model and its known abilities. */
function describeItem(label: string, { windowTokens, tools, images }: ModelAbilities): string {
  return [
    label,
    ...(windowTokens === undefined
      ? []
      : [vscode.l10n.t('{0} tokens', windowTokens.toLocaleString(vscode.env.language))]),
    ...(tools === true ? [vscode.l10n.t('tools')] : []),
    ...(images === true ? [vscode.l10n.t('images')] : []),
  ].join(' · ');
}

function typeNameItem(server: ModelServer): Item {
  return {
    label: `$(edit) ${vscode.l10n.t('Another model from {0}…', server.label)}`,
    action: { kind: 'typeName', server },
  };
}
