import * as vscode from 'vscode';
import { errorMessage } from '../../../core/domain/errors.ts';
import { bytesOfModel, type OfferedModel } from '../service/catalog.ts';
import { fetchWithProgress } from '../../../platform/fetch-with-progress.ts';
import { megabytes, describeOrigin } from '../../../platform/fetched-files.ts';
import { fetchedBytes, fetchModel } from './fetch-model.ts';
import type { InstalledModel, InstalledModels } from './installed-models.ts';
import type { MeaningProcess } from './meaning-process.ts';
import { listedModels, modelOrigin } from './model-origin.ts';
import {
  embeddingModel,
  forgetEmbeddingEndpoint,
  meaningAddress,
  meaningModel,
  setMeaningModel,
} from '../../../platform/settings.ts';
import { inform, isAgreed } from '../../../platform/dialogs.ts';

/** Installed models, the process that runs them, and the user agent for downloads. */
export interface MeaningParts {
  readonly models: InstalledModels;
  readonly process: MeaningProcess;
  readonly userAgent: string;
}

/** Offered model, and how many bytes of it have been downloaded. */
interface Offer extends OfferedModel {
  readonly there: number;
}

interface Item extends vscode.QuickPickItem {
  readonly run: () => Promise<void>;
}

/**
 * Lets the user choose, download, and remove the local embedding model for semantic search.
 * @throws NotebookError
 */
export async function findByMeaning(parts: MeaningParts): Promise<void> {
  const controller = new AbortController();
  const items = makeItems(parts, controller.signal);
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Set Up Semantic Search'),
    placeHolder: vscode.l10n.t(
      'Select a local embedding model. It finds passages by meaning on this machine.',
    ),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  controller.abort();
  await picked?.run();
}

async function makeItems(parts: MeaningParts, signal: AbortSignal): Promise<Item[]> {
  const { models } = parts;
  const address = meaningAddress();
  const installed = await models.all();
  // Without a network, the installed models are still available.
  const offers = await findOffers(address, models, signal).catch((error: unknown) => errorMessage(error));
  const used = embeddingModel() === undefined ? meaningModel() : '';
  const items: Item[] = installed.map((model) => installedItem(model, model.name === used));
  if (typeof offers !== 'string') {
    for (const offer of offers)
      if (!installed.some(({ name }) => name === offer.name)) items.push(offerItem(parts, offer, address));
  } else items.push({ label: `$(warning) ${offers}`, alwaysShow: true, run: openAddressSetting });
  const endpoint = embeddingModel();
  if (endpoint !== undefined)
    items.unshift({
      label: `$(check) ${endpoint.name}`,
      description: URL.parse(endpoint.baseUrl)?.host ?? endpoint.baseUrl,
      detail: vscode.l10n.t('In use (set by openNotebook.embeddings.model)'),
      run: async () => {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'openNotebook.embeddings');
      },
    });
  items.push({ label: '', kind: vscode.QuickPickItemKind.Separator, run: () => Promise.resolve() });
  if (installed.some(({ name }) => name === used))
    items.push({
      label: `$(discard) ${vscode.l10n.t('Use Keyword Search Only')}`,
      description: vscode.l10n.t('Keeps the model on this machine'),
      run: () => setMeaningModel(undefined),
    });
  for (const model of installed) items.push(removalItem(parts, model));
  items.push({
    label: `$(gear) ${vscode.l10n.t('Download from Another Location…')}`,
    description: vscode.l10n.t('A mirror or a local folder'),
    run: openAddressSetting,
  });
  return items;
}

async function findOffers(
  address: string,
  models: InstalledModels,
  signal: AbortSignal,
): Promise<readonly Offer[]> {
  const offered = await listedModels(modelOrigin(address), signal);
  return Promise.all(offered.map(async (model) => ({ ...model, there: await fetchedBytes(model, models) })));
}

function installedItem({ name, bytes, licence, languages }: InstalledModel, isUsed: boolean): Item {
  return {
    label: isUsed ? `$(check) ${name}` : name,
    description: describeModel(bytes, licence, languages),
    detail: isUsed
      ? vscode.l10n.t('In use. Runs offline on this machine.')
      : vscode.l10n.t('Downloaded, not in use'),
    run: async () => {
      if (!isUsed && (await mayReplaceEndpoint(name))) await use(name);
    },
  };
}

function offerItem(parts: MeaningParts, offer: Offer, address: string): Item {
  const bytes = bytesOfModel(offer);
  const from = describeOrigin(modelOrigin(address));
  return {
    label: offer.name,
    description: describeModel(bytes, offer.licence, offer.languages),
    detail:
      offer.there > 0
        ? vscode.l10n.t(
            '{0} of {1} downloaded from {2}. Select to resume.',
            megabytes(offer.there),
            megabytes(bytes),
            from,
          )
        : vscode.l10n.t('One-time download from {0}', from),
    run: () => fetchAndUse(parts, offer, address),
  };
}

function removalItem({ models, process }: MeaningParts, { name, bytes }: InstalledModel): Item {
  return {
    label: `$(trash) ${vscode.l10n.t('Remove {0}', name)}`,
    description: vscode.l10n.t('Frees up {0}', megabytes(bytes)),
    run: async () => {
      if (meaningModel() === name) await setMeaningModel(undefined);
      await process.end();
      await models.remove(name);
      inform(
        vscode.l10n.t('Removed {0} from this machine. Open Notebook now uses keyword search only.', name),
      );
    },
  };
}

/** Asks first, then downloads with progress. A failure is shown with a button to try again. */
async function fetchAndUse(
  { models, process, userAgent }: MeaningParts,
  offer: Offer,
  address: string,
): Promise<void> {
  const { name, licence, languages } = offer;
  const described = describeModel(bytesOfModel(offer), licence, languages);
  const question = vscode.l10n.t('Download {0} ({1})?', name, described);
  if (!(await isAgreed(question, vscode.l10n.t('Download'), consentDetail(address)))) return;
  const installed = await fetchWithProgress(name, bytesOfModel(offer), (fetching) =>
    fetchModel(offer, modelOrigin(address), {
      ...fetching,
      models,
      userAgent,
      check: (params, signal) => process.call('check', params, signal),
    }),
  );
  if (installed !== undefined) await use(installed.name);
}

function consentDetail(address: string): string {
  const endpoint = embeddingModel();
  const lines = [
    vscode.l10n.t(
      'Open Notebook downloads the model once from {0}, verifies it, and then uses it offline in all your notebooks. Your sources and questions stay on this machine.',
      describeOrigin(modelOrigin(address)),
    ),
  ];
  if (endpoint !== undefined) lines.push(replacement(endpoint.name, endpoint.baseUrl));
  return lines.join('\n\n');
}

function replacement(name: string, baseUrl: string): string {
  return vscode.l10n.t(
    'This replaces {0} at {1} as the embedding model for semantic search.',
    name,
    URL.parse(baseUrl)?.host ?? baseUrl,
  );
}

async function mayReplaceEndpoint(name: string): Promise<boolean> {
  const endpoint = embeddingModel();
  if (endpoint === undefined) return true;
  const detail = replacement(endpoint.name, endpoint.baseUrl);
  return await isAgreed(vscode.l10n.t('Use {0}?', name), vscode.l10n.t('Use Model'), detail);
}

async function use(name: string): Promise<void> {
  // Sets the local model before it removes the endpoint, so that one of them is always set.
  await setMeaningModel(name);
  if (embeddingModel() !== undefined) await forgetEmbeddingEndpoint();
  inform(vscode.l10n.t('{0} is ready. Semantic search is now on.', name));
}

function describeModel(bytes: number, licence: string, languages: string): string {
  const under = licence === '' ? '' : vscode.l10n.t('license: {0}', licence);
  return [megabytes(bytes), under, languages].filter((part) => part !== '').join(' · ');
}

async function openAddressSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'openNotebook.meaning.address');
}
