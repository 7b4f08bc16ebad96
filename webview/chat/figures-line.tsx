import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { FiguresOffered } from '../../src/notebook/answer.ts';
import { HostContext } from './host.ts';

interface FiguresLineProps {
  readonly turnId: string;
  readonly told: FiguresOffered;
  /** The model that is picked. */
  readonly model: string | undefined;
}

/** Under an answer, what became of the figures that its question asks for. */
export function FiguresLine({ turnId, told, model = t('The model') }: FiguresLineProps): JSX.Element {
  const host = useContext(HostContext);
  const names = [...new Set(told.figures.map(({ name }) => (name === '' ? t('Figure') : name)))].join(', ');
  switch (told.kind) {
    case 'sent':
      return <p class="figures-told">{t('Shown to the model: {0}', names)}</p>;
    case 'refused':
      return (
        <p class="figures-told">
          {t('{0} took no pictures, so {1} was answered from the words alone.', model, names)}
        </p>
      );
    case 'undrawn':
      return <p class="figures-told">{t('Not shown to the model: {0}. {1}', names, told.reason)}</p>;
    case 'offered':
      return (
        <p class="figures-told">
          {t('Not shown to the model: {0}.', names)}{' '}
          <button
            type="button"
            class="link"
            title={t(
              'Pictures of figures that you ask about go to {0} from now on, which may cost something there. A setting turns it off.',
              told.to,
            )}
            onClick={() => host.start('sendFigures', { turnId })}
          >
            {t('Send pictures to {0} and ask again', told.to)}
          </button>
        </p>
      );
  }
}
