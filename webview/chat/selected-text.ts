/**
 * What is selected in the answers, without the marks of what they cite, formulas as they are written; '' where nothing is.
 */
export function selectedText(): string {
  const selection = window.getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return '';
  const range = selection.getRangeAt(0);
  const from = range.commonAncestorContainer;
  const within = from instanceof Element ? from : from.parentElement;
  if (within?.closest('textarea, input') !== null) return '';
  const words = range.cloneContents();
  for (const mark of words.querySelectorAll('.chip, .visually-hidden')) mark.remove();
  for (const formula of words.querySelectorAll('.katex')) {
    const tex = formula.querySelector('annotation')?.textContent ?? '';
    formula.replaceWith(`$${tex}$`);
  }
  return words.textContent.trim();
}

/** Tells the menu of the page whether something is selected. */
export function followSelection(): void {
  document.addEventListener('selectionchange', () => {
    const hasSelection = window.getSelection()?.isCollapsed === false;
    document.body.dataset['vscodeContext'] = JSON.stringify({ hasSelection });
  });
}
