import * as vscode from 'vscode';
import { literalText } from '../../../platform/literal-text.ts';

/** Time that the status bar shows a report, in milliseconds. */
const SHOWN_MS = 20_000;

/** Maximum length of a title that leaves room for Undo in the status bar, in code points. */
const MAX_TITLE_LENGTH = 40;

/** Command that a click on a report runs. */
export interface ReportAction {
  /** Text after the report, such as Undo. */
  readonly label: string;
  readonly command: string;
  readonly tooltip: string;
}

/** Sentence in the status bar. */
export interface Report {
  readonly sentence: string;
  readonly isFailure?: boolean;
  readonly action?: ReportAction | undefined;
}

/** Reports additions to the notebook and removals in the status bar, with a way to undo them. */
export class StatusReport implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;
  #hiding: NodeJS.Timeout | undefined;
  #current: Report | undefined;

  /** Shows a report for a while. */
  show(report: Report): void {
    this.#render(report, report.isFailure === true ? 'error' : 'check');
    this.#hiding = setTimeout(() => this.hide(), SHOWN_MS);
  }

  /**
   * Shows a report of work until the returned function is called with the result, or with nothing to report. The result
   * isn't shown if another report is shown by then.
   */
  begin(work: Report): (outcome?: Report) => void {
    this.#render(work, 'sync~spin');
    return (outcome) => {
      if (this.#current !== work) return;
      if (outcome === undefined) this.hide();
      else this.show(outcome);
    };
  }

  hide(): void {
    this.#current = undefined;
    this.#item?.hide();
  }

  dispose(): void {
    clearTimeout(this.#hiding);
    this.#item?.dispose();
  }

  #render(report: Report, icon: string): void {
    clearTimeout(this.#hiding);
    this.#current = report;
    this.#item ??= vscode.window.createStatusBarItem('openNotebook.added', vscode.StatusBarAlignment.Left);
    const { sentence, action } = report;
    const item = this.#item;
    item.name = vscode.l10n.t('Added to Notebook');
    item.text = `$(${icon}) ${literalText(sentence)}${action ? ` · ${action.label}` : ''}`;
    item.tooltip = action?.tooltip;
    item.command = action?.command;
    item.show();
  }
}

/** Shortens a title so that the text after it fits into the status bar. */
export function shortTitle(title: string): string {
  const characters = Array.from(title);
  return characters.length <= MAX_TITLE_LENGTH
    ? title
    : `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…`;
}
