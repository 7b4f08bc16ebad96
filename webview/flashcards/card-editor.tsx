import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasGap } from '../../src/core/language/cloze.ts';
import type { Card } from '../../src/features/flashcards/model.ts';
import { Button } from '../shared/toolkit.tsx';

interface EditorProps {
  readonly card: Card;
  readonly onSave: (front: string, back: string) => void;
  readonly onCancel: () => void;
}

/** Edits a card's two sides as Markdown. */
export function CardEditor({ card, onSave, onCancel }: EditorProps): JSX.Element {
  const [front, setFront] = useState(card.front);
  const [back, setBack] = useState(card.back);
  const [problem, setProblem] = useState('');
  const first = useRef<HTMLTextAreaElement>(null);
  const isCloze = card.kind === 'cloze';
  useEffect(() => first.current?.focus(), []);
  const save = (): void => {
    if (front.trim() === '') setProblem(t('Enter text for the front of the card.'));
    else if (isCloze && !hasGap(front))
      setProblem(t('Mark at least one gap in the text, for example {{c1::words}}.'));
    else onSave(front.trim(), back.trim());
  };
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
      }}
    >
      <label>
        {isCloze ? t('Front (mark gaps as {{c1::words}})') : t('Front')}
        <textarea
          ref={first}
          rows={5}
          dir="auto"
          value={front}
          onInput={(event) => setFront(event.currentTarget.value)}
        />
      </label>
      <label>
        {isCloze ? t('Extra text on the back') : t('Back')}
        <textarea rows={5} dir="auto" value={back} onInput={(event) => setBack(event.currentTarget.value)} />
      </label>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="tools">
        <Button label={t('Save')} onPress={save} />
        <Button label={t('Cancel')} look="secondary" onPress={onCancel} />
      </p>
    </form>
  );
}
