import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { CorrectionApi, ProposedCorrection } from '../../src/features/chat/protocol.ts';
import type { Client } from '../../src/core/rpc/rpc.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
import { Button, ProgressRing } from '../shared/toolkit.tsx';
import { verdictName } from './words.ts';

interface CorrectionViewProps {
  readonly client: Client<CorrectionApi>;
  /** Turn, or other text, that the statement belongs to. */
  readonly turnId: string;
  /** Statement to correct, if any. */
  readonly statement: number | undefined;
  /** `true` if the last correction of the text can be undone. */
  readonly isCorrected: boolean;
  readonly onClose: () => void;
}

/**
 * Shows a model's correction of a statement below its text, as a diff that can be applied. Otherwise, offers to undo the
 * last correction of the text.
 */
export function CorrectionView(props: CorrectionViewProps): JSX.Element | null {
  const { client, turnId, statement, isCorrected, onClose } = props;
  const view = useRef<HTMLElement>(null);
  const isApplied = useRef(false);
  useEffect(() => {
    if (statement !== undefined || (isCorrected && isApplied.current)) view.current?.focus();
    isApplied.current &&= statement === undefined && !isCorrected;
  }, [statement, isCorrected]);
  if (statement === undefined && !isCorrected) return null;
  const onApplied = (): void => {
    isApplied.current = true;
    onClose();
  };
  return (
    <section
      class={statement === undefined ? 'correction applied' : 'correction'}
      ref={view}
      tabIndex={-1}
      aria-label={t('Correction')}
      aria-live="polite"
    >
      {statement === undefined ? (
        <UndoLine client={client} turnId={turnId} />
      ) : (
        <Proposal key={statement} {...{ client, turnId, statement, onClose, onApplied }} />
      )}
    </section>
  );
}

/** Reports that a statement was corrected, with a button that undoes the correction. */
function UndoLine({ client, turnId }: Pick<CorrectionViewProps, 'client' | 'turnId'>): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const undo = (): void => {
    client.call('undoCorrection', { turnId }).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <p class="progress">
      <span>{problem ?? t('The statement was corrected.')}</span>
      {problem === undefined && (
        <button type="button" class="link" onClick={undo}>
          {t('Undo')}
        </button>
      )}
    </p>
  );
}

type ProposalState =
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'proposed'; readonly proposed: ProposedCorrection }
  | { readonly kind: 'writing' };

interface ProposalProps extends Omit<CorrectionViewProps, 'isCorrected' | 'statement'> {
  readonly statement: number;
  readonly onApplied: () => void;
}

/** Requests the correction of a statement, and shows it. */
function Proposal({ client, turnId, statement, onClose, onApplied }: ProposalProps): JSX.Element {
  const [state, setState] = useState<ProposalState>({ kind: 'writing' });
  const fail = (error: unknown): void => setState({ kind: 'failed', message: errorMessage(error) });

  useEffect(() => {
    const controller = new AbortController();
    client.call('correctStatement', { turnId, statement }, { signal: controller.signal }).then(
      (proposed) => {
        if (!controller.signal.aborted) setState({ kind: 'proposed', proposed });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) fail(error);
      },
    );
    return () => controller.abort();
  }, []);

  const apply = (): void => {
    client.call('applyCorrection', { turnId }).then(onApplied, fail);
  };
  return (
    <>
      {state.kind === 'writing' && (
        <p class="progress">
          <ProgressRing />
          <span>{t('Writing a correction…')}</span>
          <button type="button" class="link" onClick={onClose}>
            {t('Stop')}
          </button>
        </p>
      )}
      {state.kind === 'proposed' && (
        <>
          <Proposed proposed={state.proposed} />
          <div class="ways">
            <Button label={t('Apply')} onPress={apply} />
            <Button label={t('Discard')} look="secondary" onPress={onClose} />
          </div>
        </>
      )}
      {state.kind === 'failed' && (
        <p class="progress">
          <span>{state.message}</span>
          <button type="button" class="link" onClick={onClose}>
            {t('Discard')}
          </button>
        </p>
      )}
    </>
  );
}

function Proposed({
  proposed: { before, after, verdict, deciding },
}: {
  readonly proposed: ProposedCorrection;
}): JSX.Element {
  const { same, removed, added, rest } = compareWords(before, after);
  return (
    <>
      <p dir="auto">
        {same}
        {removed !== '' && <del>{removed}</del>}
        {added !== '' && <ins>{added}</ins>}
        {rest}
      </p>
      <p class="note">
        {after === ''
          ? t('Remove the statement. The sources don’t support any of it.')
          : [verdictName(verdict ?? 'unchecked'), ...(deciding === undefined ? [] : [`“${deciding}”`])].join(
              ' · ',
            )}
      </p>
    </>
  );
}

/** Splits two texts into their common start and end, and the differing middles. */
function compareWords(
  before: string,
  after: string,
): { readonly same: string; readonly removed: string; readonly added: string; readonly rest: string } {
  const [a, b] = [before, after].map((text) => text.split(/(?<=\s)/));
  if (a === undefined || b === undefined) return { same: '', removed: before, added: after, rest: '' };
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return {
    same: a.slice(0, start).join(''),
    removed: a.slice(start, a.length - end).join(''),
    added: b.slice(start, b.length - end).join(''),
    rest: a.slice(a.length - end).join(''),
  };
}
