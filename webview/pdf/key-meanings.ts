/** What keys do beside zooming. */
export interface KeyActions {
  find(): void;
  closeFind(): boolean;
  findNext(isBackwards: boolean): void;
  toggleOutline(): void;
  toggleColours(): void;
  goToPage(): void;
  addSelection(): void;
  askAboutSelection(): void;
}

/** What is pressed; the modifier is the command key on a Mac. */
export interface KeyPress {
  readonly key: string;
  readonly withCommand: boolean;
  readonly withShift: boolean;
  /** Whether it was pressed where text is typed. */
  readonly isTyping: boolean;
}

export type KeyMeaning =
  | keyof KeyActions
  | 'fit'
  | 'findPrevious'
  | 'nextMark'
  | 'nextPage'
  | 'previousMark'
  | 'previousPage'
  | 'zoomIn'
  | 'zoomOut';

const plain: Readonly<Record<string, KeyMeaning>> = {
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  0: 'fit',
  a: 'addSelection',
  g: 'goToPage',
  i: 'toggleColours',
  j: 'nextPage',
  k: 'previousPage',
  n: 'nextMark',
  o: 'toggleOutline',
  p: 'previousMark',
  q: 'askAboutSelection',
};

/** What a key means in the viewer; undefined where it is left to the browser and the editor. */
export function keyMeaning({ key, withCommand, withShift, isTyping }: KeyPress): KeyMeaning | undefined {
  if (key === 'F3') return withShift ? 'findPrevious' : 'findNext';
  if (key === 'Escape') return 'closeFind';
  if (withCommand) return key === 'f' ? 'find' : key === '0' ? 'fit' : undefined;
  return isTyping ? undefined : plain[key];
}
