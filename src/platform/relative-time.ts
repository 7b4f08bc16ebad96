import * as vscode from 'vscode';

/** Returns how long ago a time was, in a few words; `time` is in milliseconds since 1970. */
export function ago(time: number): string {
  const minutes = Math.round((Date.now() - time) / 60_000);
  if (minutes < 1) return vscode.l10n.t('just now');
  if (minutes < 60) return vscode.l10n.t('{0} min ago', minutes);
  if (minutes < 24 * 60) return vscode.l10n.t('{0} h ago', Math.round(minutes / 60));
  const relative = new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto' });
  return relative.format(-Math.round(minutes / (24 * 60)), 'day');
}
