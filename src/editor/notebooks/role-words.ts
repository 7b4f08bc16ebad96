import * as vscode from 'vscode';
import type { TeamRole } from '../../team/api.ts';

/** Returns the name of a member's role; undefined means no access. */
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
