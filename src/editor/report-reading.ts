import { Throttle } from '../messages/throttle.ts';
import type { NotebookClient } from './notebook-client.ts';

/** How often progress is told, in milliseconds. */
const TELLING_INTERVAL = 300;

/** How often it is told that the work goes on, whether or not it has come further, in milliseconds. */
const LIVING_INTERVAL = 10_000;

/**
 * Does some of the reading of a source, and reports how far `progress` has come: soon after each call of `changed`, not too
 * often, and now and then that it goes on at all. What can't be told is told with the next step.
 */
export async function reportReading<T>(
  notebook: Pick<NotebookClient, 'call'>,
  sourceId: string,
  progress: { readonly done: number; readonly total: number },
  read: (changed: () => void) => Promise<T>,
): Promise<T> {
  const told = new Throttle(() => {
    const state = { kind: 'reading', ...progress } as const;
    notebook.call('setSourceState', { sourceId, state }).catch(() => undefined);
  }, TELLING_INTERVAL);
  const living = setInterval(() => told.ask(), LIVING_INTERVAL);
  try {
    return await read(() => told.ask());
  } finally {
    clearInterval(living);
    told.dispose();
  }
}
