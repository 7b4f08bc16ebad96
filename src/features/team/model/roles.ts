import { t } from '@vscode/l10n';

/** Role of a member in a team, or in one of its notebooks. */
export type TeamRole = 'reader' | 'author' | 'manager';

/** Returns the name of a member's role; undefined means no access. */
export function roleWords(role: TeamRole | undefined): string {
  switch (role) {
    case undefined:
      return t('has no access');
    case 'reader':
      return t('can view');
    case 'author':
      return t('can edit');
    case 'manager':
      return t('can manage');
  }
}
