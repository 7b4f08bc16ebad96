// Connects a notebook's index to answering and research without the worker between them.
import type { PassageFinder } from '../../src/answers/retrieving/passage-finder.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { ResearchServices } from '../../src/features/research/service/work/services.ts';
import type { SkillNotebook } from '../../src/features/research/service/skills/skill-parts.ts';

/** Returns the queries of answering over a notebook's index. */
export function finderOver(index: NotebookIndex): PassageFinder {
  return {
    find: (words, limit) => index.passageSearch.search(words, limit),
    gather: (searches, tokens) =>
      index.passageSearch.gather({ searches: searches.map((words) => ({ words })), tokens }),
    places: (words) => index.passageSearch.places({ words }),
    overview: (about, limit) => Promise.resolve(index.passageSearch.overview(about, limit)),
    at: (places) => Promise.resolve(index.passageSearch.passagesAt(places)),
    cite: (requests) =>
      Promise.resolve(
        index.cited.cite(
          requests.map(({ number, passage, span }) => ({
            number,
            documentId: passage.documentId,
            passage: { start: passage.start, end: passage.end },
            span,
            quote: passage.text.slice(span.start - passage.start, span.end - passage.start),
          })),
        ),
      ),
  };
}

/** Returns the queries of skills over a notebook's index. */
export function skillNotebook(index: NotebookIndex): SkillNotebook {
  const finder = finderOver(index);
  return {
    documents: (sourceId) => Promise.resolve(index.store.documents.ofSource(sourceId)),
    outlines: (ids) => Promise.resolve(index.cited.outlines(ids)),
    document: (id) => {
      const { entry, text } = index.cited.document(id);
      return Promise.resolve({ sourceId: entry.sourceId, title: entry.title, text });
    },
    finderIn: (sourceId) => ({
      ...finder,
      gather: (searches, tokens) =>
        index.passageSearch.gather({
          ...{ searches: searches.map((words) => ({ words })), tokens },
          within: { kind: 'sources', sourceIds: [sourceId] },
        }),
      overview: (about, limit) =>
        Promise.resolve(
          index.passageSearch.overview(about, limit, { kind: 'sources', sourceIds: [sourceId] }),
        ),
      find: async (words, limit, signal) =>
        (await finder.find(words, 100, signal))
          .filter((found) => found.sourceId === sourceId)
          .slice(0, limit),
    }),
  };
}

/** Returns the queries of a research project over a notebook's index, and over one source. */
export function findersOver(index: NotebookIndex): Pick<ResearchServices, 'finder' | 'finderIn'> {
  return { finder: finderOver(index), finderIn: skillNotebook(index).finderIn };
}
