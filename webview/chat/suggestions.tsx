import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { HostContext } from './host.ts';

interface SuggestionsProps {
  /** The turn to go on from; without one, what to begin with. */
  readonly turnId?: string;
  /** They are made anew where this changes. */
  readonly of: number;
}

/** Questions that the notebook's own headings suggest; a click asks one. */
export function Suggestions({ turnId, of }: SuggestionsProps): JSX.Element | null {
  const host = useContext(HostContext);
  const [questions, setQuestions] = useState<readonly string[]>([]);
  useEffect(() => {
    // Nothing is missed where there are none.
    host.client.call('suggestions', { turnId }).then(setQuestions, () => undefined);
  }, [host, turnId, of]);
  if (questions.length === 0) return null;
  return (
    <ul
      class="suggestions"
      aria-label={turnId === undefined ? t('Questions to begin with') : t('Follow-up questions')}
    >
      {questions.map((question) => (
        <li key={question}>
          <button type="button" class="link" dir="auto" onClick={() => host.start('ask', { question })}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}
