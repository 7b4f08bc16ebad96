import type { DrawnFigure, FigureLimits, FigureSource } from '../../src/core/rpc/figure.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import type { CitingHost } from './host.ts';

/** Limits of a displayed figure: sharp in a wide panel. */
const FIGURE_LIMITS: FigureLimits = { longestSide: 1_200, bytes: 4 * 2 ** 20 };

/** Maximum number of cached drawings. */
const MAX_DRAWN_FIGURES = 24;

/** A drawn figure with its address in this page. */
export interface ShownFigure {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

const shown = new Map<string, Promise<ShownFigure>>();

/** Draws a figure. Loads the code for it on first use. */
export async function draw(
  client: CitingHost['client'],
  source: FigureSource,
  limits: FigureLimits,
): Promise<DrawnFigure> {
  const { drawFigure } = await import('../figure/draw-figure.ts');
  return drawFigure(source, (bytes) => client.call('figureBytes', bytes), limits);
}

/**
 * Returns the drawing of a citation's figure, from the cache if possible. Rejects with one sentence if there is none.
 */
export function drawnFigure(
  client: CitingHost['client'],
  turnId: string,
  index: number,
  { documentId, figure }: Citation,
): Promise<ShownFigure> {
  const key = `${String(documentId)} ${String(figure?.start)} ${figure?.words ?? ''}`;
  const drawn = shown.get(key) ?? drawShown(client, turnId, index);
  shown.delete(key);
  shown.set(key, drawn);
  // Forget failed drawings, because the next attempt may work.
  drawn.catch(() => shown.delete(key));
  for (const oldest of shown.keys()) {
    if (shown.size <= MAX_DRAWN_FIGURES) break;
    void shown.get(oldest)?.then(({ url }) => URL.revokeObjectURL(url));
    shown.delete(oldest);
  }
  return drawn;
}

async function drawShown(client: CitingHost['client'], turnId: string, index: number): Promise<ShownFigure> {
  const source = await client.call('figure', { turnId, citation: index });
  const { bytes, mediaType, width, height } = await draw(client, source, FIGURE_LIMITS);
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
  return { url, width, height };
}
