import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import type { PlanComment, Research } from '../../src/features/research/model/project.ts';
import { useContext, useState } from 'preact/hooks';
import { IconButton } from '../shared/toolkit.tsx';
import { ResearchHostContext } from './host.ts';
import { withStepNumbers } from './words.ts';

/** Shows the issues with a step, or with the whole plan. */
export function Objections({
  research,
  stepId,
}: {
  readonly research: Research;
  readonly stepId: string | undefined;
}): JSX.Element | null {
  const objections = research.objections.filter((objection) => objection.stepId === stepId);
  if (objections.length === 0) return null;
  return (
    <ul class="objections" aria-label={t('Issues')}>
      {objections.map(({ text, rule }, index) => {
        const issue = withStepNumbers(text, research);
        return (
          <li key={index}>
            <span class="codicon codicon-warning" aria-hidden="true" />
            <span dir="auto">{rule === 'model' ? t('Issue raised by the model: {0}', issue) : issue}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Shows the comments for the next planning, and a field for another one. */
export function Comments({
  comments,
  stepId,
  placeholder,
}: {
  readonly comments: readonly PlanComment[];
  readonly stepId: string | undefined;
  readonly placeholder: string;
}): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [text, setText] = useState('');
  return (
    <div class="comments">
      {comments.length > 0 && (
        <ul aria-label={t('Comments')}>
          {comments.map((comment) => (
            <li key={comment.id} class={comment.isHeard ? 'considered' : undefined}>
              <span class="codicon codicon-comment" aria-hidden="true" />
              <span dir="auto">{comment.text}</span>
              {comment.isHeard && <span class="quiet">{t('considered in this plan')}</span>}
              <IconButton
                icon="close"
                label={t('Delete comment')}
                onPress={() => host.start('removeComment', { commentId: comment.id })}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const remark = text.trim();
          if (remark === '') return;
          setText('');
          host.start('comment', { stepId, text: remark }, () => setText(remark));
        }}
      >
        <input
          type="text"
          dir="auto"
          aria-label={placeholder}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
    </div>
  );
}
