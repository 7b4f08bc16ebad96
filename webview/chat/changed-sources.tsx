import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { CitationChange } from '../../src/features/chat/protocol.ts';
import type { Answer, Turn } from '../../src/core/domain/answer.ts';
import { HostContext } from './host.ts';

/** Returns the changes of the citations of a turn's answer; undefined if there are none. */
export function changesOf(
  { id, version }: Turn,
  changes: readonly CitationChange[],
): readonly CitationChange[] | undefined {
  const own = changes.filter((change) => change.turnId === id && change.version === version?.number);
  return own.length === 0 ? undefined : own;
}

/** Updates the titles in an answer's citations to the current names of their documents. */
export function withNamesNow(answer: Answer, changes: readonly CitationChange[] | undefined): Answer {
  if (changes === undefined) return answer;
  const titles = new Map(changes.map(({ citation, title }) => [citation, title]));
  return {
    ...answer,
    citations: answer.citations.map((citation, index) => {
      const title = titles.get(index);
      return title === undefined || title === citation.title ? citation : { ...citation, title };
    }),
  };
}

interface ChangedSourcesProps {
  readonly turnId: string;
  readonly changes: readonly CitationChange[] | undefined;
}

/** Says which sources of an answer have changed or are gone, and offers to ask again. */
export function ChangedSources({ turnId, changes = [] }: ChangedSourcesProps): JSX.Element | null {
  const host = useContext(HostContext);
  const changed = titlesOf(changes, 'changed');
  const removed = titlesOf(changes, 'removed');
  const parts = [
    ...(changed.length === 1 ? [t('{0} has changed since this answer was written.', changed[0] ?? '')] : []),
    ...(changed.length > 1
      ? [t('{0} sources have changed since this answer was written.', changed.length.toLocaleString())]
      : []),
    ...(removed.length === 1 ? [t('{0} is no longer in the notebook.', removed[0] ?? '')] : []),
    ...(removed.length > 1
      ? [t('{0} sources are no longer in the notebook.', removed.length.toLocaleString())]
      : []),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="changed-sources">
      <span class="codicon codicon-warning" aria-hidden="true" />
      <span dir="auto" title={[...changed, ...removed].join('\n')}>
        {parts.join(' ')}{' '}
        <button type="button" class="link" onClick={() => host.start('retry', { turnId })}>
          {t('Ask Again')}
        </button>
      </span>
    </p>
  );
}

function titlesOf(changes: readonly CitationChange[], kind: CitationChange['kind']): string[] {
  return [...new Set(changes.filter((change) => change.kind === kind).map(({ title }) => title))];
}
