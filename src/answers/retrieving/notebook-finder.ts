import type { CitationRequest, PassageFinder } from './passage-finder.ts';
import type { CiteRequest } from '../../index/documents/citing-api.ts';
import type { Within } from '../../index/store/sources/sources-api.ts';
import type { WordsAt } from '../../core/domain/answer.ts';
import type { AcceptedSearch, SearchLine } from '../../index/search/search-api.ts';
import type { QuestionVector } from '../../index/search/vectors/embeddings-api.ts';
import type { IndexApi } from '../../index/worker/api.ts';
import type { CallOptions, Params, ProgressOf } from '../../core/rpc/rpc.ts';

/** Notebook that can be searched, in this process or another. */
interface SearchedNotebook {
  call<M extends keyof IndexApi>(
    method: M,
    params: Params<IndexApi[M]>,
    options?: CallOptions<ProgressOf<IndexApi[M]>>,
  ): Promise<ReturnType<IndexApi[M]>>;
  /** Prefetches passages for searches into a notebook that stores only a part of a larger one. */
  prefetch(searches: readonly SearchLine[], signal: AbortSignal): Promise<void>;
}

/** Embeds questions; undefined if there is no embedding model. */
interface QuestionEmbedder {
  embedQuestion(question: string, signal: AbortSignal): Promise<QuestionVector | undefined>;
}

/**
 * Returns the searches that answering needs, in a part of the notebook if one is given. With `onIncomplete`, searches
 * don't wait until a missing index is rebuilt. It is called if the results may lack passages for this reason.
 */
export function passageFinder(
  notebook: SearchedNotebook,
  embedder: QuestionEmbedder,
  scope?: Within,
  onIncomplete?: () => void,
): PassageFinder {
  const vectors = new Map<string, Promise<QuestionVector | undefined>>();
  // A question that is searched for twice is embedded once.
  const embedQuestion = (question: string, signal: AbortSignal): Promise<QuestionVector | undefined> => {
    const vector = vectors.get(question) ?? embedder.embedQuestion(question, signal);
    vectors.set(question, vector);
    return vector;
  };
  const placesIn =
    (part: Within | undefined): PassageFinder['places'] =>
    async (words, signal) => {
      const vector = await embedQuestion(words, signal);
      await notebook.prefetch([{ words, vector }], signal);
      return await notebook.call(
        'places',
        { words, vector, within: part, ...acceptance(onIncomplete) },
        { signal, onProgress: onIncomplete },
      );
    };
  return {
    async find(question, limit, signal) {
      const vector = await embedQuestion(question, signal);
      await notebook.prefetch([{ words: question, vector }], signal);
      return await notebook.call(
        'search',
        { question, limit, vector, within: scope, ...acceptance(onIncomplete) },
        { signal, onProgress: onIncomplete },
      );
    },
    async gather(searches, tokens, signal) {
      const lines = await Promise.all(
        searches.map(async (words) => ({ words, vector: await embedQuestion(words, signal) })),
      );
      await notebook.prefetch(lines, signal);
      return await notebook.call(
        'gather',
        { searches: lines, tokens, within: scope, ...acceptance(onIncomplete) },
        { signal, onProgress: onIncomplete },
      );
    },
    places: placesIn(scope),
    ...(scope && { placesElsewhere: placesIn(undefined) }),
    overview: (about, limit) => notebook.call('overview', { about, limit, within: scope }),
    at: (places) => notebook.call('passagesAt', { places }),
    cite: (requests) => notebook.call('cite', { requests: requests.map(toCiteRequest) }),
  };
}

/**
 * Searches the notebook for words like those at a place, which is left out itself. See `passageFinder` for
 * `onIncomplete`.
 */
export function similarFinder(
  notebook: SearchedNotebook,
  embedder: QuestionEmbedder,
  { documentId, span }: WordsAt,
  onIncomplete?: () => void,
): PassageFinder['find'] {
  return async (question, limit, signal) => {
    const vector = await embedder.embedQuestion(question, signal);
    const without = { documentId, span };
    return await notebook.call(
      'search',
      { question, limit, vector, without, ...acceptance(onIncomplete) },
      { signal, onProgress: onIncomplete },
    );
  };
}

/** Returns whether a search accepts an incomplete index: only if it can report that. */
function acceptance(onIncomplete: (() => void) | undefined): AcceptedSearch {
  return onIncomplete === undefined ? {} : { acceptsIncomplete: true };
}

function toCiteRequest({ number, passage, span }: CitationRequest): CiteRequest {
  return {
    number,
    documentId: passage.documentId,
    passage: { start: passage.start, end: passage.end },
    span,
    quote: passage.text.slice(span.start - passage.start, span.end - passage.start),
    readIn: {
      sourceId: passage.sourceId,
      title: passage.documentKey || passage.sourceTitle,
      place: passage.headings.at(-1) ?? '',
    },
  };
}
