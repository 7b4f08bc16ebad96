import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCitationChanges } from '../../src/features/chat/editor/citation-changes.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { CitedDocument } from '../../src/index/documents/citing-api.ts';
import type { Citation, Turn } from '../../src/core/domain/answer.ts';
import { testCitation } from '../support/test-citation.ts';

const documents: readonly CitedDocument[] = [
  { documentId: 1, sourceId: 's', title: 'garden.md', readAt: 5 },
  { documentId: 2, sourceId: 's', title: 'orchard.md', readAt: 50 },
  { documentId: 3, sourceId: 's', title: 'pond.md', readAt: 50 },
  { documentId: 4, sourceId: 'other', title: 'shed.md', readAt: 5 },
];

test('searches only the documents that were read again', async () => {
  const searched: unknown[] = [];
  const call = (method: string, params: { readonly documentId?: number }): Promise<unknown> => {
    if (method === 'citedDocuments') return Promise.resolve(documents);
    searched.push(params.documentId);
    return Promise.resolve({ kind: params.documentId === 3 ? 'found' : 'changed' });
  };
  const cite = (documentId: number, title: string): Citation =>
    testCitation({ documentId, sourceId: 's', title });
  const turn: Turn = {
    id: 't',
    question: 'Why?',
    askedAt: 10,
    state: { kind: 'done', milliseconds: 1 },
    answer: {
      kind: 'nothing',
      text: 'Nothing.',
      citations: [
        cite(1, 'garden.md'),
        cite(1, 'plot.md'),
        cite(2, 'orchard.md'),
        cite(3, 'pond.md'),
        cite(4, 'shed.md'),
        cite(9, 'gone.md'),
      ],
    },
    version: { number: 2, position: 2, count: 2 },
  };
  const changes = await findCitationChanges({ call: call as unknown as NotebookClient['call'] }, [
    turn,
    { ...turn, id: 'u', state: { kind: 'answering' } },
    { ...turn, id: 'v', answer: undefined },
  ]);
  const about = { turnId: 't', version: 2 };
  assert.deepEqual(changes, [
    { ...about, citation: 1, kind: 'renamed', title: 'garden.md' },
    { ...about, citation: 2, kind: 'changed', title: 'orchard.md' },
    { ...about, citation: 4, kind: 'removed', title: 'shed.md' },
    { ...about, citation: 5, kind: 'removed', title: 'gone.md' },
  ]);
  assert.deepEqual(searched, [2, 3]);
});
