import * as vscode from 'vscode';

/** How long ago something was, in a few words; `time` is in milliseconds since 1970. */
export function ago(time: number): string {
  const minutes = Math.round((Date.now() - time) / 60_000);
  const relative = new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto', style: 'narrow' });
  if (minutes < 1) return vscode.l10n.t('just now');
  if (minutes < 60) return relative.format(-minutes, 'minute');
  if (minutes < 24 * 60) return relative.format(-Math.round(minutes / 60), 'hour');
  return relative.format(-Math.round(minutes / (24 * 60)), 'day');
}
