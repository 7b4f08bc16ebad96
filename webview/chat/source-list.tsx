import type { JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Answer } from '../../src/core/domain/answer.ts';
import { HostContext } from './host.ts';
import { SourceTitle } from '../cited/source-title.tsx';
import { sourceIcon } from '../cited/words.ts';
import { citationsToList } from './words.ts';

const SHOWN_AT_FIRST = 3;

interface SourceListProps {
  readonly turnId: string;
  readonly answer: Answer;
}

/** Shows the passages that an answer cites, without duplicates: icon, title, and location. */
export function SourceList({ turnId, answer }: SourceListProps): JSX.Element | null {
  const host = useContext(HostContext);
  const [showsAll, setShowsAll] = useState(false);
  const listed = citationsToList(answer);
  const shown = showsAll ? listed : listed.slice(0, SHOWN_AT_FIRST);
  if (listed.length === 0) return null;
  return (
    <div class="sources">
      <ul class="plain-list" aria-label={t('Sources')}>
        {shown.map((index) => {
          const citation = answer.citations[index];
          if (citation === undefined) return null;
          const { number, title, place, uri } = citation;
          return (
            <li key={number}>
              <button
                type="button"
                class="hoverable"
                title={[title, place, uri].filter((part) => part !== '').join('\n')}
                onClick={(event) => {
                  const beside = event.ctrlKey || event.metaKey;
                  host.start('openCitation', { turnId, citation: index, beside });
                }}
              >
                <span class="number">{number.toLocaleString()}</span>
                <span class={`codicon codicon-${sourceIcon(citation)}`} aria-hidden="true" />
                <SourceTitle title={title} />
                <span class="place" dir="auto">
                  {place}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {listed.length > SHOWN_AT_FIRST && (
        <button type="button" class="link" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('Show fewer sources') : t('Show all {0} sources', listed.length.toLocaleString())}
        </button>
      )}
    </div>
  );
}
