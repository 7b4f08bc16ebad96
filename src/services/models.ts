import * as vscode from 'vscode';
import { AnswerModels } from '../features/chat/editor/answer-model.ts';
import { FactCheckConsent } from '../features/chat/editor/fact-check-consent.ts';
import { EmbeddingConsent } from '../features/semantic-search/editor/embedding-consent.ts';
import { embeddedNotebook, Embedder } from '../features/semantic-search/editor/embedder.ts';
import type { MeaningParts } from '../features/semantic-search/editor/find-by-meaning.ts';
import { InstalledModels } from '../features/semantic-search/editor/installed-models.ts';
import { meaningProcess } from '../features/semantic-search/editor/meaning-process.ts';
import { ModelChoices } from '../features/models/editor/model-choice.ts';
import type { ModelProviders } from '../features/models/editor/model-providers.ts';
import { embedWithProvider } from '../features/semantic-search/editor/embed-with-provider.ts';
import { modelProviders } from '../features/models/editor/providers.ts';
import { UsageMeter } from '../features/models/editor/usage-meter.ts';
import { UsageReports } from '../features/models/editor/usage-reports.ts';
import { embeddingModel, meaningModel, onDidChange } from '../platform/settings.ts';
import type { Platform } from './platform.ts';

/** Language models and embedding models. */
export interface ModelServices {
  readonly providers: ModelProviders;
  readonly models: ModelChoices;
  readonly answerModels: AnswerModels;
  readonly factCheckConsent: FactCheckConsent;
  readonly embedder: Embedder;
  /** Local embedding models and their process. */
  readonly meaning: MeaningParts;
  readonly meter: UsageMeter;
  readonly usageReports: UsageReports;
}

/** Creates the services for models. Processes start with their first use. */
export function createModelServices(platform: Platform): ModelServices {
  const { notebook, globalState, memento, log } = platform;
  const providers = modelProviders(platform.secrets);
  const meter = new UsageMeter(notebook, log);
  const meaning = {
    userAgent: platform.userAgent,
    process: meaningProcess(platform.distPath('meaning-worker.cjs'), log),
    models: new InstalledModels(vscode.Uri.joinPath(platform.storageUri, 'meaning').fsPath),
  };
  const embedder = new Embedder({
    notebook: embeddedNotebook(notebook),
    consent: new EmbeddingConsent(memento),
    settings: { embeddingModel, meaningModel, onDidChange },
    embedThere: embedWithProvider(providers, meter),
    meaning: {
      models: meaning.models,
      vectors: (params, signal) => meaning.process.call('vectors', params, signal),
      end: () => meaning.process.end(),
    },
    log,
  });
  const models = new ModelChoices(notebook, providers, memento, globalState, log);
  const usageReports = new UsageReports(notebook);
  const factCheckConsent = new FactCheckConsent(globalState);
  const answerModels = new AnswerModels(models, providers, meter, factCheckConsent);
  platform.subscriptions.push(embedder, meaning.process, models, usageReports, factCheckConsent);
  return { providers, models, answerModels, factCheckConsent, embedder, meaning, meter, usageReports };
}
