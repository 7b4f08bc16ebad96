import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { TeamEntry } from '../service/api.ts';
import { roleWords } from '../model/roles.ts';
import type { Teams } from './teams.ts';

/** Returns the team; asks if there are several. @throws NotebookError if there is none */
export async function chooseTeam(teams: Teams, title: string): Promise<TeamEntry | undefined> {
  const failures: unknown[] = [];
  const list = await teams.list((error) => failures.push(error));
  const [first] = list;
  if (first === undefined) {
    const [failure] = failures;
    if (failure instanceof Error) throw failure;
    throw new NotebookError(
      'empty',
      vscode.l10n.t('You aren’t connected to a team. Use “Connect to Team…” first.'),
    );
  }
  if (list.length === 1) return first;
  const items = list.map((team) => ({ label: team.place, description: roleWords(team.role), team }));
  return (await vscode.window.showQuickPick(items, { title }))?.team;
}
