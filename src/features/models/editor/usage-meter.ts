import type * as vscode from 'vscode';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import { withUsage } from '../../../answers/models/metered.ts';
import { errorMessage } from '../../../core/domain/errors.ts';
import { estimateCost, type Prices, type TokenUsage } from '../../../core/domain/usage.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

interface Offer {
  /** Provider of the model, as the user knows it. */
  readonly provider: string;
  readonly prices?: Prices | undefined;
}

interface Metering extends Offer {
  /** Gets the usage of each request. */
  readonly onUsage?: ((usage: TokenUsage) => void) | undefined;
}

/** Adds token usage to the notebook's daily totals. Sends no requests. */
export class UsageMeter {
  readonly #notebook: NotebookClient;
  readonly #log: vscode.LogOutputChannel;

  constructor(notebook: NotebookClient, log: vscode.LogOutputChannel) {
    this.#notebook = notebook;
    this.#log = log;
  }

  /** Returns the model with a meter that records each request. */
  over(model: LanguageModel, { provider, prices, onUsage }: Metering): LanguageModel {
    return withUsage(model, (usage) => onUsage?.(this.add(model.name, usage, { provider, prices })));
  }

  /** Adds the token usage of one request. Returns it with its cost, if prices are known. */
  add(model: string, reported: Omit<TokenUsage, 'cost'>, { provider, prices }: Offer): TokenUsage {
    const usage: TokenUsage = {
      ...reported,
      ...(prices !== undefined && { cost: estimateCost(reported, prices) }),
    };
    const entry = { ...usage, day: today(), provider, model, requests: 1 };
    this.#notebook
      .call('addUsage', entry)
      .catch((error: unknown) => this.#log.warn('Keeping what a model took:', errorMessage(error)));
    return usage;
  }
}

/** Returns the current day in local time, as `2026-11-21`. */
function today(): string {
  const now = new Date();
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return [now.getFullYear(), month, day].join('-');
}
