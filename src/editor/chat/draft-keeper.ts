import type { Log } from '../log.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** How long after the last key a draft is saved, in milliseconds. */
const DELAY = 200;

/** Saves what is typed and not asked yet. */
export class DraftKeeper {
  readonly #notebook: Pick<NotebookClient, 'call'>;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #unsaved: { readonly id: string; readonly draft: string } | undefined;

  constructor(notebook: Pick<NotebookClient, 'call'>, log: Log) {
    this.#notebook = notebook;
    this.#log = log;
  }

  /** Saves the draft of a conversation, as it is then, a moment after the last key. */
  keep(conversation: { readonly id: string; readonly draft: string }): void {
    clearTimeout(this.#timer);
    this.#unsaved = conversation;
    this.#timer = setTimeout(() => void this.flush(), DELAY);
  }

  /** Saves now what waits to be saved. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    const unsaved = this.#unsaved;
    this.#unsaved = undefined;
    if (unsaved === undefined) return;
    const { id: conversationId, draft } = unsaved;
    try {
      await this.#notebook.call('setDraft', { conversationId, draft });
    } catch (error) {
      this.#log.error('Saving a draft:', error instanceof Error ? error : String(error));
    }
  }
}
