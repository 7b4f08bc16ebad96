import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { drawnFigure, type ShownFigure } from './drawn-figures.ts';
import { CitingHostContext } from './host.ts';

interface FigureViewProps {
  readonly turnId: string;
  readonly citation: Citation;
  /** Index among the answer's citations. */
  readonly index: number;
}

type FigureState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'drawn'; readonly figure: ShownFigure }
  | { readonly kind: 'failed'; readonly problem: string };

/** Shows the picture of a cited figure, drawn when it comes into view. A click opens it in its source. */
export function FigureView({ turnId, citation, index }: FigureViewProps): JSX.Element | null {
  const host = useContext(CitingHostContext);
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<FigureState>({ kind: 'waiting' });
  const { figure } = citation;
  useEffect(() => {
    if (place.current === null) return;
    let isCurrent = true;
    const show = (next: FigureState): void => {
      if (isCurrent) setState(next);
    };
    setState({ kind: 'waiting' });
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      drawnFigure(host.client, turnId, index, citation).then(
        (drawn) => show({ kind: 'drawn', figure: drawn }),
        (error: unknown) => show({ kind: 'failed', problem: errorMessage(error) }),
      );
    });
    observer.observe(place.current);
    return () => {
      isCurrent = false;
      observer.disconnect();
    };
  }, [host, turnId, index, citation]);
  if (figure === undefined) return null;
  const name = figure.name === '' ? t('Figure') : figure.name;
  const open = ({ ctrlKey, metaKey }: MouseEvent): void =>
    host.start('openFigure', { turnId, citation: index, beside: ctrlKey || metaKey });
  return (
    <div class="figure" ref={place}>
      {state.kind === 'waiting' && <p role="status">{t('Loading {0}…', name)}</p>}
      {state.kind === 'failed' && <p class="note">{state.problem}</p>}
      {state.kind === 'drawn' && (
        <button type="button" title={t('Open {0} in its source', name)} onClick={open}>
          <img
            src={state.figure.url}
            width={state.figure.width}
            height={state.figure.height}
            alt={figure.words === '' ? name : figure.words}
          />
        </button>
      )}
    </div>
  );
}
