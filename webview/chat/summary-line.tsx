import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Turn } from '../../src/notebook/answer.ts';
import { summary, usage } from './words.ts';

/** The quiet line under an answer; where a model was asked, a click adds what it took and gave. */
export function SummaryLine({ turn }: { readonly turn: Turn }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  if (turn.usage === undefined) return <Parts of={summary(turn)} />;
  const used = usage(turn.usage);
  const words = summary(turn);
  if (words === '') return <Parts of={used} />;
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
      <Parts of={isOpen ? `${words} · ${used}` : words} />
    </button>
  );
}

/** The parts of a line, each whole where there is room for it, and its dot behind it. */
function Parts({ of }: { readonly of: string }): JSX.Element {
  const parts = of.split(' · ');
  return (
    <span>
      {parts.map((part, index) => (
        <>
          {index > 0 && ' '}
          <span class="part">{index < parts.length - 1 ? `${part} ·` : part}</span>
        </>
      ))}
    </span>
  );
}
