import * as vscode from 'vscode';
import type { Since } from '../../../core/domain/template.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { ago } from '../../../platform/relative-time.ts';

const DAY = 24 * 60 * 60 * 1_000;

/** Asks for the start of the changes: when an artifact was generated, or a day; undefined if the user cancels. */
export async function askSince(notebook: NotebookClient): Promise<Since | undefined> {
  interface Item extends vscode.QuickPickItem {
    readonly since: Since | 'day';
  }
  const generatedNotes = await notebook.call('generatedNotes', {});
  const days = (count: number, label: string): Item => ({
    label,
    since: { kind: 'time', at: Date.now() - count * DAY },
  });
  const separator = (label: string): vscode.QuickPickItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const picked = await vscode.window.showQuickPick<Item | vscode.QuickPickItem>(
    [
      ...(generatedNotes.length > 0 ? [separator(vscode.l10n.t('Since a note was generated'))] : []),
      ...generatedNotes
        .toSorted((a, b) => b.generatedAt - a.generatedAt)
        .map(({ title, generatedAt }): Item => ({
          label: literalText(title),
          description: ago(generatedAt),
          iconPath: new vscode.ThemeIcon('note'),
          since: { kind: 'note', title },
        })),
      separator(vscode.l10n.t('Since a date')),
      days(1, vscode.l10n.t('Since yesterday')),
      days(7, vscode.l10n.t('In the last week')),
      days(30, vscode.l10n.t('In the last month')),
      { label: vscode.l10n.t('Since another date…'), since: 'day' },
    ],
    { title: vscode.l10n.t('Changes in Sources'), placeHolder: vscode.l10n.t('Select a starting point') },
  );
  if (picked === undefined || !('since' in picked)) return undefined;
  return picked.since === 'day' ? await askDay() : picked.since;
}

async function askDay(): Promise<Since | undefined> {
  const day = await vscode.window.showInputBox({
    title: vscode.l10n.t('Changes in Sources'),
    prompt: vscode.l10n.t('Enter the first day of the period'),
    value: new Date(Date.now() - 7 * DAY).toISOString().slice(0, 10),
    validateInput: (value) =>
      parseDay(value) === undefined ? vscode.l10n.t('Enter a past date, such as 2026-11-02.') : undefined,
  });
  const at = day === undefined ? undefined : parseDay(day);
  return at === undefined ? undefined : { kind: 'time', at };
}

/** Returns the start of a day in local time; undefined if it isn't a valid date or is in the future. */
function parseDay(day: string): number | undefined {
  const [, year, month, date] = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(day) ?? [];
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  return at.getMonth() === Number(month) - 1 && at.getTime() <= Date.now() ? at.getTime() : undefined;
}
