import { createContext, type JSX } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Citation, Verdict } from '../../src/notebook/answer.ts';
import { CitationCardView } from './citation-card.tsx';
import { CitingHostContext } from './host.ts';
import { chips, type Chip } from './words.ts';

/** The answer that chips belong to. */
export const AnswerContext = createContext<{
  readonly turnId: string;
  readonly citations: readonly Citation[];
}>({
  turnId: '',
  citations: [],
});

interface StatementEndProps {
  readonly statement: number;
  readonly verdict: Verdict;
  /** Whether the answer cited other passages than these. */
  readonly moved: boolean;
  /** A model's verdict in words, where one was asked. */
  readonly told?: string | undefined;
  /** The words that were not found; empty where that can't be told. */
  readonly missing: string;
  /** Indexes into the answer's citations, with commas between. */
  readonly citations: string;
}

/** What stands behind a statement: its chips, or for a screen reader that nothing bears it out. */
export function StatementEnd({
  statement,
  verdict,
  moved,
  told,
  missing,
  citations,
}: StatementEndProps): JSX.Element {
  const indexes = citations === '' ? [] : citations.split(',').map(Number);
  if (verdict === 'not-found')
    return <span class="visually-hidden">{` (${told ?? t('not found in the sources')})`}</span>;
  return (
    <>
      <Chips citations={indexes} verdict={verdict} moved={moved} statement={statement} />
      {missing !== '' && (
        <span class="visually-hidden">{` (${t('not found in the sources: {0}', missing)})`}</span>
      )}
      {told !== undefined && <span class="visually-hidden">{` (${told})`}</span>}
    </>
  );
}

interface ChipsProps {
  readonly citations: readonly number[];
  readonly verdict: Verdict;
  readonly moved?: boolean;
  /** The statement's index, where the chips belong to one. */
  readonly statement?: number;
}

/** The citations of a sentence as numbers that lead to their words. */
export function Chips({ citations: indexes, verdict, moved = false, statement }: ChipsProps): JSX.Element {
  const { citations } = useContext(AnswerContext);
  return (
    <>
      {chips(indexes, citations).map((chip) => (
        <ChipView key={chip.label} chip={chip} verdict={verdict} moved={moved} statement={statement} />
      ))}
    </>
  );
}

/** Milliseconds that a pointer rests before the card opens, and may be away before it closes. */
const OPENS_AFTER = 300;
const CLOSES_AFTER = 200;

interface ChipViewProps {
  readonly chip: Chip;
  readonly verdict: Verdict;
  readonly moved: boolean;
  readonly statement: number | undefined;
}

function ChipView({ chip, verdict, moved, statement }: ChipViewProps): JSX.Element {
  const host = useContext(CitingHostContext);
  const { turnId, citations } = useContext(AnswerContext);
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cardId = useId();
  const first = chip.citations[0] ?? 0;

  const later = (open: boolean, milliseconds: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setIsOpen(open);
    }, milliseconds);
  };
  const now = (open: boolean): void => {
    clearTimeout(timer.current);
    setIsOpen(open);
  };

  const close = (): void => {
    // The focus goes back to the chip, which must not open the card again.
    if (place.current?.contains(document.activeElement) === true)
      button.current?.focus({ preventScroll: true });
    now(false);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      event.preventDefault();
      close();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen]);

  return (
    <span
      class="cite"
      data-statement={statement}
      ref={place}
      onPointerEnter={() => later(true, OPENS_AFTER)}
      onPointerLeave={() => {
        if (place.current?.contains(document.activeElement) !== true) later(false, CLOSES_AFTER);
        else clearTimeout(timer.current);
      }}
      onFocusIn={(event) => {
        if (event.target !== button.current || button.current?.matches(':focus-visible') === true) now(true);
      }}
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && place.current?.contains(event.relatedTarget) === true))
          now(false);
      }}
    >
      <button
        type="button"
        class={moved ? 'chip moved' : 'chip'}
        title={moved ? t('Moved: the answer cited another passage') : undefined}
        ref={button}
        aria-label={describeChip(chip, citations, verdict, moved)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? cardId : undefined}
        onClick={(event) => {
          now(false);
          host.start('openCitation', { turnId, citation: first, beside: event.ctrlKey || event.metaKey });
        }}
      >
        {chip.label}
      </button>
      {isOpen && (
        <CitationCardView
          id={cardId}
          turnId={turnId}
          indexes={chip.citations}
          citations={citations}
          anchor={place}
          onClose={close}
        />
      )}
    </span>
  );
}

function describeChip(chip: Chip, citations: readonly Citation[], verdict: Verdict, moved: boolean): string {
  const where = chip.citations.flatMap((index) => {
    const citation = citations[index];
    return citation === undefined
      ? []
      : [[citation.title, citation.place].filter((part) => part !== '').join(', ')];
  });
  return [
    t('Citation {0}: {1}', chip.label, where.join('; ')),
    ...(verdict === 'contradicted' ? [t('says the opposite')] : []),
    ...(verdict === 'partly' ? [t('partly supported')] : []),
    ...(moved ? [t('moved here from another passage')] : []),
  ].join(', ');
}
