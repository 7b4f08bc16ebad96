import * as vscode from 'vscode';
import type { TeamRole } from '../../team/api.ts';

/** The words for what a member may. */
export function roleWords(role: TeamRole): string {
  switch (role) {
    case 'reader':
      return vscode.l10n.t('may read');
    case 'author':
      return vscode.l10n.t('may read, add and change');
    case 'manager':
      return vscode.l10n.t('may manage');
  }
}
