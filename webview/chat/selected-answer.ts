import { shownVerdict, type Turn } from '../../src/core/domain/answer.ts';
import { verdictMark } from '../../src/core/domain/verdict-marks.ts';

/** Selected part of the answers. */
interface SelectedAnswer {
  /** Copy without citation chips, with formulas as written and with the verdicts of the fact check. */
  readonly copy: HTMLElement;
  readonly hasMarks: boolean;
}

/** Copies the selection outside of text fields; undefined if it is empty. */
export function selectedAnswer(turns: readonly Turn[]): SelectedAnswer | undefined {
  const selection = window.getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  const from = range.commonAncestorContainer;
  const within = from instanceof Element ? from : from.parentElement;
  if (within?.closest('textarea, input') !== null) return undefined;
  const marks = findMarks(range, turns);
  for (const [piece, mark] of marks) piece.dataset['mark'] = mark;
  const copy = document.createElement('div');
  copy.append(range.cloneContents());
  for (const piece of marks.keys()) delete piece.dataset['mark'];
  for (const hidden of copy.querySelectorAll('.chip, .code-bar, .visually-hidden')) hidden.remove();
  for (const formula of copy.querySelectorAll('.katex')) {
    const tex = formula.querySelector('annotation')?.textContent ?? '';
    formula.replaceWith(`$${tex}$`);
  }
  for (const piece of copy.querySelectorAll<HTMLElement>('[data-mark]'))
    piece.append(piece.dataset['mark'] ?? '');
  // A selection within one sentence doesn't include its mark.
  const around = within.closest<HTMLElement>('.statement');
  const mark = around === null ? undefined : marks.get(around);
  if (mark !== undefined) copy.append(mark);
  return { copy, hasMarks: marks.size > 0 };
}

/** Adds the verdicts of the fact check when the user copies a part of an answer. */
export function markCopies(turns: () => readonly Turn[]): void {
  document.addEventListener('copy', (event) => {
    const selected = selectedAnswer(turns());
    if (selected?.hasMarks !== true || event.clipboardData === null) return;
    const { copy } = selected;
    // `innerText` needs layout to know the lines of a text.
    copy.className = 'copied markdown';
    document.body.append(copy);
    event.clipboardData.setData('text/plain', copy.innerText);
    event.clipboardData.setData('text/html', copy.innerHTML);
    copy.remove();
    event.preventDefault();
  });
}

/** Returns the last selected piece of each selected statement that needs a mark, with the mark. */
function findMarks(range: Range, turns: readonly Turn[]): Map<HTMLElement, string> {
  const marks = new Map<HTMLElement, string>();
  for (const article of document.querySelectorAll<HTMLElement>('article[data-turn]')) {
    const answer = turns.find(({ id }) => id === article.dataset['turn'])?.answer;
    if (answer?.kind !== 'written' || !range.intersectsNode(article)) continue;
    const last = new Map<string, HTMLElement>();
    for (const piece of article.querySelectorAll<HTMLElement>('.statement[data-statement]'))
      if (range.intersectsNode(piece)) last.set(piece.dataset['statement'] ?? '', piece);
    for (const [index, piece] of last) {
      const statement = answer.statements[Number(index)];
      const mark = statement === undefined ? '' : verdictMark(shownVerdict(statement), 'inline');
      if (mark !== '') marks.set(piece, mark);
    }
  }
  return marks;
}
