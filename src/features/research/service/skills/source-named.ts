import { NotebookError } from '../../../../core/domain/errors.ts';
import { SOURCE_PREFIX } from '../../model/project.ts';
import type { Source } from '../../../../core/domain/source.ts';

/** Maximum number of titles that a model sees after naming none of them. */
const MAX_SHOWN_TITLES = 10;

/**
 * Finds a source by its title, its ID, or a unique part of its title.
 * @throws NotebookError `not-found`, with existing titles
 */
export function sourceNamed(sources: readonly Source[], title: string): Source {
  const plain = title.trim();
  const name = plain.startsWith(SOURCE_PREFIX) ? plain.slice(SOURCE_PREFIX.length) : plain;
  const low = name.toLowerCase();
  const meant =
    sources.find(({ id, title }) => id === name || title === name) ??
    only(sources.filter(({ title }) => title.toLowerCase() === low)) ??
    only(sources.filter(({ title }) => low !== '' && title.toLowerCase().includes(low)));
  if (meant !== undefined) return meant;
  const alike = sources.filter(({ title }) => title.toLowerCase().includes(low));
  const shownTitles = (alike.length > 0 ? alike : sources)
    .slice(0, MAX_SHOWN_TITLES)
    .map(({ title }) => JSON.stringify(title));
  throw new NotebookError(
    'not-found',
    sources.length === 0
      ? 'There are no sources.'
      : `${JSON.stringify(name)} doesn’t match exactly one source. The sources are ${shownTitles.join(', ')}${sources.length > shownTitles.length ? ' and others' : ''}.`,
  );
}

function only<T>(matches: readonly T[]): T | undefined {
  return matches.length === 1 ? matches[0] : undefined;
}
