import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { PanelCommand } from '../../src/features/chat/protocol.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { HostContext } from './host.ts';
import type { ChatState } from './state.ts';
import { useDropAndPaste, type DropHandlers, type Offer } from './use-drop-and-paste.ts';
import { useMentions, type Mentions } from './use-mentions.ts';
import { requestedScope } from '../shared/words.ts';
import { sourceIcon } from '../cited/words.ts';
import { placeholder } from './words.ts';

interface QuestionBoxProps {
  readonly state: ChatState;
  readonly focusRequests: number;
  /** Unsent text from when the panel was last shown, or from another chat page since then. */
  readonly draft: string;
  /** Increases with each draft of another page. */
  readonly draftsReplaced: number;
  readonly onDraft: (draft: string) => void;
  readonly onSubmit: () => void;
}

/** Shows the question input: Enter asks, Shift+Enter breaks the line, Up recalls, Escape stops. */
export function QuestionBox({
  state,
  focusRequests,
  draft,
  draftsReplaced,
  onDraft,
  onSubmit,
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
  const handlers = useDropAndPaste(field, question, write);
  const ask = (): void => {
    const trimmed = question.trim();
    if (trimmed === '' || isAnswering) return;
    write('');
    onSubmit();
    host.start('ask', { question: trimmed }, () => {
      if (field.current?.value === '') write(trimmed);
    });
  };
  const stop = (): void => host.start('stop', {});

  const onKeyDown = (event: KeyboardEvent): void => {
    // Leave the keys to an input method that is composing.
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
    return () => window.removeEventListener('keydown', onEscape);
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
      <DropOffer handlers={handlers} />
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
        onPaste={handlers.pasted}
        onKeyDown={onKeyDown}
        onKeyUp={mentions.moved}
        onClick={mentions.moved}
        onBlur={mentions.close}
      />
      <div class="below">
        <div class="choices">
          <QuietButton
            label={state.model ?? t('Excerpts only')}
            title={t('Model that writes the answers. Select to change it.')}
            command="pickModel"
          />
          <QuietButton
            label={requestedScope(state.scope)}
            title={t('Search scope. Select to change it, or type @ to mention a source.')}
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
      onClick={() => host.start('run', { command: choice.command })}
    >
      {choice.label}
    </button>
  );
}

/** Shows above the input that dragged content can be dropped, and pasted content can be added. */
function DropOffer({ handlers }: { readonly handlers: DropHandlers }): JSX.Element {
  const { isOver, offer, accept, dismiss } = handlers;
  return (
    <>
      {isOver && (
        <p class="drop-target">
          <span class="codicon codicon-add" aria-hidden="true" />
          {t('Drop to add and mention sources')}
        </p>
      )}
      <div role="status">
        {offer !== undefined && (
          <p class="offer">
            <span class="words" title={offer.pages.join('\n')}>
              {describeOffer(offer)}
            </span>
            <button type="button" class="link" onClick={() => accept(offer)}>
              {t('Add')}
            </button>
            <IconButton icon="close" label={t('Don’t add')} onPress={dismiss} />
          </p>
        )}
      </div>
    </>
  );
}

function describeOffer({ pages }: Offer): string {
  const [page] = pages;
  if (page === undefined) return t('Add the pasted text as a source');
  return pages.length === 1
    ? t('Add as a source: {0}', page.replace(/^https?:\/\//, ''))
    : t('Add {0} pages as sources', pages.length.toLocaleString());
}

const MENTION_LIST_ID = 'mentions';

function mentionId(index: number): string {
  return `mention-${String(index)}`;
}

/** Shows the sources to mention above the input, where the keyboard reaches them. */
function MentionList({ mentions }: { readonly mentions: Mentions }): JSX.Element | null {
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
            // Keep the focus in the input.
            event.preventDefault();
            choose(option);
          }}
        >
          <span
            class={`codicon codicon-${sourceIcon({ sourceKind: option.kind, mediaType: '' })}`}
            aria-hidden="true"
          />
          <span class="ellipsis" dir="auto">
            {option.title}
          </span>
        </li>
      ))}
    </ul>
  );
}
