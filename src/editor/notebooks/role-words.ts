import * as vscode from 'vscode';
import type { TeamRole } from '../../team/api.ts';

/** The words for what a member may; undefined for nothing. */
export function roleWords(role: TeamRole | undefined): string {
  switch (role) {
    case undefined:
      return vscode.l10n.t('may nothing');
    case 'reader':
      return vscode.l10n.t('may read');
    case 'author':
      return vscode.l10n.t('may read, add and change');
    case 'manager':
      return vscode.l10n.t('may manage');
  }
}
