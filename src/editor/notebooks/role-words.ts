import * as vscode from 'vscode';
import type { TeamRole } from '../../team/api.ts';

/** The words for what a member may; undefined for nothing. */
export function roleWords(role: TeamRole | undefined): string {
  switch (role) {
    case undefined:
      return vscode.l10n.t('has no access');
    case 'reader':
      return vscode.l10n.t('can view');
    case 'author':
      return vscode.l10n.t('can edit');
    case 'manager':
      return vscode.l10n.t('can manage');
  }
}
