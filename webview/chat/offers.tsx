import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { FactCheckOffer, SemanticSearchOffer } from '../../src/features/chat/protocol.ts';
import { dollars } from '../../src/core/domain/usage.ts';
import { Button, IconButton, ProgressRing } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';

interface OfferProps {
  readonly kind: 'check-offer' | 'model-offer' | 'semantic-search-offer';
  readonly offered: string;
  readonly title: string;
  readonly onTake: () => void;
  readonly decline: string;
  readonly onDecline: () => void;
}

function Offer({ kind, offered, title, onTake, decline, onDecline }: OfferProps): JSX.Element {
  return (
    <p class={kind}>
      <button type="button" class="link" title={title} onClick={onTake}>
        {offered}
      </button>
      <IconButton icon="close" label={decline} onPress={onDecline} />
    </p>
  );
}

/** Shows the offer of a local embedding model under an answer, then its progress, and an error with its buttons. */
export function SemanticSearchLine({ offer }: { readonly offer: SemanticSearchOffer }): JSX.Element {
  const host = useContext(HostContext);
  const { model, size, origin, state } = offer;
  const dismiss = (): void => host.start('dismissSemanticSearch', {});
  const accept = (): void => host.start('acceptSemanticSearch', {});
  switch (state.kind) {
    case 'offered':
      return (
        <Offer
          kind="semantic-search-offer"
          offered={t('Download a {0} model for better matches', size)}
          title={t(
            'Downloads {0} once from {1}, and asks this question again. Your sources and questions stay on this machine.',
            model,
            origin,
          )}
          onTake={accept}
          decline={t('Don’t suggest this again')}
          onDecline={dismiss}
        />
      );
    case 'failed':
      return (
        <div class="failure">
          <p role="alert">
            <span class="codicon codicon-error" aria-hidden="true" />
            <span dir="auto">{state.message}</span>
          </p>
          <div class="ways">
            <Button label={t('Try Again')} look="secondary" onPress={accept} />
            {state.opensSettings && (
              <Button
                label={t('Open Settings')}
                look="secondary"
                onPress={() => host.start('run', { command: 'openSettings' })}
              />
            )}
            <IconButton icon="close" label={t('Don’t suggest this again')} onPress={dismiss} />
          </div>
        </div>
      );
    default:
      return (
        <p class="progress semantic-search-offer">
          <ProgressRing />
          <span>{progressOf(state, size)}</span>
          <button type="button" class="link" onClick={() => host.start('cancelSemanticSearch', {})}>
            {t('Cancel')}
          </button>
        </p>
      );
  }
}

function progressOf(
  state: Exclude<SemanticSearchOffer['state'], { readonly kind: 'failed' | 'offered' }>,
  size: string,
): string {
  switch (state.kind) {
    case 'waiting':
      return t('Another window is downloading the model…');
    case 'downloading':
      return t('Downloading the model… {0} of {1}', state.downloaded, size);
    case 'verifying':
      return t('Checking the model…');
    case 'embedding':
      return state.total === 0
        ? t('Generating embeddings…')
        : t(
            'Generating embeddings… {0} of {1} passages',
            state.done.toLocaleString(),
            state.total.toLocaleString(),
          );
  }
}

/** Asks under an unchecked answer whether a model that may cost money should check every answer. */
export function FactCheckQuestion({ offer }: { readonly offer: FactCheckOffer }): JSX.Element {
  const host = useContext(HostContext);
  const { model, server, tokens, cost } = offer;
  const costs =
    cost === undefined ? t('about {0} tokens', tokens.toLocaleString()) : t('about {0}', dollars(cost));
  return (
    <Offer
      kind="check-offer"
      offered={t('Fact-check every answer with {0} ({1} for this answer)', model, costs)}
      title={t(
        'Sends each statement with its cited text to {0}. You can turn this off with the openNotebook.answer.check setting.',
        server,
      )}
      onTake={() => host.start('decideFactCheck', { agrees: true })}
      decline={t('Don’t fact-check with {0}', server)}
      onDecline={() => host.start('decideFactCheck', { agrees: false })}
    />
  );
}

/**
 * Offers to select a model under the last answer that shows excerpts only, until one is selected or the offer is
 * dismissed.
 */
export function ModelOffer({ turnId }: { readonly turnId: string }): JSX.Element {
  const host = useContext(HostContext);
  return (
    <Offer
      kind="model-offer"
      offered={t('Write an answer with a model…')}
      title={t('Lists the available models. The model that you pick answers this question.')}
      onTake={() => host.start('haveWritten', { turnId })}
      decline={t('Don’t suggest this again')}
      onDecline={() => host.start('declineModel', {})}
    />
  );
}
