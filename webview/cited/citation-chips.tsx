import { createContext, type JSX } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Citation, Verdict } from '../../src/core/domain/answer.ts';
import type { CitationChange } from '../../src/features/chat/protocol.ts';
import { CitationCardView } from './citation-card.tsx';
import { CitingHostContext } from './host.ts';
import { changeInWords, chips, type Chip } from './words.ts';

/** The answer that chips belong to. */
export const AnswerContext = createContext<{
  readonly turnId: string;
  readonly citations: readonly Citation[];
  /** True if a model is checking the statements. */
  readonly isChecking: boolean;
  /** Corrects a statement with a model, by its index; undefined if it can't be corrected here. */
  readonly correct?: ((statement: number) => void) | undefined;
  /** The changes of citations since they were made, by their indexes. */
  readonly changes?: ReadonlyMap<number, CitationChange['kind']> | undefined;
}>({
  turnId: '',
  citations: [],
  isChecking: false,
});

interface StatementEndProps {
  readonly statement: number;
  readonly verdict: Verdict;
  /** True if the answer didn't cite the last of the citations. */
  readonly moved: boolean;
  /** The verdict in words. */
  readonly verdictText?: string | undefined;
  /** The words of the source that decide the verdict. */
  readonly deciding?: string | undefined;
  /** The words of a statement that no model has checked. */
  readonly words?: string | undefined;
  /** Words that aren't in the evidence; empty if none are known. */
  readonly missing: string;
  /** Indexes into the answer's citations, with commas between. */
  readonly citations: string;
}

/** Shows a statement's chips, its verdict for a screen reader, and a way to correct it. */
export function StatementEnd({
  statement,
  verdict,
  moved,
  verdictText,
  deciding,
  words,
  missing,
  citations,
}: StatementEndProps): JSX.Element {
  const { isChecking, correct } = useContext(AnswerContext);
  const indexes = citations === '' || verdict === 'not-found' ? [] : citations.split(',').map(Number);
  const isWrong = verdict === 'contradicted' || verdict === 'not-found' || verdict === 'partly';
  const state = verdict === 'unchecked' && isChecking ? t('Fact-checking…') : verdictText;
  return (
    <>
      <Chips
        citations={indexes}
        verdict={verdict}
        moved={moved}
        statement={statement}
        deciding={deciding}
        words={words}
      />
      {indexes.length === 0 && verdict === 'unchecked' && (
        <span class="chip unchecked" title={state} aria-hidden="true">
          {isChecking ? '…' : '?'}
        </span>
      )}
      {missing !== '' && (
        <span class="visually-hidden">{` (${t('not found in the sources: {0}', missing)})`}</span>
      )}
      {state !== undefined && <span class="visually-hidden">{` (${state})`}</span>}
      {isWrong && correct !== undefined && (
        <button
          type="button"
          class="correct codicon codicon-wand"
          title={t('Correct from sources')}
          aria-label={t('Correct from sources')}
          onClick={() => correct(statement)}
        />
      )}
    </>
  );
}

interface ChipsProps {
  readonly citations: readonly number[];
  readonly verdict: Verdict;
  readonly moved?: boolean;
  /** Index of the statement, if the chips belong to one. */
  readonly statement?: number;
  /** The words of the source that decide the verdict on it. */
  readonly deciding?: string | undefined;
  /** Words of a statement that no model has checked. */
  readonly words?: string | undefined;
  /** Number to show for all of the citations, instead of the numbers of their passages. */
  readonly number?: number | undefined;
}

/** Shows the citations of a sentence as numbers that open the cited text. */
export function Chips({
  citations: indexes,
  verdict,
  moved = false,
  statement,
  deciding,
  words,
  number,
}: ChipsProps): JSX.Element {
  const { citations } = useContext(AnswerContext);
  return (
    <>
      {(number === undefined
        ? chips(indexes, citations)
        : [{ label: number.toLocaleString(), citations: indexes }]
      ).map((chip) => (
        <ChipView
          key={chip.label}
          chip={chip}
          verdict={verdict}
          moved={moved && chip.citations.includes(indexes.at(-1) ?? -1)}
          statement={statement}
          deciding={deciding}
          words={words}
        />
      ))}
    </>
  );
}

/** Delays before a card opens under the pointer and before it closes, in milliseconds. */
const OPEN_DELAY_MS = 300;
const CLOSES_AFTER = 200;

interface ChipViewProps {
  readonly chip: Chip;
  readonly verdict: Verdict;
  readonly moved: boolean;
  readonly statement: number | undefined;
  readonly deciding: string | undefined;
  readonly words: string | undefined;
}

function ChipView({ chip, verdict, moved, statement, deciding, words }: ChipViewProps): JSX.Element {
  const host = useContext(CitingHostContext);
  const { turnId, citations, isChecking, changes } = useContext(AnswerContext);
  const unchecked = isChecking ? t('fact-checking…') : t('not fact-checked');
  const change = chip.citations.flatMap((index) => changeInWords(changes?.get(index)) ?? [])[0];
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
  const showNow = (open: boolean): void => {
    clearTimeout(timer.current);
    setIsOpen(open);
  };

  const close = (): void => {
    // The focus goes back to the chip, which must not open the card again.
    if (place.current?.contains(document.activeElement) === true)
      button.current?.focus({ preventScroll: true });
    showNow(false);
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
      onPointerEnter={() => later(true, OPEN_DELAY_MS)}
      onPointerLeave={() => {
        if (place.current?.contains(document.activeElement) !== true) later(false, CLOSES_AFTER);
        else clearTimeout(timer.current);
      }}
      onFocusIn={(event) => {
        if (event.target !== button.current || button.current?.matches(':focus-visible') === true)
          showNow(true);
      }}
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && place.current?.contains(event.relatedTarget) === true))
          showNow(false);
      }}
    >
      <button
        type="button"
        class={[
          'chip',
          ...(moved ? ['moved'] : []),
          ...(verdict === 'unchecked' ? ['unchecked'] : []),
          ...(change === undefined ? [] : ['changed']),
        ].join(' ')}
        title={
          change ??
          (moved
            ? verdict === 'contradicted'
              ? t('Contradicted by this passage. The answer cited a different one.')
              : t('Supported by this passage. The answer cited a different one.')
            : verdict === 'unchecked'
              ? unchecked
              : undefined)
        }
        ref={button}
        aria-label={[
          describeChip(chip, citations, { verdict, moved, unchecked }),
          ...(change === undefined ? [] : [change]),
        ].join(', ')}
        aria-expanded={isOpen}
        aria-controls={isOpen ? cardId : undefined}
        onClick={(event) => {
          showNow(false);
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
          deciding={deciding}
          words={words}
          onClose={close}
        />
      )}
    </span>
  );
}

function describeChip(
  chip: Chip,
  citations: readonly Citation[],
  {
    verdict,
    moved,
    unchecked,
  }: { readonly verdict: Verdict; readonly moved: boolean; readonly unchecked: string },
): string {
  const where = chip.citations.flatMap((index) => {
    const citation = citations[index];
    return citation === undefined
      ? []
      : [[citation.title, citation.place].filter((part) => part !== '').join(', ')];
  });
  return [
    t('Citation {0}: {1}', chip.label, where.join('; ')),
    ...(verdict === 'contradicted' && !moved ? [t('contradicted')] : []),
    ...(verdict === 'partly' ? [t('partly supported')] : []),
    ...(moved
      ? [
          verdict === 'contradicted'
            ? t('contradicted by this passage instead of the one that the answer cited')
            : t('supported by this passage instead of the one that the answer cited'),
        ]
      : []),
    ...(verdict === 'unchecked' ? [unchecked] : []),
  ].join(', ');
}
