import * as vscode from 'vscode';

/** A memento in memory. */
export class MemoryMemento implements vscode.Memento {
  readonly #values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, otherwise?: T): T {
    return (this.#values.get(key) ?? otherwise) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    return Promise.resolve();
  }
}

/** A secret storage in memory. */
export class MemorySecrets implements vscode.SecretStorage {
  readonly #secrets = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();

  readonly onDidChange = this.#changed.event;

  keys(): Promise<string[]> {
    return Promise.resolve([...this.#secrets.keys()]);
  }

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#secrets.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.#secrets.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.#secrets.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}
