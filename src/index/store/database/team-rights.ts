import { t } from '@vscode/l10n';
import type { FeatureEntityKind } from '../../../features/types.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Statements } from './statements.ts';

/** Returns the user's role in the team notebook, as last reported by the team's database; 'all' without a team. */
export function teamRight(sql: Statements): 'all' | 'author' | 'manager' | 'reader' {
  const level = sql.get('SELECT level FROM team')?.['level'];
  if (level === undefined) return 'all';
  return level === 1 ? 'reader' : level === 3 ? 'manager' : 'author';
}

/**
 * Checks that the user may delete an item of the team, which deletes it for everyone.
 * @throws NotebookError `forbidden`
 */
export function forbidReaders(sql: Statements, doesTeamHave: boolean): void {
  if (doesTeamHave && teamRight(sql) === 'reader')
    throw new NotebookError(
      'forbidden',
      t(
        'This item belongs to the team, and you can only view the notebook. Ask a manager of the notebook to delete the item, or to let you edit the notebook.',
      ),
    );
}

/**
 * Checks that the user may delete an item of this kind and ID, if the team has it.
 * @throws NotebookError `forbidden`
 */
export function forbidReadersEntity(sql: Statements, kind: FeatureEntityKind, id: string): void {
  forbidReaders(sql, sql.has('SELECT 1 FROM team_things WHERE kind = ? AND id = ?', kind, id));
}
