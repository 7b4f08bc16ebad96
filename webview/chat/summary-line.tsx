import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Turn } from '../../src/notebook/answer.ts';
import { summary, usage } from './words.ts';

/** The quiet line under an answer; where a model was asked, a click adds what it took and gave. */
export function SummaryLine({ turn }: { readonly turn: Turn }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  if (turn.usage === undefined) return <span>{summary(turn)}</span>;
  const used = usage(turn.usage);
  const words = summary(turn);
  if (words === '') return <span>{used}</span>;
  return (
    <button
      type="button"
      class="summary-line"
      title={used}
      aria-expanded={isOpen}
      onClick={() => {
        setIsOpen(!isOpen);
      }}
    >
      {isOpen ? `${words} · ${used}` : words}
    </button>
  );
}
