import type { JSX } from 'preact';
import { t } from '@vscode/l10n';
import type { Mentions } from './use-mentions.ts';
import { iconOf } from './words.ts';

export const MENTION_LIST_ID = 'mentions';

export function mentionId(index: number): string {
  return `mention-${String(index)}`;
}

/** The sources to mention, above the input; the keyboard reaches them from there. */
export function MentionList({ mentions }: { readonly mentions: Mentions }): JSX.Element | null {
  const { options, active, choose } = mentions;
  if (options.length === 0) return null;
  return (
    <ul class="mentions" id={MENTION_LIST_ID} role="listbox" aria-label={t('Sources to mention')}>
      {options.map((option, index) => (
        <li
          key={index}
          id={mentionId(index)}
          role="option"
          aria-selected={index === active}
          title={option.title}
          onMouseDown={(event) => {
            // The input keeps the focus.
            event.preventDefault();
            choose(option);
          }}
        >
          <span
            class={`codicon codicon-${iconOf({ sourceKind: option.kind, mediaType: '' })}`}
            aria-hidden="true"
          />
          <span class="title" dir="auto">
            {option.title}
          </span>
        </li>
      ))}
    </ul>
  );
}
