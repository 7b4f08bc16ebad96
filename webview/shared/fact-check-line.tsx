import type { JSX } from 'preact';
import { t } from '@vscode/l10n';
import { dollars, estimateCost, type TokenUsage } from '../../src/core/domain/usage.ts';
import type { FactCheckRequest } from '../../src/features/chat/protocol.ts';
import { IconButton } from './toolkit.tsx';

/**
 * Shows that the content of a page isn't fact-checked, and asks whether a model that may cost money should check it.
 */
export function FactCheckLine({
  request: { model, server, prices },
  tokens,
  onDecide,
}: {
  readonly request: FactCheckRequest;
  /** Estimated tokens of the check; undefined if there is nothing to check yet. */
  readonly tokens: Pick<TokenUsage, 'input' | 'output'> | undefined;
  readonly onDecide: (agrees: boolean) => void;
}): JSX.Element {
  return (
    <p class="fact-check-line">
      <span>{t('Not fact-checked.')}</span>
      <button
        type="button"
        class="link"
        title={t(
          'Sends each statement with its cited text to {0}. You can turn this off with the openNotebook.answer.check setting.',
          server,
        )}
        onClick={() => onDecide(true)}
      >
        {t('Fact-check with {0}', model)}
      </button>
      {tokens !== undefined && (
        <span class="note">
          {t('About {0} tokens.', (tokens.input + tokens.output).toLocaleString())}
          {prices !== undefined && ` (${dollars(estimateCost(tokens, prices))})`}
        </span>
      )}
      <IconButton
        icon="close"
        label={t('Don’t fact-check with {0}', server)}
        onPress={() => onDecide(false)}
      />
    </p>
  );
}
