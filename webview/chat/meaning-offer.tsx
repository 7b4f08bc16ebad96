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
