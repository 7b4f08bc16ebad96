import type { ViewerCommand } from '../../src/messages/viewer.ts';

/** A key of the editor's own that goes by what it knows of the edits. */
export type HeldCommand = Extract<ViewerCommand, 'undo' | 'redo' | 'save'>;

/** What a key of the editor's own does; undefined for all others. */
export function heldCommand({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): HeldCommand | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  switch (key.toLowerCase()) {
    case 'z':
      return shiftKey ? 'redo' : 'undo';
    case 'y':
      return shiftKey ? undefined : 'redo';
    case 's':
      return shiftKey ? undefined : 'save';
    default:
      return undefined;
  }
}

/**
 * Tells the editor of edits, and holds its keys back while it does not know of all of them: it would undo or save the edit
 * before. What is held is done in order.
 */
export class HeldKeys {
  readonly #run: (command: HeldCommand) => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #pending = 0;

  constructor(run: (command: HeldCommand) => Promise<void>) {
    this.#run = run;
  }

  /** An edit is being told. */
  wait(told: Promise<unknown>): void {
    this.#pending++;
    const last = this.#last;
    this.#last = told
      // One that could not be told holds nothing back.
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => last)
      .finally(() => this.#pending--);
  }

  /** Whether a key was held back, and is done once all edits before it are told. */
  hold(command: HeldCommand): boolean {
    if (this.#pending === 0) return false;
    this.wait(this.#last.then(() => this.#run(command)));
    return true;
  }

  /** Resolves once all edits are told. */
  get settled(): Promise<void> {
    return this.#last;
  }
}

/** Hears the keys before the editor does; `settle` has what was typed told first. */
export function holdKeys(held: HeldKeys, settle: () => void): void {
  window.addEventListener(
    'keydown',
    (event) => {
      const command = heldCommand(event);
      if (command === undefined || event.isComposing) return;
      if (event.target instanceof HTMLElement && event.target.closest('.annotationLayer') !== null) settle();
      if (!held.hold(command)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
