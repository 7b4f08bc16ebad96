import { throwIfCanceled } from '../../../core/domain/errors.ts';
import type { FoundPassage } from '../../../core/domain/passage.ts';
import { roundRobin } from '../../../core/domain/round-robin.ts';
import type { PathRule } from '../../../core/domain/included-paths.ts';
import { involvesSource, readPartId, type ArtifactScope } from '../../../core/domain/artifact.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Services to find passages. */
interface SpreadParts {
  readonly notebook: NotebookClient;
  readonly embedder: Pick<Embedder, 'embedQuestion'>;
}

/** Minimum and maximum number of passages of one source, and the number for each question. */
const PASSAGES_OF_SOURCE = { least: 4, most: 300 };
const PASSAGES_PER_QUESTION = 3;

/** Returns the most informative passages of a search scope: of each source in turn, and of its sections in turn. */
export async function spreadPassages(
  { notebook, embedder }: SpreadParts,
  questions: number,
  signal: AbortSignal,
  scope: ArtifactScope = {},
): Promise<FoundPassage[]> {
  const sources = (await notebook.call('sources', {})).filter(({ id }) => involvesSource(scope, id));
  const { least, most } = PASSAGES_OF_SOURCE;
  const each = Math.ceil((PASSAGES_PER_QUESTION * questions) / Math.max(1, sources.length));
  const limit = Math.min(most, Math.max(least, each));
  const bySource: (readonly FoundPassage[])[] = [];
  for (const { id } of sources) {
    throwIfCanceled(signal);
    const paths = (scope.sourceIds ?? []).map(readPartId).filter((part) => part.sourceId === id);
    const isPart = paths.length > 0 && paths.every(({ path }) => path !== '');
    const rules: PathRule[] = [{ sourceId: id, path: '' }, ...paths].map((part) => ({
      ...part,
      isIncluded: part.path !== '',
    }));
    const within = { kind: 'sources', sourceIds: [id], ...(isPart && { paths: rules }) } as const;
    bySource.push(await passageFinder(notebook, embedder, within).overview('', limit));
  }
  return roundRobin(bySource);
}
