import * as vscode from 'vscode';
import type { EmbeddingState } from '../../../index/search/vectors/embeddings-api.ts';
import type { EmbeddingModel } from '../../../core/domain/settings.ts';
import { showInformation } from '../../../platform/dialogs.ts';
import { embeddingPrice } from '../../../platform/settings.ts';

/** Number of UTF-16 code units up to which new passages of an embedded notebook are sent without asking. */
const SMALL = 2_000_000;
const CHARACTERS_PER_TOKEN = 3.5;

const consentKey = ({ baseUrl, name }: EmbeddingModel): string => `embeddings:${baseUrl} ${name}`;

/** The user's consent for this notebook and model: the maximum number of characters to send. */
export class EmbeddingConsent {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /**
   * Asks for consent and shows the cost, unless the user already answered. `isActive`: the model's vectors are already
   * in use.
   */
  async ask(model: EmbeddingModel, missing: EmbeddingState['missing'], isActive: boolean): Promise<boolean> {
    const agreed = this.#memento.get<number>(consentKey(model));
    if (agreed === 0) return false;
    if (missing.characters <= Math.max(agreed ?? 0, isActive ? SMALL : 0)) return true;
    const start = vscode.l10n.t('Start');
    const answer = await showInformation(costSentence(model, missing), [
      start,
      vscode.l10n.t('Don’t Use in This Notebook'),
    ]);
    await this.#memento.update(consentKey(model), answer === start ? missing.characters : answer && 0);
    return answer === start;
  }

  /** Records the user's consent, whatever they answered before. */
  async give(model: EmbeddingModel, missing: EmbeddingState['missing']): Promise<void> {
    await this.#memento.update(consentKey(model), missing.characters);
  }
}

function costSentence(
  { baseUrl, name }: EmbeddingModel,
  { passages, characters }: EmbeddingState['missing'],
): string {
  const { language } = vscode.env;
  const tokens = characters / CHARACTERS_PER_TOKEN;
  const shown = tokens.toLocaleString(language, { maximumSignificantDigits: 2, notation: 'compact' });
  const price = (embeddingPrice() * tokens) / 1_000_000;
  const cost =
    price > 0
      ? vscode.l10n.t(
          'about {0} tokens, about ${1}',
          shown,
          price.toLocaleString(language, { maximumSignificantDigits: 2 }),
        )
      : vscode.l10n.t('about {0} tokens', shown);
  return vscode.l10n.t(
    'Semantic search sends {0} passages ({1}) to {2} at {3} to generate embeddings. Start?',
    passages.toLocaleString(language),
    cost,
    name,
    URL.parse(baseUrl)?.host ?? baseUrl,
  );
}
