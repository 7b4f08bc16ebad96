import type { JSX, RefObject } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { searchesFor, type Turn } from '../../src/core/domain/answer.ts';
import { selectedPart, splitQuestion } from '../../src/core/domain/question-parts.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { ContextBlock } from './context-block.tsx';
import { HostContext } from './host.ts';

/** Length of a question above which it scrolls, in UTF-16 code units. */
const LONG = 300;

/** Shows the question of a turn, which can be edited: Enter asks it in the same place, Escape cancels. */
export function Question({ turn }: { readonly turn: Turn }): JSX.Element {
  const [editing, setEditing] = useState(false);
  const [returnFocus, setReturnFocus] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (returnFocus > 0) heading.current?.focus();
  }, [returnFocus]);
  if (editing)
    return (
      <QuestionEditor
        turn={turn}
        onEnd={() => {
          setEditing(false);
          setReturnFocus((count) => count + 1);
        }}
      />
    );
  return (
    <>
      <div class="question-line">
        {turn.askedBy === undefined ? (
          <div class="edit">
            <IconButton icon="edit" label={t('Edit question')} onPress={() => setEditing(true)} />
          </div>
        ) : (
          <div class="author">{turn.askedBy}</div>
        )}
        <QuestionText turn={turn} heading={heading} />
      </div>
      {turn.answer !== undefined && <SearchedFor searches={searchesFor(turn.answer)} />}
    </>
  );
}

interface QuestionTextProps {
  readonly turn: Turn;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

/** Shows a question as entered, with its code and quotations formatted. */
function QuestionText({ turn, heading }: QuestionTextProps): JSX.Element {
  const { id, question, selection } = turn;
  const title = new Date(turn.askedAt).toLocaleString();
  const parts = useMemo(() => splitQuestion(question), [question]);
  const first = parts.findIndex(({ kind }) => kind === 'words');
  const isPlain = parts.length < 2 && first === 0;
  const words = (
    <h2
      ref={heading}
      class={isPlain ? 'question' : undefined}
      dir="auto"
      // Make a long question scrollable with the keyboard.
      tabIndex={isPlain && question.length > LONG ? 0 : -1}
      title={title}
    >
      {isPlain ? question : (parts[first]?.text ?? '')}
    </h2>
  );
  if (isPlain) return words;
  return (
    <div class="question">
      {first < 0 && words}
      {parts.map((part, index) =>
        index === first ? (
          words
        ) : part.kind === 'words' ? (
          <p key={part.start} dir="auto">
            {part.text}
          </p>
        ) : (
          <ContextBlock
            key={part.start}
            turnId={id}
            part={part}
            selection={index === parts.length - 1 ? selection : undefined}
          />
        ),
      )}
    </div>
  );
}

/** Shows the searches in addition to the question, in one quiet line that folds. */
function SearchedFor({ searches }: { readonly searches: readonly string[] }): JSX.Element | null {
  if (searches.length === 0) return null;
  return (
    <details class="searched">
      <summary>{t('Searches')}</summary>
      <ul>
        {searches.map((words) => (
          <li key={words} dir="auto">
            {words}
          </li>
        ))}
      </ul>
    </details>
  );
}

function QuestionEditor({ turn, onEnd }: { readonly turn: Turn; readonly onEnd: () => void }): JSX.Element {
  const host = useContext(HostContext);
  const field = useRef<HTMLTextAreaElement>(null);
  // Don't format the selected text.
  const selected = turn.selection && selectedPart(turn.question);
  const [question, setQuestion] = useState(turn.question.slice(0, selected?.start).trimEnd());
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  const ask = (): void => {
    const words = question.trim();
    if (words === '') return;
    const newQuestion = selected === undefined ? words : `${words}\n\n${turn.question.slice(selected.start)}`;
    host.start('edit', { turnId: turn.id, question: newQuestion });
    onEnd();
  };
  return (
    <form
      class="edited question"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <textarea
        ref={field}
        aria-label={t('Edited question')}
        dir="auto"
        value={question}
        onInput={(event) => setQuestion(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            ask();
          } else if (event.key === 'Escape') {
            event.preventDefault();
            onEnd();
          }
        }}
      />
      {selected !== undefined && <ContextBlock turnId={turn.id} part={selected} selection={turn.selection} />}
      <div class="actions">
        <IconButton icon="close" label={t('Cancel editing (Escape)')} onPress={onEnd} />
        <IconButton
          icon="send"
          label={t('Ask edited question (Enter)')}
          disabled={question.trim() === ''}
          onPress={ask}
        />
      </div>
    </form>
  );
}
