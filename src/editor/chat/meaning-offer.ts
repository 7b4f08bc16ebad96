import * as vscode from 'vscode';
import type { Turn } from '../../notebook/answer.ts';
import { embeddingModel, meaningModel, onDidChange } from '../settings.ts';

/** Under which turn's answer it was made, in whatever notebook; '' once it was declined. */
const KEY = 'meaningOfferedUnder';

/** The offer to find by meaning, made once: under the first answer without a model for which little was found. */
export class MeaningOffer implements vscode.Disposable {
  readonly #kept: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #settings: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  /** `kept` is what holds for all windows and notebooks. */
  constructor(kept: vscode.Memento) {
    this.#kept = kept;
    const changed = (): void => this.#changed.fire();
    this.#settings = vscode.Disposable.from(
      onDidChange('meaning.model', changed),
      onDidChange('embeddings.model', changed),
    );
  }

  /** The turn under which it stands; undefined where it stands under none. */
  get turnId(): string | undefined {
    const isInUse = embeddingModel() !== undefined || meaningModel() !== '';
    const turnId = this.#kept.get<string>(KEY);
    return isInUse || turnId === '' ? undefined : turnId;
  }

  /** Makes the offer under a turn where it was not made before and little was found. */
  async consider(turn: Turn): Promise<void> {
    if (turn.state.kind !== 'done' || this.#kept.get(KEY) !== undefined) return;
    if (embeddingModel() !== undefined || meaningModel() !== '') return;
    const { isHardlyAnswerable: isFoundPoorly } = await import('../../answering/retrieving/answerability.ts');
    if (!isFoundPoorly(turn)) return;
    await this.#kept.update(KEY, turn.id);
    this.#changed.fire();
  }

  async decline(): Promise<void> {
    await this.#kept.update(KEY, '');
    this.#changed.fire();
  }

  dispose(): void {
    this.#settings.dispose();
    this.#changed.dispose();
  }
}
