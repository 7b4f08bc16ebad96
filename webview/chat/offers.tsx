import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { FactCheckOffer } from '../../src/messages/panel.ts';
import { dollars } from '../../src/notebook/usage.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';

interface OfferProps {
  readonly kind: 'check-offer' | 'meaning-offer' | 'model-offer';
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

/** Under an answer for which little was found, once: the way to find what is said in other words. */
export function MeaningOffer(): JSX.Element {
  const host = useContext(HostContext);
  return (
    <Offer
      kind="meaning-offer"
      offered={t('Said in other words? Find by meaning…')}
      title={t(
        'A small model, fetched once to this machine, finds passages whose words differ from the question’s.',
      )}
      onTake={() => host.start('run', { command: 'findByMeaning' })}
      decline={t('Don’t suggest this again')}
      onDecline={() => host.start('declineMeaning', {})}
    />
  );
}

/** Under an answer that isn't checked yet: the question whether a model that may cost money checks every answer. */
export function FactCheckQuestion({ offer }: { readonly offer: FactCheckOffer }): JSX.Element {
  const host = useContext(HostContext);
  const { model, server, tokens, cost } = offer;
  const costs =
    cost === undefined ? t('about {0} tokens', tokens.toLocaleString()) : t('about {0}', dollars(cost));
  return (
    <Offer
      kind="check-offer"
      offered={t('Fact-check every answer with {0} ({1} for this one)', model, costs)}
      title={t(
        'Sends each statement with its cited text to {0}. The setting openNotebook.answer.check turns it off.',
        server,
      )}
      onTake={() => host.start('decideFactCheck', { agrees: true })}
      decline={t('Don’t fact-check with {0}', server)}
      onDecline={() => host.start('decideFactCheck', { agrees: false })}
    />
  );
}

/** Under the last answer in quotes: the way to one that a model writes, until any was picked or this was waved away. */
export function ModelOffer({ turnId }: { readonly turnId: string }): JSX.Element {
  const host = useContext(HostContext);
  return (
    <Offer
      kind="model-offer"
      offered={t('Have it written by a model…')}
      title={t('Shows the models that are there. The one you pick answers this question.')}
      onTake={() => host.start('haveWritten', { turnId })}
      decline={t('Don’t offer this again')}
      onDecline={() => host.start('declineModel', {})}
    />
  );
}
