import { Throttle } from '../core/rpc/throttle.ts';
import type { NotebookClient } from './notebook-client.ts';

/** Interval of progress reports, in milliseconds. */
const REPORT_INTERVAL_MS = 300;

/** Interval at which ongoing work is reported, even without progress, in milliseconds. */
const LIVING_INTERVAL = 10_000;

/**
 * Runs a part of the reading of a source and reports `progress`: soon after each call of `changed`, but not too often,
 * and occasionally without progress. A report that fails is made up for by the next one.
 */
export async function reportReading<T>(
  notebook: Pick<NotebookClient, 'call'>,
  sourceId: string,
  progress: { readonly done: number; readonly total: number },
  read: (changed: () => void) => Promise<T>,
): Promise<T> {
  const throttle = new Throttle(() => {
    const state = { kind: 'reading', ...progress } as const;
    // The next report replaces this one.
    notebook.call('setSourceState', { sourceId, state }).catch(() => undefined);
  }, REPORT_INTERVAL_MS);
  const living = setInterval(() => throttle.ask(), LIVING_INTERVAL);
  try {
    return await read(() => throttle.ask());
  } finally {
    clearInterval(living);
    throttle.dispose();
  }
}
