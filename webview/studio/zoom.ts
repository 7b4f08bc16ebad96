import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const SMALLEST = 0.25;
const LARGEST = 2;
/** How much larger it gets by a key, and by a turn of the wheel in CSS pixels. */
const STEP = 1.25;
const WHEEL = 300;

/** A point of what is drawn, and where it stands in the canvas. */
interface Held {
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
}

/** How large what a canvas scrolls is drawn. */
export interface Zoom {
  readonly scale: number;
  /**
   * Makes it larger by `+`, smaller by `-`, as it is by `0`, and by `9` so small that all of it fits, and keeps what is in
   * the middle there. Whether the key does any of that.
   */
  readonly byKey: (key: string, size: { readonly width: number; readonly height: number }) => boolean;
  /** Takes the wheel with Ctrl, as pinching is told of, too, and keeps what is under the pointer there. */
  readonly onWheel: (event: WheelEvent) => void;
}

/** Lets what a canvas scrolls be drawn larger and smaller; whoever uses it draws it so. */
export function useZoom(canvas: { readonly current: HTMLElement | null }): Zoom {
  const [scale, setScale] = useState(1);
  // The point of what is drawn that stays where it is in the canvas.
  const held = useRef<Held | undefined>(undefined);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null || held.current === undefined) return;
    const { x, y, left, top } = held.current;
    held.current = undefined;
    element.scrollTo(x * scale - left, y * scale - top);
  }, [scale]);

  const zoomTo = (next: number, left: number, top: number): void => {
    const element = canvas.current;
    const bounded = Math.min(LARGEST, Math.max(SMALLEST, next));
    if (element === null || bounded === scale) return;
    const { scrollLeft, scrollTop } = element;
    held.current = { x: (scrollLeft + left) / scale, y: (scrollTop + top) / scale, left, top };
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
