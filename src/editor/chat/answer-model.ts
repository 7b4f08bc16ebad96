import type * as vscode from 'vscode';
import type { KnownDifferences } from '../../answering/models/request-differences.ts';
import type { LanguageModel } from '../../answering/models/language-model.ts';
import { factsAbout } from '../../notebook/endpoint.ts';
import type { ModelAbilities, ModelChoice } from '../../notebook/model-choice.ts';
import type { FactCheckRequest } from '../../messages/panel.ts';
import type { Prices, TokenUsage } from '../../notebook/usage.ts';
import type { AnswerModel } from './answer-turn.ts';
import type { FactCheckConsent } from './fact-check-consent.ts';
import type { FigureReceiver } from './model-figures.ts';
import { editorModel } from '../models/editor-models.ts';
import { isPrivateHost } from '../../reading/web/private-addresses.ts';
import { accessTo, clientSettings } from '../models/endpoints.ts';
import { factCheckChoice } from '../models/fact-check-model.ts';
import type { ModelChoices } from '../models/model-choice.ts';
import { checksWithModel, instructions, temperature } from '../settings.ts';
import type { UsageMeter } from '../models/usage-meter.ts';

/** Maximum time for a server to describe a model before a question proceeds without, in milliseconds. */
const TIMEOUT_MS = 1_500;

/** Model that checks answers. */
export interface FactChecker {
  readonly model: LanguageModel;
  /** Name of its server that the user knows. */
  readonly server: string;
  /** `true` if it may check every answer; undefined if it may cost money and the user hasn't decided yet. */
  readonly isAllowed: boolean | undefined;
  readonly prices?: Prices | undefined;
}

type Consent = Pick<FactCheckConsent, 'decideFor' | 'decision' | 'onDidChange'>;

/** Prices of a model on this machine, on a private network, or in a subscription. */
const FREE: Prices = { input: 0, output: 0 };

type EndpointChoice = Extract<ModelChoice, { kind: 'endpoint' }>;

/** Creates the models that write answers, for each question, so that a settings change needs no reload. */
export class AnswerModels {
  readonly #choices: ModelChoices;
  readonly #secrets: vscode.SecretStorage;
  readonly #meter: UsageMeter;
  readonly #consent: Consent;
  /** Differences of endpoints that were found out, for the lifetime of the window. */
  readonly #differences: KnownDifferences = new Map();
  readonly #described = new Map<string, ModelAbilities>();

  constructor(choices: ModelChoices, secrets: vscode.SecretStorage, meter: UsageMeter, consent: Consent) {
    this.#choices = choices;
    this.#secrets = secrets;
    this.#meter = meter;
    this.#consent = consent;
  }

  /** Returns the model that writes the answers of a conversation. `onUsage` gets the token usage of each request. */
  async of(conversationId: string, onUsage: (usage: TokenUsage) => void): Promise<AnswerModel> {
    const instructionText =
      instructions() || (await import('../../answering/writing/prompt.ts')).defaultInstructions;
    const { current } = await this.#choices.of(conversationId);
    const model = await this.openModel(current, onUsage);
    const receiver = findReceiver(current);
    return {
      model,
      instructions: instructionText,
      prices: findPrices(current),
      isMetered: receiver?.isMetered === true,
      figures: model?.takesImages === false ? undefined : receiver,
    };
  }

  /**
   * Returns the model that checks the answers of a conversation; undefined if no model writes them.
   * @throws NotebookError
   */
  async factChecker(
    conversationId: string,
    onUsage: (usage: TokenUsage) => void,
  ): Promise<FactChecker | undefined> {
    return await this.#factCheckerOf((await this.#choices.of(conversationId)).current, onUsage);
  }

  async #factCheckerOf(
    writer: ModelChoice,
    onUsage: (usage: TokenUsage) => void,
  ): Promise<FactChecker | undefined> {
    const choice = factCheckChoice(writer);
    const model = await this.openModel(choice, onUsage);
    const receiver = findReceiver(choice);
    if (model === undefined || receiver === undefined) return undefined;
    const isMetered = needsConsent(choice, receiver);
    const isAllowed = isMetered ? this.#consent.decision(receiver.to) : true;
    const prices = findPrices(choice) ?? (isMetered ? undefined : FREE);
    return { model, server: receiver.to, isAllowed, prices };
  }

  /** Returns the model that may check a model's text, by default the notebook's own; undefined if there is none. */
  async allowedChecker(
    onUsage: (usage: TokenUsage) => void,
    writer?: ModelChoice,
  ): Promise<FactChecker | undefined> {
    if (!checksWithModel()) return undefined;
    const checker =
      writer === undefined ? await this.factChecker('', onUsage) : await this.#factCheckerOf(writer, onUsage);
    return checker?.isAllowed === true ? checker : undefined;
  }

  /**
   * Returns the model that checks generated content only after the user's consent; undefined if the user has decided, or
   * if none is needed.
   */
  async checkRequest(): Promise<FactCheckRequest | undefined> {
    if (!checksWithModel()) return undefined;
    const choice = factCheckChoice((await this.#choices.of('')).current);
    const receiver = findReceiver(choice);
    if (choice.kind === 'quotes' || receiver === undefined || !needsConsent(choice, receiver))
      return undefined;
    return this.#consent.decision(receiver.to) === undefined
      ? { model: choice.name, server: receiver.to }
      : undefined;
  }

  /** Saves whether a model may check generated content and answers, although that may cost money. */
  async decideCheck({ server }: FactCheckRequest, agrees: boolean): Promise<void> {
    await this.#consent.decideFor(server, agrees);
  }

  /** Fires when the user decided whether a model may check. */
  get onDidDecideCheck(): vscode.Event<void> {
    return this.#consent.onDidChange;
  }

  /** Reports whether a model checks generated content. */
  async isChecked(): Promise<boolean> {
    return (await this.allowedChecker(() => undefined).catch(() => undefined)) !== undefined;
  }

  /** Returns the prices of a model, if the user or its endpoint specifies them. */
  prices(choice: ModelChoice): Prices | undefined {
    return findPrices(choice);
  }

  /** Opens a picked model; undefined to show excerpts only. @throws NotebookError `model-missing` */
  async openModel(
    choice: ModelChoice,
    onUsage: (usage: TokenUsage) => void,
  ): Promise<LanguageModel | undefined> {
    switch (choice.kind) {
      case 'quotes':
        return undefined;
      case 'editor':
        return this.#meter.over(await editorModel(choice), { provider: choice.vendor, onUsage });
      case 'endpoint': {
        const endpoint = clientSettings({ address: choice.baseUrl, name: choice.endpoint });
        const prices = findPrices(choice);
        const provider = endpoint?.name ?? URL.parse(choice.baseUrl)?.host ?? choice.baseUrl;
        return this.#meter.over(await this.#endpointModel(choice), { provider, prices, onUsage });
      }
    }
  }

  async #endpointModel(choice: EndpointChoice): Promise<LanguageModel> {
    const place = { address: choice.baseUrl, name: choice.endpoint };
    const access = await accessTo(this.#secrets, place);
    const { name } = choice;
    const facts = factsAbout(clientSettings(place), name);
    const known = facts.windowTokens ?? choice.windowTokens;
    const abilities =
      known === undefined ? await this.#describe(choice) : this.#described.get(makeKey(choice));
    const windowTokens = known ?? abilities?.windowTokens;
    const takesImages = facts.images ?? abilities?.images;
    const takesTools = facts.tools ?? abilities?.tools;
    // Loaded with the first question to a model, because it is the largest part of the extension and often isn't
    // needed.
    const { openAiModel } = await import('../../answering/models/openai.ts');
    const differences = this.#differences;
    return openAiModel({
      ...access,
      name,
      windowTokens,
      takesImages,
      takesTools,
      temperature: temperature(),
      differences,
    });
  }

  /** Returns the endpoint's description of a model that wasn't picked from its list. Only an answer is cached. */
  async #describe(choice: EndpointChoice): Promise<ModelAbilities> {
    const { baseUrl, endpoint, name } = choice;
    const key = makeKey(choice);
    const known = this.#described.get(key);
    if (known !== undefined) return known;
    const access = await accessTo(this.#secrets, { address: baseUrl, name: endpoint });
    const { describeModel } = await import('../../answering/models/describe-model.ts');
    const { signal } = new AbortController();
    const abilities = await describeModel(access, name, { signal, timeout: TIMEOUT_MS });
    // A server that didn't answer may answer the next time.
    if (abilities !== undefined) this.#described.set(key, abilities);
    return abilities ?? {};
  }
}

function makeKey({ baseUrl, endpoint, name }: EndpointChoice): string {
  return `${endpoint ?? ''} ${baseUrl} ${name}`;
}

/**
 * Reports whether a model checks only after the user's consent. The editor's models belong to a subscription, and VS
 * Code asks for consent itself.
 */
function needsConsent(choice: ModelChoice, { isMetered }: FigureReceiver): boolean {
  return choice.kind === 'endpoint' && isMetered;
}

/** Returns the prices of a model, if the user or its endpoint specifies them. */
function findPrices(choice: ModelChoice): Prices | undefined {
  if (choice.kind !== 'endpoint') return undefined;
  const endpoint = clientSettings({ address: choice.baseUrl, name: choice.endpoint });
  return factsAbout(endpoint, choice.name).prices ?? choice.prices;
}

/** Returns the receiver of figures. A model on this machine or a private network is free unless it has a price. */
function findReceiver(choice: ModelChoice): FigureReceiver | undefined {
  switch (choice.kind) {
    case 'quotes':
      return undefined;
    case 'editor':
      return { to: choice.vendor, isMetered: true };
    case 'endpoint': {
      const url = URL.parse(choice.baseUrl);
      const prices = findPrices(choice);
      return {
        to: url?.host ?? choice.baseUrl,
        isMetered: prices !== undefined || url === null || !isPrivateHost(url.hostname),
      };
    }
  }
}
