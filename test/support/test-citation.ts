import type { Citation } from '../../src/core/domain/answer.ts';

/** Returns a citation of a file; `more` overrides its fields. */
export function testCitation(more: Partial<Citation> = {}): Citation {
  return {
    ...{ number: 1, sourceId: 's', sourceKind: 'file', documentId: 1, title: 'garden.md', place: 'L1' },
    ...{ uri: 'file:///garden.md', mediaType: 'text/markdown', quote: 'Words of it.' },
    ...{ passage: { start: 0, end: 100 }, span: { start: 0, end: 10 } },
    locator: { kind: 'saved', span: { start: 0, end: 1 } },
    ...more,
  };
}
