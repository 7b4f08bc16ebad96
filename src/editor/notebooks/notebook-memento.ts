import type * as vscode from 'vscode';
import type { NotebookClient } from '../notebook-client.ts';

/** What a workspace keeps of the notebook that it shows: each notebook has its own. */
export class NotebookMemento implements vscode.Memento {
  readonly #memento: vscode.Memento;
  readonly #notebook: Pick<NotebookClient, 'key'>;

  constructor(memento: vscode.Memento, notebook: Pick<NotebookClient, 'key'>) {
    this.#memento = memento;
    this.#notebook = notebook;
  }

  keys(): readonly string[] {
    const ending = this.#own('');
    return this.#memento
      .keys()
      .filter((key) => key.endsWith(ending))
      .map((key) => key.slice(0, key.length - ending.length));
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- The editor's own signature.
  get<T>(key: string): T | undefined;
  get<T>(key: string, otherwise: T): T;
  get<T>(key: string, otherwise?: T): T | undefined {
    return otherwise === undefined
      ? this.#memento.get<T>(this.#own(key))
      : this.#memento.get<T>(this.#own(key), otherwise);
  }

  async update(key: string, value: unknown): Promise<void> {
    await this.#memento.update(this.#own(key), value);
  }

  #own(key: string): string {
    return this.#notebook.key === '' ? key : `${key}@${this.#notebook.key}`;
  }
}
