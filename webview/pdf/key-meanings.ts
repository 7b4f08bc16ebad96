/** Actions of keys other than zooming. */
export interface KeyActions {
  find(): void;
  closeFind(): boolean;
  findNext(isBackwards: boolean): void;
  toggleOutline(): void;
  toggleColors(): void;
  goToPage(): void;
  addSelection(): void;
  askAboutSelection(): void;
  highlight(): void;
  /** Highlights in one of the available colors, by its index from 0. */
  highlightIn(colour: number): void;
  underline(): void;
  remark(): void;
  drawBox(): void;
  toggleAnnotations(): void;
  toggleThumbnails(): void;
  togglePresentation(): void;
}

/** Pressed key. The modifier is the command key on a Mac. */
interface KeyPress {
  readonly key: string;
  readonly withCommand: boolean;
  readonly withShift: boolean;
  readonly withAlt: boolean;
  /** `true` if the focus is in a text field. */
  readonly isTyping: boolean;
  /** `true` if one whole page at a time is shown. */
  readonly isPresenting: boolean;
}

export type KeyMeaning =
  | Exclude<keyof KeyActions, 'highlightIn'>
  | 'colour1'
  | 'colour2'
  | 'colour3'
  | 'colour4'
  | 'back'
  | 'fit'
  | 'forward'
  | 'toggleDouble'
  | 'findPrevious'
  | 'firstPage'
  | 'lastPage'
  | 'nextMark'
  | 'nextPage'
  | 'previousMark'
  | 'previousPage'
  | 'zoomIn'
  | 'zoomOut';

const PLAIN: Readonly<Record<string, KeyMeaning>> = {
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  0: 'fit',
  1: 'colour1',
  2: 'colour2',
  3: 'colour3',
  4: 'colour4',
  a: 'addSelection',
  b: 'drawBox',
  d: 'toggleDouble',
  f: 'togglePresentation',
  g: 'goToPage',
  h: 'highlight',
  i: 'toggleColors',
  j: 'nextPage',
  k: 'previousPage',
  l: 'toggleAnnotations',
  m: 'remark',
  n: 'nextMark',
  o: 'toggleOutline',
  p: 'previousMark',
  q: 'askAboutSelection',
  t: 'toggleThumbnails',
  u: 'underline',
};

/** Keys for presentations, in which there is nothing to scroll. */
const PRESENTING: Readonly<Record<string, KeyMeaning>> = {
  ' ': 'nextPage',
  ArrowDown: 'nextPage',
  ArrowRight: 'nextPage',
  PageDown: 'nextPage',
  ArrowLeft: 'previousPage',
  ArrowUp: 'previousPage',
  PageUp: 'previousPage',
  Home: 'firstPage',
  End: 'lastPage',
};

/** Returns the meaning of a key in the viewer; undefined if the browser and the editor handle it. */
export function keyMeaning({
  key,
  withCommand,
  withShift,
  withAlt,
  isTyping,
  isPresenting,
}: KeyPress): KeyMeaning | undefined {
  if (withAlt) return key === 'ArrowLeft' ? 'back' : key === 'ArrowRight' ? 'forward' : undefined;
  if (key === 'F3') return withShift ? 'findPrevious' : 'findNext';
  if (key === 'Escape') return 'closeFind';
  if (withCommand) return key === 'f' ? 'find' : key === '0' ? 'fit' : undefined;
  if (isTyping) return undefined;
  return (isPresenting ? PRESENTING[key] : undefined) ?? PLAIN[key];
}
