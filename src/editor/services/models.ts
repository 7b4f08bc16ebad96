import * as vscode from 'vscode';
import { AnswerModels } from '../chat/answer-model.ts';
import { FactCheckConsent } from '../chat/fact-check-consent.ts';
import { EmbeddingConsent } from '../models/embedding-consent.ts';
import { embeddedNotebook, Embedder } from '../models/embedder.ts';
import type { MeaningParts } from '../models/find-by-meaning.ts';
import { InstalledModels } from '../models/installed-models.ts';
import { meaningProcess } from '../models/meaning-process.ts';
import { ModelChoices } from '../models/model-choice.ts';
import type { ModelProviders } from '../models/model-providers.ts';
import { embedWithProvider } from '../models/embed-with-provider.ts';
import { modelProviders } from '../models/providers.ts';
import { UsageMeter } from '../models/usage-meter.ts';
import { UsageReports } from '../models/usage-reports.ts';
import { embeddingModel, meaningModel, onDidChange } from '../settings.ts';
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
