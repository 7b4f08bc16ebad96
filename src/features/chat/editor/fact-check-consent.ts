import * as vscode from 'vscode';
import type { FactCheckOffer } from '../protocol.ts';

/** Storage key of the servers that may check every answer, by name: `true` or `false` once the user decided. */
const KEY = 'factCheckConsents';

/**
 * The user's consent to check every answer with a model that may cost money. Open Notebook requests it once per server,
 * under the first answer that would be checked there.
 */
export class FactCheckConsent implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  #offer: FactCheckOffer | undefined;

  readonly onDidChange = this.#changed.event;

  /** `memento` is shared by all windows and notebooks. */
  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Pending question; undefined if there is none. */
  get offer(): FactCheckOffer | undefined {
    return this.#offer;
  }

  /** Returns the user's decision for a server; undefined if there is none yet. */
  decision(server: string): boolean | undefined {
    return this.#memento.get<Readonly<Record<string, boolean>>>(KEY, {})[server];
  }

  /** Shows the question under an answer. */
  ask(offer: FactCheckOffer): void {
    this.#offer = offer;
    this.#changed.fire();
  }

  /** Saves the decision on the pending question, and returns the question. */
  async decide(agrees: boolean): Promise<FactCheckOffer | undefined> {
    const offer = this.#offer;
    if (offer !== undefined) await this.decideFor(offer.server, agrees);
    return offer;
  }

  /** Saves the decision for a server, which also answers a pending question about it. */
  async decideFor(server: string, agrees: boolean): Promise<void> {
    if (this.#offer?.server === server) this.#offer = undefined;
    const decisions = this.#memento.get<Readonly<Record<string, boolean>>>(KEY, {});
    await this.#memento.update(KEY, { ...decisions, [server]: agrees });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
