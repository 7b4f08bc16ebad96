import type { ViewerCommand } from '../../src/features/pdf/protocol.ts';

/** Editor command that depends on the edits that the editor knows of. */
export type DeferredCommand = Extract<ViewerCommand, 'undo' | 'redo' | 'save'>;

/** Returns the editor command of a key; undefined for all other keys. */
export function deferredCommand({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): DeferredCommand | undefined {
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
 * Reports edits to the editor, and delays its keys until it knows all of them. Otherwise, it would undo or save the
 * edit before. Runs delayed commands in order.
 */
export class DeferredShortcuts {
  readonly #run: (command: DeferredCommand) => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #pending = 0;

  constructor(run: (command: DeferredCommand) => Promise<void>) {
    this.#run = run;
  }

  /** Registers an edit that is being reported. */
  wait(report: Promise<unknown>): void {
    this.#pending++;
    const last = this.#last;
    this.#last = report
      // An edit that can't be reported doesn't delay anything.
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => last)
      .finally(() => this.#pending--);
  }

  /** Delays a command until all edits before it are reported; `false` if there are none. */
  hold(command: DeferredCommand): boolean {
    if (this.#pending === 0) return false;
    this.wait(this.#last.then(() => this.#run(command)));
    return true;
  }

  /** Resolves once all edits are reported. */
  get settled(): Promise<void> {
    return this.#last;
  }
}

/** Intercepts keys before the editor; `settle` reports typed text first. */
export function holdKeys(deferredShortcuts: DeferredShortcuts, settle: () => void): void {
  window.addEventListener(
    'keydown',
    (event) => {
      const command = deferredCommand(event);
      if (command === undefined || event.isComposing) return;
      if (event.target instanceof HTMLElement && event.target.closest('.annotationLayer') !== null) settle();
      if (!deferredShortcuts.hold(command)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
