import type { SkillNotebook } from '../../researching/skills/skill-parts.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { passageFinder } from '../agents/notebook-finder.ts';
import type { Embedder } from '../models/embedder.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** A notebook as skills ask it. */
export function skillNotebook(
  notebook: NotebookClient,
  embedder: Pick<Embedder, 'embedQuestion'>,
): SkillNotebook {
  return {
    documents: (sourceId) => notebook.call('documents', { sourceId }),
    outlines: (documentIds) => notebook.call('outlines', { documentIds }),
    document: async (documentId) => {
      try {
        const { entry, text } = await notebook.call('document', { documentId });
        return { sourceId: entry.sourceId, title: entry.title, text };
      } catch (error) {
        if (error instanceof NotebookError && error.code === 'not-found') return undefined;
        throw error;
      }
    },
    finderIn: (sourceId) => passageFinder(notebook, embedder, { kind: 'sources', sourceIds: [sourceId] }),
  };
}
