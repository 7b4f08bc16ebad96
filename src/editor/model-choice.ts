import * as vscode from 'vscode';
import type { ModelChoice } from '../notebook/settings.ts';
import { modelSettings, onDidChange } from './settings.ts';

const KEY = 'model';

/** What writes the answers of this notebook: what was picked here, else what the settings name. */
export class ModelChoices implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #settings: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    const changed = (): void => {
      // Who changes the settings wants them to hold.
      void this.#memento.update(KEY, undefined);
      this.#changed.fire();
    };
    this.#settings = vscode.Disposable.from(
      onDidChange('model.name', changed),
      onDidChange('model.baseUrl', changed),
    );
  }

  get current(): ModelChoice {
    return parseChoice(this.#memento.get(KEY)) ?? modelSettings() ?? { kind: 'quotes' };
  }

  async pick(choice: ModelChoice): Promise<void> {
    await this.#memento.update(KEY, choice);
    this.#changed.fire();
  }

  dispose(): void {
    this.#settings.dispose();
    this.#changed.dispose();
  }
}

/** What was kept by any version, or undefined where it is none. */
function parseChoice(kept: unknown): ModelChoice | undefined {
  if (typeof kept !== 'object' || kept === null || !('kind' in kept)) return undefined;
  const text = (key: string): string | undefined => {
    const value = new Map<string, unknown>(Object.entries(kept)).get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [name, baseUrl, vendor, id] = [text('name'), text('baseUrl'), text('vendor'), text('id')];
  switch (kept.kind) {
    case 'quotes':
      return { kind: 'quotes' };
    case 'endpoint': {
      const windowTokens =
        'windowTokens' in kept && typeof kept.windowTokens === 'number' ? kept.windowTokens : undefined;
      return name === undefined || baseUrl === undefined
        ? undefined
        : { kind: 'endpoint', name, baseUrl, windowTokens };
    }
    case 'editor':
      return name === undefined || vendor === undefined || id === undefined
        ? undefined
        : { kind: 'editor', name, vendor, id };
    default:
      return undefined;
  }
}
