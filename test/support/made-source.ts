import type { Source } from '../../src/core/domain/source.ts';

/** Returns a text source that was read, as the store lists it. */
export function makeSource(id: string, title = `Report ${id}`): Source {
  return {
    id,
    title,
    origin: { kind: 'text' },
    state: { kind: 'ready' },
    addedAt: 0,
    readAt: 0,
    documents: 1,
    passages: 12,
    unrecognised: 0,
    isRecognitionPaused: false,
    skipped: { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 },
  };
}
