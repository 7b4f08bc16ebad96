import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { PanelCommand } from '../../src/messages/panel.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';
import { GivenOffer } from './given-offer.tsx';
import type { ChatState } from './state.ts';
import { MentionList, mentionId, MENTION_LIST_ID } from './mention-list.tsx';
import { useGiven } from './use-given.ts';
import { useMentions } from './use-mentions.ts';
import { askedScope, placeholder } from './words.ts';

export interface QuestionBoxProps {
  readonly state: ChatState;
  readonly focusRequests: number;
  /** What was typed and not asked yet when the panel was last shown, or since then in another page of the chat. */
  readonly draft: string;
  /** Grows with each draft of another page. */
  readonly draftsReplaced: number;
  readonly onDraft: (draft: string) => void;
  readonly onAsked: () => void;
}

/** Where questions are written: Enter asks, Shift+Enter breaks the line, Up recalls, Escape stops. */
export function QuestionBox({
  state,
  focusRequests,
  draft,
  draftsReplaced,
  onDraft,
  onAsked,
}: QuestionBoxProps): JSX.Element {
  const host = useContext(HostContext);
  const [question, setQuestion] = useState(draft);
  const field = useRef<HTMLTextAreaElement>(null);
  const isAnswering = state.turns.some((turn) => turn.state.kind === 'answering');

  useEffect(() => {
    if (focusRequests > 0) field.current?.focus();
  }, [focusRequests]);

  useEffect(() => {
    if (draftsReplaced > 0) setQuestion(draft);
  }, [draftsReplaced]);

  const write = (text: string): void => {
    setQuestion(text);
    onDraft(text);
  };
  const mentions = useMentions(field, question, write);
  const given = useGiven(field, question, write);
  const ask = (): void => {
    const asked = question.trim();
    if (asked === '' || isAnswering) return;
    write('');
    onAsked();
    host.start('ask', { question: asked }, () => {
      if (field.current?.value === '') write(asked);
    });
  };
  const stop = (): void => {
    host.start('stop', {});
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes, its keys are its own.
    if (event.isComposing) return;
    if (!event.shiftKey && mentions.take(event.key)) {
      event.preventDefault();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      ask();
    } else if (event.key === 'ArrowUp' && question === '') {
      const last = state.turns.at(-1)?.question;
      if (last === undefined) return;
      event.preventDefault();
      write(last);
    }
  };

  useEffect(() => {
    if (!isAnswering) return;
    const onEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) stop();
    };
    window.addEventListener('keydown', onEscape);
    return () => {
      window.removeEventListener('keydown', onEscape);
    };
  }, [isAnswering]);

  return (
    <form
      class="question-box"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <MentionList mentions={mentions} />
      <GivenOffer given={given} />
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={t('Question')}
        placeholder={placeholder(state.sources, state.scope)}
        value={question}
        onInput={(event) => {
          write(event.currentTarget.value);
          mentions.moved();
        }}
        aria-autocomplete="list"
        aria-controls={mentions.options.length > 0 ? MENTION_LIST_ID : undefined}
        aria-activedescendant={mentions.options.length > 0 ? mentionId(mentions.active) : undefined}
        onPaste={given.pasted}
        onKeyDown={onKeyDown}
        onKeyUp={mentions.moved}
        onClick={mentions.moved}
        onBlur={mentions.close}
      />
      <div class="below">
        <div class="choices">
          <QuietButton
            label={state.model ?? t('Quotes only')}
            title={t('What writes the answers. Select to change it.')}
            command="pickModel"
          />
          <QuietButton
            label={askedScope(state.scope)}
            title={t('What is asked. Select to change it, or mention sources with @.')}
            command="pickScope"
          />
        </div>
        {isAnswering ? (
          <IconButton icon="debug-stop" label={t('Stop (Escape)')} onPress={stop} />
        ) : (
          <IconButton icon="send" label={t('Ask (Enter)')} disabled={question.trim() === ''} onPress={ask} />
        )}
      </div>
    </form>
  );
}

function QuietButton(choice: {
  readonly label: string;
  readonly title: string;
  readonly command: PanelCommand;
}): JSX.Element {
  const host = useContext(HostContext);
  return (
    <button
      type="button"
      class={`choice ${choice.command === 'pickModel' ? 'model' : 'scope'}`}
      title={choice.title}
      onClick={() => {
        host.start('run', { command: choice.command });
      }}
    >
      {choice.label}
    </button>
  );
}
