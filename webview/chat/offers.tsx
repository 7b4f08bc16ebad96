import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { IconButton } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';

/** Under an answer for which little was found, once: the way to find what is said in other words. */
export function MeaningOffer(): JSX.Element {
  const host = useContext(HostContext);
  return (
    <p class="meaning-offer">
      <button
        type="button"
        class="link"
        title={t(
          'A small model, fetched once to this machine, finds passages whose words differ from the question’s.',
        )}
        onClick={() => {
          host.start('run', { command: 'findByMeaning' });
        }}
      >
        {t('Said in other words? Find by meaning…')}
      </button>
      <IconButton
        icon="close"
        label={t('Don’t suggest this again')}
        onPress={() => {
          host.start('declineMeaning', {});
        }}
      />
    </p>
  );
}

/** Under the last answer in quotes: the way to one that a model writes, until any was picked or this was waved away. */
export function ModelOffer({ turnId }: { readonly turnId: string }): JSX.Element {
  const host = useContext(HostContext);
  return (
    <p class="model-offer">
      <button
        type="button"
        class="link"
        title={t('Shows the models that are there. The one you pick answers this question.')}
        onClick={() => {
          host.start('haveWritten', { turnId });
        }}
      >
        {t('Have it written by a model…')}
      </button>
      <IconButton
        icon="close"
        label={t('Don’t offer this again')}
        onPress={() => {
          host.start('declineModel', {});
        }}
      />
    </p>
  );
}
