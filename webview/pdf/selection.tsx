import type { PageNumber } from '../../src/core/domain/page-number.ts';
import { h, render, type JSX } from 'preact';
import { t } from '@vscode/l10n';
import type { PdfSelection, ViewerCommand } from '../../src/features/pdf/protocol.ts';
import { ColorPicker } from './annotation-card.tsx';
import { joinPieces, type Box, type SelectedPiece } from './selected-runs.ts';

/** Actions for selected text. */
interface SelectionActions {
  run(command: ViewerCommand): void;
  mark(kind: 'highlight' | 'underline', colour?: string): void;
  remark(): void;
}

/** Delay before actions appear for an unchanged selection, in milliseconds. */
const SETTLES_AFTER = 150;

/** Required parts of the pages for selecting text. */
interface SelectablePages {
  /** Returns the printed number of a page; undefined if it has none. */
  pageLabel(page: PageNumber): string | undefined;
  /** Converts a rectangle of the window to a location on a page. */
  boxOn(page: PageNumber, rectangle: DOMRect): Box;
}

/** Returns the selected text of the pages. */
export function selectionIn(container: HTMLElement, pages: SelectablePages): PdfSelection {
  const range = rangeIn(container);
  const { text, runs } = joinPieces(range === undefined ? [] : [...cutPieces(range, container, pages)]);
  const numbers = [...new Set(runs.map(({ rectangle }) => rectangle.page))];
  const labels = numbers.flatMap((page) => {
    const label = pages.pageLabel(page);
    return label === undefined ? [] : [[page, label] as const];
  });
  const ends = [...new Set([numbers[0], numbers.at(-1)])].flatMap((page) => page ?? []);
  return {
    text,
    runs,
    labels: Object.fromEntries(labels),
    pages: ends.map((page) => pages.pageLabel(page) ?? String(page)).join('–'),
  };
}

/** Yields the selected texts with their positions, and the line ends between them. */
function* cutPieces(range: Range, container: HTMLElement, pages: SelectablePages): Generator<SelectedPiece> {
  for (const layer of container.querySelectorAll('.textLayer')) {
    const page = findPage(layer);
    if (page === undefined || !range.intersectsNode(layer)) continue;
    const nodes = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      if (!range.intersectsNode(node)) continue;
      if (node instanceof HTMLBRElement) yield { kind: 'break' };
      if (!(node instanceof Text)) continue;
      const start = node === range.startContainer ? range.startOffset : 0;
      const end = node === range.endContainer ? range.endOffset : node.length;
      if (start >= end) continue;
      const text = node.data.slice(start, end).replaceAll('\0', '');
      const box = (from: number, to: number): Box => pages.boxOn(page, measureText(node, from, to));
      yield {
        kind: 'text',
        text,
        page,
        box: box(start, end),
        first: box(start, start + 1),
        last: box(end - 1, end),
      };
    }
  }
}

function measureText(text: Node, start: number, end: number): DOMRect {
  const part = document.createRange();
  part.setStart(text, start);
  part.setEnd(text, end);
  return part.getBoundingClientRect();
}

/** Shows the actions for selected text in a small bar below it and in the context menu. */
export function offerSelection(container: HTMLElement, actions: SelectionActions): void {
  const place = document.createElement('div');
  place.className = 'selection';
  place.hidden = true;
  container.append(place);
  render(h(SelectionBar, { actions }), place);
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
    }, SETTLES_AFTER);
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
  // Using the toolbar must not change the selection.
  place.addEventListener('mousedown', (event) => {
    event.preventDefault();
  });
}

/** Places the bar below the end of the selection, within the visible part of the pages. */
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
  return range.intersectsNode(container) && findPage(range.startContainer) !== undefined ? range : undefined;
}

/** Returns the first and last page of a selection. */
export function selectedPages(): readonly number[] {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return [];
  return [selection.anchorNode, selection.focusNode].flatMap((node) => (node && findPage(node)) ?? []);
}

function findPage(node: Node): number | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const number = element?.closest<HTMLElement>('.page')?.dataset['pageNumber'];
  return number === undefined ? undefined : Number(number);
}

/** Shows the actions for selected text. */
function SelectionBar({ actions }: { readonly actions: SelectionActions }): JSX.Element {
  return (
    <div role="toolbar" aria-label={t('Selection')}>
      <ColorPicker colour={undefined} onPick={(colour) => actions.mark('highlight', colour)} />
      <button
        type="button"
        aria-label={t('Underline')}
        title={t('Underline (U)')}
        onClick={() => actions.mark('underline')}
      >
        <span class="underlined" aria-hidden="true">
          U
        </span>
      </button>
      <button
        type="button"
        aria-label={t('Highlight and Add Comment')}
        title={t('Highlight and add a comment (M)')}
        onClick={() => actions.remark()}
      >
        <span class="codicon codicon-comment-draft" aria-hidden="true" />
      </button>
      <button
        type="button"
        title={t('Add the selected text to the notebook (A)')}
        onClick={() => actions.run('addSelection')}
      >
        <span class="codicon codicon-add" aria-hidden="true" />
        {t('Add Selection')}
      </button>
      <button
        type="button"
        title={t('Ask about the selected text (Q)')}
        onClick={() => actions.run('askAboutSelection')}
      >
        <span class="codicon codicon-comment" aria-hidden="true" />
        {t('Ask About Selection…')}
      </button>
    </div>
  );
}
