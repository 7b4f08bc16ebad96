import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { errorMessage } from '../../src/core/domain/errors.ts';
import { drawDiagram } from './draw-diagram.ts';
import { CitingHostContext } from './host.ts';

type DiagramState =
  | { readonly kind: 'source' }
  | { readonly kind: 'drawing' }
  | { readonly kind: 'drawn'; readonly url: string; readonly source: string }
  | { readonly kind: 'failed'; readonly problem: string };

const AS_SOURCE: DiagramState = { kind: 'source' };

/** Library that draws diagrams, loaded for the first one. */
let program: Promise<string> | undefined;

interface Diagram {
  readonly state: DiagramState;
  readonly draw: () => void;
  readonly showSource: () => void;
}

/**
 * Draws a diagram on request.
 * @param source reads the current source; a drawing of another source is hidden
 */
export function useDiagram(source: () => string): Diagram {
  const host = useContext(CitingHostContext);
  const [state, setState] = useState<DiagramState>(AS_SOURCE);
  useEffect(() => {
    if (state.kind === 'drawn' && state.source !== source()) setState(AS_SOURCE);
  });
  const draw = async (): Promise<void> => {
    setState({ kind: 'drawing' });
    const drawn = source();
    try {
      program ??= host.client.call('diagramProgram', {});
      const result = await drawDiagram(await program, drawn);
      setState(
        'url' in result ? { kind: 'drawn', url: result.url, source: drawn } : { kind: 'failed', ...result },
      );
    } catch (error) {
      program = undefined;
      setState({ kind: 'failed', problem: errorMessage(error) });
    }
  };
  return {
    state,
    draw: () => void draw(),
    showSource: () => setState(AS_SOURCE),
  };
}

/**
 * Shows the picture of a diagram, or the reason why there is none, with a button to switch between source and picture.
 */
export function DiagramView({ diagram }: { readonly diagram: Diagram }): JSX.Element {
  const { state, draw, showSource } = diagram;
  return (
    <div class="diagram">
      {state.kind === 'drawn' && (
        <div class="picture" role="region" aria-label={t('Diagram')} tabIndex={0}>
          <img src={state.url} alt={t('Diagram drawn from: {0}', state.source)} />
        </div>
      )}
      {state.kind === 'failed' && <p role="alert">{state.problem}</p>}
      {state.kind === 'drawing' && <p role="status">{t('Drawing…')}</p>}
      {(state.kind === 'source' || state.kind === 'failed') && (
        <button type="button" class="link" onClick={draw}>
          {t('Draw diagram')}
        </button>
      )}
      {state.kind === 'drawn' && (
        <button type="button" class="link" onClick={showSource}>
          {t('Show diagram code')}
        </button>
      )}
    </div>
  );
}
