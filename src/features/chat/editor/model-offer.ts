import * as vscode from 'vscode';

const KEY = 'modelOfferDeclined';

/** Offer, under an answer of excerpts, to use a model. Once dismissed, it never appears again. */
export class ModelOffer implements vscode.Disposable {
  readonly #globalState: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  /** `memento` is storage that all windows and notebooks share. */
  constructor(memento: vscode.Memento) {
    this.#globalState = memento;
  }

  get isDeclined(): boolean {
    return this.#globalState.get(KEY) === true;
  }

  async decline(): Promise<void> {
    await this.#globalState.update(KEY, true);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
