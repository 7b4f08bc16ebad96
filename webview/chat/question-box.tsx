import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';
import type { ChatState } from './state.ts';
import { placeholder } from './words.ts';

export interface QuestionBoxProps {
  readonly state: ChatState;
  readonly focusRequests: number;
  /** What was typed and not asked yet when the panel was last shown. */
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  readonly onAsked: () => void;
}

/** Where questions are written: Enter asks, Shift+Enter breaks the line, Up recalls, Escape stops. */
export function QuestionBox({
  state,
  focusRequests,
  draft,
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

  const write = (text: string): void => {
    setQuestion(text);
    onDraft(text);
  };
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
    if (event.key === 'Enter' && !event.shiftKey) {
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
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label="Question"
        placeholder={placeholder(state.sources)}
        value={question}
        onInput={(event) => {
          write(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="below">
        <button
          type="button"
          class="model"
          title="What writes the answers. Select to change it."
          onClick={() => {
            host.start('run', { command: 'pickModel' });
          }}
        >
          {state.model ?? 'Quotes only'}
        </button>
        {isAnswering ? (
          <IconButton icon="debug-stop" label="Stop (Escape)" onPress={stop} />
        ) : (
          <IconButton icon="send" label="Ask (Enter)" disabled={question.trim() === ''} onPress={ask} />
        )}
      </div>
    </form>
  );
}
