import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { CardsHostApi } from '../../src/features/flashcards/protocol.ts';
import type { Client } from '../../src/core/rpc/rpc.ts';

interface Host {
  readonly client: Client<CardsHostApi>;
  /** Called when cards or their sources change. */
  readonly changes: Set<() => void>;
}

/** Extension API for the pages of cards. */
export const CardsHost = createContext<Host>({
  client: {
    call: () => Promise.reject(new Error('There is no extension.')),
    notify: () => undefined,
  },
  changes: new Set(),
});

/** Calls `look` whenever cards change. */
export function useChanges(look: () => void): void {
  const { changes } = useContext(CardsHost);
  useEffect(() => {
    changes.add(look);
    return () => {
      changes.delete(look);
    };
  });
}

/** Reports whether a key event belongs to a field or presses a button, instead of addressing the page. */
export function isTypedInto({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}
