import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const MIN_SCALE = 0.25;
const MAX_SCALE = 2;
/** Zoom factor of a key, and wheel distance in CSS pixels. */
const STEP = 1.25;
const WHEEL = 300;

/** Point of the drawing, and its position in the canvas. */
interface AnchorPoint {
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
}

/** Scale of the drawing in a canvas. */
export interface Zoom {
  readonly scale: number;
  /**
   * Zooms in by `+`, out by `-`, to the original size by `0`, and to fit by `9`, with the middle unchanged. Returns
   * `true` if the key does any of that.
   */
  readonly byKey: (key: string, size: { readonly width: number; readonly height: number }) => boolean;
  /** Zooms by wheel with Ctrl, which also reports pinching, and keeps the point under the pointer in place. */
  readonly onWheel: (event: WheelEvent) => void;
}

/** Adds zoom to a canvas that scrolls. The caller draws at the scale. */
export function useZoom(canvas: { readonly current: HTMLElement | null }): Zoom {
  const [scale, setScale] = useState(1);
  // Point of the drawing that keeps its position in the canvas.
  const heldPoint = useRef<AnchorPoint | undefined>(undefined);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null || heldPoint.current === undefined) return;
    const { x, y, left, top } = heldPoint.current;
    heldPoint.current = undefined;
    element.scrollTo(x * scale - left, y * scale - top);
  }, [scale]);

  const zoomTo = (next: number, left: number, top: number): void => {
    const element = canvas.current;
    const bounded = Math.min(MAX_SCALE, Math.max(MIN_SCALE, next));
    if (element === null || bounded === scale) return;
    const { scrollLeft, scrollTop } = element;
    heldPoint.current = { x: (scrollLeft + left) / scale, y: (scrollTop + top) / scale, left, top };
    setScale(bounded);
  };
  return {
    scale,
    byKey: (key, { width, height }) => {
      const { clientWidth = 0, clientHeight = 0 } = canvas.current ?? {};
      const scales: Readonly<Record<string, number>> = {
        '+': scale * STEP,
        '=': scale * STEP,
        '-': scale / STEP,
        '0': 1,
        '9': Math.min(1, clientWidth / width, clientHeight / height),
      };
      const next = scales[key];
      if (next !== undefined) zoomTo(next, clientWidth / 2, clientHeight / 2);
      return next !== undefined;
    },
    onWheel: (event) => {
      const element = canvas.current;
      if (element === null || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      zoomTo(scale * 2 ** (-event.deltaY / WHEEL), event.clientX - left, event.clientY - top);
    },
  };
}
