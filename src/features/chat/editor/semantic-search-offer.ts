import * as vscode from 'vscode';
import type { SemanticSearchOffer as ShownOffer } from '../protocol.ts';
import type { Turn } from '../../../core/domain/answer.ts';
import { errorMessage, isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { Log } from '../../../platform/log.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import type { MeaningParts } from '../../semantic-search/editor/find-by-meaning.ts';
import type { ModelToOffer } from '../../semantic-search/editor/model-to-offer.ts';
import { embeddingModel, meaningModel, onDidChange, setMeaningModel } from '../../../platform/settings.ts';
import type { Conversation } from './conversation.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Empty once the user has dismissed the offer; older versions saved the turn of their offer here. */
const KEY = 'meaningOfferedUnder';

interface SemanticSearchOfferParts {
  /** Saves the dismissal for all windows and notebooks. */
  readonly memento: vscode.Memento;
  readonly meaning: MeaningParts;
  readonly embedder: Pick<Embedder, 'embedAll'>;
  readonly conversation: Pick<Conversation, 'retry' | 'turns' | 'whenAnswered'>;
  /** Reports whether answers are excerpts, so that asking again costs nothing. */
  readonly isExcerptsOnly: () => Promise<boolean>;
  readonly log: Log;
}

interface Offer extends ModelToOffer {
  readonly turnId: string;
  readonly state: ShownOffer['state'];
}

/**
 * Offers a local embedding model under the first answer without a model. If the user accepts, downloads the model,
 * generates the embeddings, and asks the question again.
 */
export class SemanticSearchOffer extends Disposable {
  readonly #parts: SemanticSearchOfferParts;
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  #offer: Offer | undefined;
  #work: AbortController | undefined;
  #isConsidering = false;

  readonly onDidChange = this.#changed.event;

  constructor(parts: SemanticSearchOfferParts) {
    super();
    this.#parts = parts;
    const changed = (): void => this.#changed.fire();
    this._register(onDidChange('meaning.model', changed), onDidChange('embeddings.model', changed));
  }

  /** Offer that the chat shows; undefined if there is none. */
  get shown(): ShownOffer | undefined {
    if (this.#offer === undefined || (this.#offer.state.kind === 'offered' && isInUse())) return undefined;
    const { turnId, model, size, origin, state } = this.#offer;
    return { turnId, model, size, origin, state };
  }

  /** Makes the offer under an answer without a model, unless it was dismissed or is in the conversation that is shown. */
  async consider(turn: Turn): Promise<void> {
    const { memento, meaning, conversation, log } = this.#parts;
    if (!isAnsweredWithoutModel(turn) || this.#isConsidering || this.#work !== undefined) return;
    if (memento.get(KEY) === '' || isInUse()) return;
    this.#isConsidering = true;
    try {
      const turns = await conversation.turns();
      if (turns.some(({ id }) => id === this.#offer?.turnId)) return;
      const { findModelToOffer } = await import('../../semantic-search/editor/model-to-offer.ts');
      const offer = await findModelToOffer(meaning, textOf(turn));
      if (offer !== undefined) this.#show({ ...offer, turnId: turn.id, state: { kind: 'offered' } });
    } catch (error) {
      log.warn('No local embedding model is offered:', errorMessage(error));
    } finally {
      this.#isConsidering = false;
    }
  }

  /** Downloads the model, or resumes the download, generates the embeddings, and asks the question again. */
  async accept(): Promise<void> {
    const offer = this.#offer;
    if (offer === undefined || this.#work !== undefined) return;
    const controller = new AbortController();
    this.#work = controller;
    try {
      await this.#setUp(offer, controller.signal);
    } catch (error) {
      const isDismissed = this.#offer === undefined;
      if (!isDismissed) this.#show({ ...offer, state: this.#stateAfter(error, offer) });
      return;
    } finally {
      this.#work = undefined;
    }
    const { conversation, isExcerptsOnly } = this.#parts;
    // Asking again would stop an answer in progress.
    await conversation.whenAnswered();
    if (await isExcerptsOnly()) await conversation.retry(offer.turnId);
  }

  /** Cancels the work in progress. Downloads and embeddings so far stay. */
  cancel(): void {
    this.#work?.abort();
  }

  /** Removes the offer for good. */
  async dismiss(): Promise<void> {
    this.#show(undefined);
    this.cancel();
    await this.#parts.memento.update(KEY, '');
  }

  override dispose(): void {
    this.#offer = undefined;
    this.cancel();
    super.dispose();
  }

  async #setUp(offer: Offer, signal: AbortSignal): Promise<void> {
    const { meaning, embedder } = this.#parts;
    const report = (state: ShownOffer['state']): void => {
      if (!signal.aborted) this.#show({ ...offer, state });
    };
    const { name } = offer.offered;
    if (meaningModel() !== name) {
      const { downloadModel } = await import('../../semantic-search/editor/model-to-offer.ts');
      await downloadModel(offer, meaning, signal, report);
      await setMeaningModel(name);
    }
    report({ kind: 'embedding', done: 0, total: 0 });
    await embedder.embedAll(signal, (done, total) => report({ kind: 'embedding', done, total }));
    this.#show(undefined);
  }

  #stateAfter(error: unknown, { offered }: Offer): ShownOffer['state'] {
    if (!isCanceled(error)) {
      this.#parts.log.error('Setting up the local embedding model:', errorMessage(error));
      const opensSettings = error instanceof NotebookError && error.action === 'openSettings';
      return { kind: 'failed', message: errorMessage(error), opensSettings };
    }
    if (meaningModel() !== offered.name) return { kind: 'offered' };
    const message = vscode.l10n.t('Stopped before all passages had embeddings.');
    return { kind: 'failed', message, opensSettings: false };
  }

  #show(offer: Offer | undefined): void {
    this.#offer = offer;
    this.#changed.fire();
  }
}

function isInUse(): boolean {
  return embeddingModel() !== undefined || meaningModel() !== '';
}

function isAnsweredWithoutModel({ state, answer }: Turn): boolean {
  return (
    state.kind === 'done' &&
    (answer?.kind === 'quotes' || answer?.kind === 'nothing') &&
    answer.like === undefined
  );
}

/** Returns the question with its excerpts, which show the language of the notebook together. */
function textOf({ question, answer }: Turn): string {
  return [question, ...(answer?.citations ?? []).map(({ quote }) => quote)].join('\n');
}
