import type { JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { statementsToCheck, type Turn } from '../../src/core/domain/answer.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';

interface AnswerActionsProps {
  readonly turn: Turn;
  /** The model that is picked. */
  readonly model: string | undefined;
  /** `true` while the answer is being checked. */
  readonly isChecked: boolean;
}

/** Shows the actions of an answer. A narrow panel moves the last ones to "More actions". */
export function AnswerActions({ turn, model, isChecked }: AnswerActionsProps): JSX.Element {
  const host = useContext(HostContext);
  const [showsMore, setShowsMore] = useState(false);
  const { id: turnId, answer } = turn;
  const canCheck = model !== undefined && !isChecked && statementsToCheck(answer).length > 0;
  const wasChecked =
    answer?.kind === 'written' && answer.statements.some(({ checkedBy }) => checkedBy !== undefined);
  return (
    <div class={showsMore ? 'actions open' : 'actions'} role="toolbar" aria-label={t('Answer')}>
      {answer !== undefined && (
        <IconButton
          icon="copy"
          label={t('Copy as Markdown')}
          onPress={() => host.start('copyAnswer', { turnId })}
        />
      )}
      {answer !== undefined && (
        <IconButton
          icon="note"
          label={t('Save as note…')}
          onPress={() => host.start('saveAsNote', { turnId })}
        />
      )}
      {canCheck && (
        <IconButton
          icon="checklist"
          label={wasChecked ? t('Fact-check again') : t('Fact-check with model')}
          onPress={() => host.start('checkWithModel', { turnId })}
        />
      )}
      <IconButton
        icon="telescope"
        label={t('Start research project…')}
        onPress={() => host.start('research', { turnId })}
      />
      <IconButton icon="refresh" label={t('Ask again')} onPress={() => host.start('retry', { turnId })} />
      <span class="more">
        <IconButton
          icon={showsMore ? 'chevron-left' : 'ellipsis'}
          label={showsMore ? t('Fewer actions') : t('More actions')}
          onPress={() => setShowsMore(!showsMore)}
        />
      </span>
      <LastActions turn={turn} />
    </div>
  );
}

const ratings = [
  { rating: 'good', icon: 'thumbsup', label: () => t('Good answer') },
  { rating: 'bad', icon: 'thumbsdown', label: () => t('Bad answer') },
] as const;

/** Shows the actions that don't fit in a narrow panel. */
function LastActions({ turn }: { readonly turn: Turn }): JSX.Element {
  const host = useContext(HostContext);
  const { id: turnId, answer } = turn;
  return (
    <span class="last">
      {answer !== undefined && answer.citations.length > 0 && (
        <IconButton
          icon="add"
          label={t('Add answer to notebook')}
          onPress={() => host.start('addAnswer', { turnId })}
        />
      )}
      {answer?.read !== undefined && (
        <IconButton
          icon="list-selection"
          label={t('Show retrieved passages')}
          onPress={() => host.start('showRead', { turnId })}
        />
      )}
      {ratings.map(({ rating, icon, label }) => (
        <IconButton
          key={rating}
          icon={turn.rating === rating ? `${icon}-filled` : icon}
          label={turn.rating === rating ? t('{0} (selected)', label()) : label()}
          onPress={() => {
            const next = turn.rating === rating ? undefined : rating;
            host.start('rate', { turnId, rating: next });
          }}
        />
      ))}
      <IconButton
        icon="trash"
        label={t('Delete question and answer')}
        onPress={() => host.start('removeTurn', { turnId })}
      />
    </span>
  );
}
