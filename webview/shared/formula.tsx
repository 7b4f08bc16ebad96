import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DrawnFormula } from './draw-formula.ts';

type Draw = (tex: string, isDisplayed: boolean) => DrawnFormula;

let draw: Draw | undefined;
let loading: Promise<void> | undefined;

/** Loads the formula renderer on first use. */
async function load(): Promise<void> {
  draw = (await import('./draw-formula.ts')).drawFormula;
}

interface FormulaProps {
  readonly tex: string;
  readonly isDisplayed?: boolean;
  /** `true` once its closing mark has arrived. */
  readonly isClosed?: boolean;
  /** The formula as written. */
  readonly children?: ComponentChildren;
}

/** Draws a formula. Shows it as written while it is incomplete, and if it can't be drawn. */
export function Formula({ tex, isDisplayed = false, isClosed = false, children }: FormulaProps): JSX.Element {
  const place = useRef<HTMLSpanElement>(null);
  const isLoaded = useLoaded(isClosed);
  const drawn = useMemo(
    () => (isClosed && isLoaded ? draw?.(tex, isDisplayed) : undefined),
    [tex, isDisplayed, isClosed, isLoaded],
  );
  useLayoutEffect(() => {
    if (drawn !== undefined && 'element' in drawn) place.current?.replaceChildren(drawn.element);
  }, [drawn]);
  if (drawn !== undefined && 'element' in drawn)
    return (
      <span
        key="drawn"
        class={isDisplayed ? 'formula displayed' : 'formula'}
        tabIndex={isDisplayed ? 0 : undefined}
        ref={place}
      />
    );
  return (
    <code key="written" class={isDisplayed ? 'tex displayed' : 'tex'} dir="ltr" title={drawn?.problem}>
      {children}
    </code>
  );
}

function useLoaded(isNeeded: boolean): boolean {
  const [isLoaded, setIsLoaded] = useState(draw !== undefined);
  useEffect(() => {
    if (!isNeeded || isLoaded) return;
    let isCurrent = true;
    loading ??= load();
    loading.then(
      () => {
        if (isCurrent) setIsLoaded(true);
      },
      // Formulas then stay as written.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, isLoaded]);
  return isLoaded;
}
