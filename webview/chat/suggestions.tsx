import type { JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { HostContext } from './host.ts';

/** Event on `window` that suggestions may be about a removed source. */
export const SUGGESTIONS_CHANGED = 'suggestions-changed';

/** Maximum number of lines, so that suggestions don't push the answer away from the input. */
const MAX_LINES = 2;

interface SuggestionsProps {
  /** Turn to continue from; undefined for questions at the start of a conversation. */
  readonly turnId?: string;
  /** The component asks for suggestions again when this changes. */
  readonly of: number;
}

/** Questions that the extension suggests, on two lines at most; a click asks one. */
export function Suggestions({ turnId, of }: SuggestionsProps): JSX.Element | null {
  const host = useContext(HostContext);
  const [questions, setQuestions] = useState<readonly string[]>([]);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    let latest = 0;
    const load = (): void => {
      const own = ++latest;
      const show = (suggested: readonly string[]): void => {
        if (own === latest) setQuestions(suggested);
      };
      // Missing suggestions are no problem.
      host.client.call('suggestions', { turnId }).then(show, () => show([]));
    };
    const reload = (): void => {
      setQuestions([]);
      load();
    };
    load();
    window.addEventListener(SUGGESTIONS_CHANGED, reload);
    return () => {
      latest++;
      window.removeEventListener(SUGGESTIONS_CHANGED, reload);
    };
  }, [host, turnId, of]);
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      hideBelow(current);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [questions]);
  if (questions.length === 0) return null;
  return (
    <ul
      ref={list}
      class="suggestions"
      aria-label={turnId === undefined ? t('Suggested questions') : t('Follow-up questions')}
    >
      {questions.map((question) => (
        <li key={question}>
          <button
            type="button"
            class="link"
            dir="auto"
            title={question}
            onClick={() => host.start('ask', { question })}
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Hides the questions below the last visible line. */
function hideBelow(list: HTMLUListElement): void {
  const items = [...list.querySelectorAll('li')];
  for (const item of items) item.hidden = false;
  const tops = items.map(({ offsetTop }) => offsetTop);
  const lines = [...new Set(tops)];
  for (const [index, item] of items.entries()) item.hidden = lines.indexOf(tops[index] ?? 0) >= MAX_LINES;
}
