import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CardsState } from '../../messages/cards.ts';
import { webviewOptions } from '../webview-page.ts';
import type { CardPageParts } from './card-page.ts';

const VIEW_TYPE = 'openNotebook.cards';

const cardsState = v.object({ notebook: v.string(), kind: v.picklist(['deck', 'quiz']), id: v.string() });

/** Decks and quizzes in editor tabs, each in one. What fills them is loaded with the first. */
export class CardViews implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: CardPageParts;
  readonly #registration: vscode.Disposable;
  readonly #panels = new Map<string, vscode.WebviewPanel>();

  constructor(parts: CardPageParts) {
    this.#parts = parts;
    this.#registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);
  }

  /** Shows a deck or a quiz, in the tab that it has. */
  async show(state: CardsState, title: string): Promise<void> {
    const there = this.#panels.get(stateKey(state));
    if (there !== undefined) {
      there.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      title,
      vscode.ViewColumn.Active,
      webviewOptions(this.#parts.extensionUri),
    );
    await this.#fill(panel, state);
  }

  /** Closes the tab of what was removed. */
  close(state: CardsState): void {
    this.#panels.get(stateKey(state))?.dispose();
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (!v.is(cardsState, state)) {
      panel.dispose();
      return;
    }
    panel.webview.options = webviewOptions(this.#parts.extensionUri);
    await this.#fill(panel, state);
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #fill(panel: vscode.WebviewPanel, state: CardsState): Promise<void> {
    const key = stateKey(state);
    this.#panels.set(key, panel);
    panel.onDidDispose(() => {
      if (this.#panels.get(key) === panel) this.#panels.delete(key);
    });
    const { fillCardPage } = await import('./card-page.ts');
    fillCardPage(this.#parts, panel, state, (shown, title) => this.show(shown, title));
  }
}

function stateKey({ notebook, kind, id }: CardsState): string {
  return `${notebook} ${kind} ${id}`;
}
