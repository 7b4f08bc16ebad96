import type { JSX } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Turn } from '../../src/core/domain/answer.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';

/** Switches between the answers of a turn whose question was asked again. */
export function AnswerVersions({ turn }: { readonly turn: Turn }): JSX.Element | null {
  const host = useContext(HostContext);
  const group = useRef<HTMLDivElement>(null);
  const wasUsed = useRef(false);
  const { position, count } = turn.version ?? { position: 1, count: 1 };

  useLayoutEffect(() => {
    // At the first and the last version, the button that has the focus is disabled and loses it.
    if (wasUsed.current && (position === 1 || position === count)) group.current?.focus();
    wasUsed.current = false;
  }, [position]);

  if (count < 2 || turn.state.kind === 'answering') return null;
  const show = (next: number): void => {
    if (next < 1 || next > count) return;
    wasUsed.current = group.current?.contains(document.activeElement) === true;
    host.start('showVersion', { turnId: turn.id, position: next });
  };
  const [number, of] = [position.toLocaleString(), count.toLocaleString()];
  return (
    <div
      class="versions"
      role="group"
      aria-label={t('Answer versions')}
      ref={group}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        show(event.key === 'ArrowLeft' ? position - 1 : position + 1);
      }}
    >
      <IconButton
        icon="chevron-left"
        label={t('Previous answer')}
        disabled={position === 1}
        onPress={() => show(position - 1)}
      />
      <span aria-hidden="true">{t('{0} of {1}', number, of)}</span>
      <span class="visually-hidden" role="status">
        {t('Answer {0} of {1}', number, of)}
      </span>
      <IconButton
        icon="chevron-right"
        label={t('Next answer')}
        disabled={position === count}
        onPress={() => show(position + 1)}
      />
    </div>
  );
}
