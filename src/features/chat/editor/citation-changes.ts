import type { CitationChange } from '../protocol.ts';
import { standingCitations, type Turn } from '../../../core/domain/answer.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/**
 * Compares the citations of answers with the current documents. Returns the citations whose text is no longer in their
 * document, whose document is gone, or whose document was renamed. Searches the text of a document only if it was read
 * again after the question.
 */
export async function findCitationChanges(
  notebook: Pick<NotebookClient, 'call'>,
  turns: readonly Turn[],
): Promise<CitationChange[]> {
  const cited = turns.flatMap(({ id: turnId, askedAt, answer, state, version }) =>
    answer === undefined || state.kind === 'answering'
      ? []
      : standingCitations(answer).flatMap((index) => {
          const citation = answer.citations[index];
          const about = { turnId, version: version?.number, citation: index };
          return citation === undefined ? [] : [{ about, askedAt, citation }];
        }),
  );
  if (cited.length === 0) return [];
  const documentIds = [...new Set(cited.map(({ citation }) => citation.documentId))];
  const documents = new Map(
    (await notebook.call('citedDocuments', { documentIds })).map((document) => [
      document.documentId,
      document,
    ]),
  );
  const changes = await Promise.all(
    cited.map(async ({ about, askedAt, citation }): Promise<CitationChange | undefined> => {
      const { documentId, sourceId, span, quote } = citation;
      const document = documents.get(documentId);
      if (document?.sourceId !== sourceId) return { ...about, kind: 'removed', title: citation.title };
      const { title, readAt } = document;
      if (readAt > askedAt) {
        const { kind } = await notebook.call('find', { documentId, sourceId, span, quote });
        if (kind !== 'found') return { ...about, kind, title };
      }
      return title === citation.title ? undefined : { ...about, kind: 'renamed', title };
    }),
  );
  return changes.filter((change) => change !== undefined);
}
