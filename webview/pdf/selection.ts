import { h, render } from 'preact';
import type { PdfHostApi, PdfSelection } from '../../src/messages/viewer.ts';
import { SelectionBar } from './selection-bar.tsx';

type Run = (command: PdfHostApi['run']['params']['command']) => void;

/** How long a selection has to stay as it is before it is offered something, in milliseconds. */
const settlesAfter = 150;

/** What is selected in the text of the pages. */
export function selectionIn(container: HTMLElement, labelOf: (page: number) => string): PdfSelection {
  const range = rangeIn(container);
  if (range === undefined) return { text: '', pages: '' };
  const pages = [pageOf(range.startContainer), pageOf(range.endContainer)].flatMap((page) => page ?? []);
  return {
    text: (document.getSelection()?.toString() ?? '').replaceAll('\0', '').trim(),
    pages: [...new Set(pages.map(labelOf))].join('–'),
  };
}

/** Offers what can be done with selected text in a small bar below it and in the context menu. */
export function offerSelection(container: HTMLElement, run: Run): void {
  const place = document.createElement('div');
  place.className = 'selection';
  place.hidden = true;
  container.append(place);
  render(h(SelectionBar, { onPress: run }), place);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPressed = false;
  const settle = (): void => {
    clearTimeout(timer);
    const range = rangeIn(container);
    container.dataset['vscodeContext'] = JSON.stringify({ hasSelection: range !== undefined });
    place.hidden = true;
    if (range === undefined || isPressed) return;
    timer = setTimeout(() => {
      show(place, container, range);
    }, settlesAfter);
  };
  document.addEventListener('selectionchange', settle);
  container.addEventListener('pointerdown', (event) => {
    isPressed = event.target instanceof Node && !place.contains(event.target);
  });
  document.addEventListener('pointerup', () => {
    if (isPressed) {
      isPressed = false;
      settle();
    }
  });
  // A press on the bar leaves the selection as it is.
  place.addEventListener('mousedown', (event) => {
    event.preventDefault();
  });
}

/** Puts the bar below the end of the selection, within what is seen of the pages. */
function show(place: HTMLElement, container: HTMLElement, range: Range): void {
  const last = [...range.getClientRects()].at(-1);
  if (last === undefined) return;
  place.hidden = false;
  const window = container.getBoundingClientRect();
  const right = container.clientWidth - place.offsetWidth - 8;
  const below = container.clientHeight - place.offsetHeight - 8;
  const left = Math.max(8, Math.min(last.right - window.left - place.offsetWidth, right));
  const top = Math.max(8, Math.min(last.bottom - window.top + 4, below));
  place.style.left = `${String(container.scrollLeft + left)}px`;
  place.style.top = `${String(container.scrollTop + top)}px`;
}

function rangeIn(container: HTMLElement): Range | undefined {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  return range.intersectsNode(container) && pageOf(range.startContainer) !== undefined ? range : undefined;
}

function pageOf(node: Node): number | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const number = element?.closest<HTMLElement>('.page')?.dataset['pageNumber'];
  return number === undefined ? undefined : Number(number);
}
