import type { JSX } from 'preact';
import { t } from '@vscode/l10n';
import { IconButton } from '../shared/toolkit.tsx';
import type { GivenThings, Offer } from './use-given.ts';

/** Above the input: what is held over the panel can be dropped, and what was pasted can be added. */
export function GivenOffer({ given }: { readonly given: GivenThings }): JSX.Element {
  const { isOver, offer, accept, dismiss } = given;
  return (
    <>
      {isOver && (
        <p class="drop-target">
          <span class="codicon codicon-add" aria-hidden="true" />
          {t('Drop to add and mention')}
        </p>
      )}
      <div role="status">
        {offer !== undefined && (
          <p class="offer">
            <span class="words" title={offer.pages.join('\n')}>
              {wordsOf(offer)}
            </span>
            <button
              type="button"
              class="link"
              onClick={() => {
                accept(offer);
              }}
            >
              {t('Add')}
            </button>
            <IconButton icon="close" label={t('Don’t add')} onPress={dismiss} />
          </p>
        )}
      </div>
    </>
  );
}

function wordsOf({ pages }: Offer): string {
  const [page] = pages;
  if (page === undefined) return t('Add the pasted text as a source');
  return pages.length === 1
    ? t('Add as a source: {0}', page.replace(/^https?:\/\//, ''))
    : t('Add {0} pages as sources', pages.length.toLocaleString());
}
