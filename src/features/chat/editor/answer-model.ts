import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import { isMiniCheck } from '../../../answers/models/mini-check.ts';
import type { ProvidedModel } from '../../../answers/models/model-provider.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { ModelChoice } from '../../../core/domain/model-choice.ts';
import type { FactCheckRequest } from '../protocol.ts';
import type { Prices, TokenUsage } from '../../../core/domain/usage.ts';
import type { AnswerModel } from './answer-turn.ts';
import type { FactCheckConsent } from './fact-check-consent.ts';
import type { FigureReceiver } from './model-figures.ts';
import { factCheckChoice } from '../../models/editor/fact-check-model.ts';
import type { ModelChoices } from '../../models/editor/model-choice.ts';
import type { ModelProviders } from '../../models/editor/model-providers.ts';
import { checksWithModel, instructions } from '../../../platform/settings.ts';
import type { UsageMeter } from '../../models/editor/usage-meter.ts';

/** Model that checks answers. */
export interface FactChecker {
  readonly model: LanguageModel;
  /** Opens the model that writes corrections, if the model that checks only says yes or no. */
  readonly openWriter?: (() => Promise<LanguageModel | undefined>) | undefined;
  /** Name of its server that the user knows. */
  readonly server: string;
  /** `true` if it may check every answer; undefined if it may cost money and the user hasn't decided yet. */
  readonly isAllowed: boolean | undefined;
  readonly prices?: Prices | undefined;
}

type Consent = Pick<FactCheckConsent, 'decideFor' | 'decision' | 'onDidChange'>;

/** Prices of a model on this machine, on a private network, or in a subscription. */
const FREE: Prices = { input: 0, output: 0 };

/** Creates the models that write answers, for each question, so that a settings change needs no reload. */
export class AnswerModels {
  readonly #choices: ModelChoices;
  readonly #providers: ModelProviders;
  readonly #meter: UsageMeter;
  readonly #consent: Consent;

  constructor(choices: ModelChoices, providers: ModelProviders, meter: UsageMeter, consent: Consent) {
    this.#choices = choices;
    this.#providers = providers;
    this.#meter = meter;
    this.#consent = consent;
  }

  /** Returns the model that writes the answers of a conversation. `onUsage` gets the token usage of each request. */
  async of(conversationId: string, onUsage: (usage: TokenUsage) => void): Promise<AnswerModel> {
    const instructionText =
      instructions() || (await import('../../../answers/writing/prompt.ts')).defaultInstructions;
    const { current } = await this.#choices.of(conversationId);
    const model = await this.openModel(current, onUsage);
    const picked = this.#providers.find(current);
    const receiver = picked && receiverOf(picked);
    return {
      model,
      instructions: instructionText,
      prices: picked?.prices,
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
    const choice = factCheckChoice(writer, this.#providers);
    const model = await this.openModel(choice, onUsage);
    const picked = this.#providers.find(choice);
    if (model === undefined || picked === undefined) return undefined;
    const { receiver: server, cost } = picked;
    const isAllowed = cost === 'metered' ? this.#consent.decision(server) : true;
    const prices = picked.prices ?? (cost === 'metered' ? undefined : FREE);
    return {
      ...{ model, server, isAllowed, prices },
      ...(isMiniCheck(model.name) && { openWriter: () => this.openModel(writer, onUsage) }),
    };
  }

  /** Returns the model that may check generated content; undefined if there is none. */
  async allowedChecker(onUsage: (usage: TokenUsage) => void): Promise<FactChecker | undefined> {
    const checker = await this.checkerFor(onUsage);
    return checker?.isAllowed === true ? checker : undefined;
  }

  /**
   * Returns the model that checks a model's text, by default the notebook's own, even if the user hasn't agreed to it;
   * undefined if the user turned off checks, or if no model writes.
   * @throws NotebookError
   */
  async checkerFor(
    onUsage: (usage: TokenUsage) => void,
    writer?: ModelChoice,
  ): Promise<FactChecker | undefined> {
    if (!checksWithModel()) return undefined;
    return writer === undefined
      ? await this.factChecker('', onUsage)
      : await this.#factCheckerOf(writer, onUsage);
  }

  /**
   * Returns the model that checks generated content only after the user's consent; undefined if the user has decided, or
   * if none is needed.
   */
  async checkRequest(): Promise<FactCheckRequest | undefined> {
    if (!checksWithModel()) return undefined;
    const { current } = await this.#choices.of('');
    const picked = this.#providers.find(factCheckChoice(current, this.#providers));
    if (picked?.cost !== 'metered') return undefined;
    const { choice, receiver: server, prices } = picked;
    return this.#consent.decision(server) === undefined ? { model: choice.name, server, prices } : undefined;
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
    // Nothing is checked if no model is available.
    return (await this.allowedChecker(() => undefined).catch(() => undefined)) !== undefined;
  }

  /** Returns the prices of a model, if the user or its endpoint specifies them. */
  prices(choice: ModelChoice): Prices | undefined {
    return this.#providers.find(choice)?.prices;
  }

  /** Opens a picked model; undefined to show excerpts only. @throws NotebookError `model-missing` */
  async openModel(
    choice: ModelChoice,
    onUsage: (usage: TokenUsage) => void,
  ): Promise<LanguageModel | undefined> {
    if (choice.name === undefined) return undefined;
    const picked = this.#providers.find(choice);
    if (picked === undefined)
      throw new NotebookError(
        'model-missing',
        t('{0} is no longer available. Pick another model.', choice.name),
        {
          action: 'pickModel',
        },
      );
    const { provider, prices } = picked;
    return this.#meter.over(await picked.open(), { provider, prices, onUsage });
  }
}

function receiverOf({ receiver, cost }: ProvidedModel): FigureReceiver {
  return { to: receiver, isMetered: cost !== 'free' };
}
